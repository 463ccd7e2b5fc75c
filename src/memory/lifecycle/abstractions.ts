import { createHash } from 'node:crypto'
import type { EntityId, Namespace, RelationshipId } from '../../core/ids.ts'
import type { Fact, GraphStore } from '../ports.ts'

/** The relation that carries an abstraction's text, and the one that leads to each of its members. */
export const summaryRelation = 'summary'
export const memberRelation = 'includes'

/** One run makes so many at most, each with a call of the model; the next run goes on. */
export const abstractionsPerRun = 10

/** Item ids are made by the service alone, so no stored text can pass for an abstraction. */
const itemPrefix = 'abstraction-'

/** True for everything that an abstraction wrote: its text and its links. */
export function isAbstraction(fact: Pick<Fact, 'itemId'>): boolean {
  return fact.itemId.startsWith(itemPrefix)
}

/** True for the links to members: they are there to be walked, not to be read. */
export function isMemberLink(fact: Pick<Fact, 'itemId' | 'relation'>): boolean {
  return isAbstraction(fact) && fact.relation === memberRelation
}

/** The same for the same members, so that two runs at once write one abstraction. */
export function abstractionItemId(persona: string, entities: readonly EntityId[]): string {
  return `${itemPrefix}${digest([persona, ...[...entities].sort()]).slice(0, 32)}`
}

/** A UUID made from the parts: the same parts, the same id. */
export function stableUuid(parts: readonly string[]): string {
  const hex = digest(parts)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}

function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

/** An abstraction as its text's metadata tells it. */
export interface KnownAbstraction {
  readonly summary: Fact
  readonly entities: ReadonlySet<string>
  readonly facts: readonly RelationshipId[]
}

function readAbstraction(summary: Fact): KnownAbstraction {
  const list = (value: unknown) => (Array.isArray(value) ? value.filter((id) => typeof id === 'string') : [])
  const { entities, facts } = summary.metadata ?? {}
  return { summary, entities: new Set(list(entities)), facts: list(facts) as RelationshipId[] }
}

const pageSize = 500

/** Every current fact of one relation, or of all; at most `limit`, newest first. */
export async function currentFacts(
  graph: Pick<GraphStore, 'list'>,
  namespace: Namespace,
  query: { readonly persona: string | null; readonly relation?: string; readonly limit: number },
): Promise<Fact[]> {
  const { persona, relation, limit } = query
  const filter = {
    persona,
    sessionId: null,
    source: null,
    since: null,
    until: null,
    ...(relation ? { relation } : {}),
  }
  const found: Fact[] = []
  for (;;) {
    const last = found.at(-1)
    const after = last === undefined ? null : { createdAt: last.createdAt, id: last.id }
    const page = await graph.list(namespace, filter, {
      after,
      limit: Math.min(pageSize, limit - found.length),
    })
    found.push(...page)
    if (page.length < pageSize || found.length >= limit) break
  }
  return relation === undefined ? found : found.filter((fact) => fact.relation === relation)
}

/** More abstractions than this no namespace has; it bounds the work. */
const mostAbstractions = 10_000

export async function knownAbstractions(
  graph: Pick<GraphStore, 'list'>,
  namespace: Namespace,
  persona: string | null,
): Promise<KnownAbstraction[]> {
  const query = { persona, relation: summaryRelation, limit: mostAbstractions }
  const summaries = await currentFacts(graph, namespace, query)
  return summaries.filter(isAbstraction).map(readAbstraction)
}

/** Removes an abstraction, its text and its links; the node goes with the next removal of orphans. */
export async function removeAbstraction(
  graph: Pick<GraphStore, 'expand' | 'remove'>,
  namespace: Namespace,
  { summary }: KnownAbstraction,
): Promise<number> {
  const query = { entities: [summary.subject], personas: null, limit: 1_000 }
  const { edges } = await graph.expand(namespace, query)
  const own = edges.filter(({ itemId }) => itemId === summary.itemId).map(({ id }) => id)
  const ids = [...new Set([summary.id, ...own])]
  return graph.remove(namespace, { ids, persona: null, sessionId: null })
}

/**
 * To be called after memories were forgotten: removes every abstraction that lost one of the facts it was made of,
 * because its text may still tell it. What remains is summarised again by the next consolidation. Gives the number
 * of relationships removed.
 */
export async function forgetAbstractions(
  graph: Pick<GraphStore, 'expand' | 'get' | 'list' | 'remove'>,
  namespace: Namespace,
): Promise<number> {
  let removed = 0
  for (const abstraction of await knownAbstractions(graph, namespace, null)) {
    const left = await graph.get(namespace, abstraction.facts)
    if (left.length < new Set(abstraction.facts).size)
      removed += await removeAbstraction(graph, namespace, abstraction)
  }
  return removed
}
