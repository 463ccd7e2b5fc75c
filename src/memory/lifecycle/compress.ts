import { z } from 'zod'
import type { Seconds } from '../../core/clock.ts'
import { asChunkId, asItemId, asRelationshipId, type Namespace, type NewId } from '../../core/ids.ts'
import { embedTexts } from '../embed.ts'
import { canonicalKey } from '../entities.ts'
import { groundedPart, isGrounded, termsOf } from '../graph-qa/ground.ts'
import { dataRule, fencedList } from '../graph-qa/prompts.ts'
import { stripInstructions } from '../graph-qa/sanitize.ts'
import type { ClusterCompressionRequest, ClusterCompressor } from '../hooks.ts'
import type { Entity, Source } from '../model.ts'
import type { Embedder, Fact, FactDraft, GraphStore, ItemWrite, Journal, Llm } from '../ports.ts'
import { trust } from '../slots.ts'
import {
  abstractionItemId,
  abstractionsPerRun,
  currentFacts,
  isAbstraction,
  type KnownAbstraction,
  knownAbstractions,
  memberRelation,
  removeAbstraction,
  stableUuid,
  summaryRelation,
} from './abstractions.ts'
import { type Cluster, denseClusters } from './clusters.ts'

export interface ClusterCompressorParts {
  readonly graph: GraphStore
  readonly journal: Journal
  readonly embedder: Embedder
  readonly llm: Llm
  readonly newId: NewId
}

/** Of larger graphs the newest facts are looked at; the rest keeps the abstractions it has. */
const mostFacts = 20_000
/** A cluster beyond these is summarised by its best connected entities and most trusted facts. */
const mostMembers = 40
const mostMergedFacts = 60
const summaryTokens = 300

const abstractionSchema = z.object({ title: z.string(), summary: z.string() })

/**
 * Makes one abstraction node for each dense cluster that has none. Members stay and are linked; a run that finds
 * nothing new changes nothing. When the model fails the run ends with what it has done so far.
 */
export function createClusterCompressor(parts: ClusterCompressorParts): ClusterCompressor {
  return async (namespace, request) => {
    const all = await currentFacts(parts.graph, namespace, { persona: request.persona, limit: mostFacts })
    const facts = all.filter((fact) => !isAbstraction(fact))
    const known = await withoutOutdated(parts.graph, namespace, request.persona)
    const outcome = { compressed: 0, abstractions: 0 }
    for (const [persona, own] of Map.groupBy(facts, (fact) => fact.persona)) {
      const knownHere = known.filter(({ summary }) => summary.persona === persona)
      for (const cluster of denseClusters(own).filter(
        (found) => !knownHere.some((old) => covers(old, found)),
      )) {
        if (outcome.abstractions >= abstractionsPerRun) return outcome
        const merged = await compress(parts, namespace, { cluster, persona, known: knownHere, request })
        if (merged === null) return outcome
        outcome.compressed += merged
        outcome.abstractions += merged > 0 ? 1 : 0
      }
    }
    return outcome
  }
}

/** The abstractions that still hold; one that rests on a fact which was replaced meanwhile is removed. */
async function withoutOutdated(
  graph: GraphStore,
  namespace: Namespace,
  persona: string | null,
): Promise<KnownAbstraction[]> {
  const valid: KnownAbstraction[] = []
  for (const abstraction of await knownAbstractions(graph, namespace, persona)) {
    const members = await graph.get(namespace, abstraction.facts)
    if (members.some(({ closedAt }) => closedAt !== null))
      await removeAbstraction(graph, namespace, abstraction)
    else valid.push(abstraction)
  }
  return valid
}

/** At least half of the cluster is in it: a cluster that grew a little is not summarised again. */
function covers({ entities }: KnownAbstraction, cluster: Cluster): boolean {
  const members = cluster.entities.slice(0, mostMembers)
  return members.filter(({ id }) => entities.has(id)).length * 2 >= members.length
}

interface Work {
  readonly cluster: Cluster
  readonly persona: string
  readonly known: readonly KnownAbstraction[]
  readonly request: ClusterCompressionRequest
}

/** The number of facts merged; 0 when nothing is left to summarise, null when the model failed. */
async function compress(
  parts: ClusterCompressorParts,
  namespace: Namespace,
  work: Work,
): Promise<number | null> {
  const merged = work.cluster.facts.filter((fact) => harmless(fact) !== '').slice(0, mostMergedFacts)
  if (merged.length === 0) return 0
  const texts = merged.map(harmless)
  const said = await summarise(parts, texts, work.request.signal)
  if (said === null) return null
  const members = work.cluster.entities
    .filter(({ name }) => stripInstructions(name) === name)
    .slice(0, mostMembers)
  const keys = [...new Set(members.map(({ name }) => canonicalKey(name)))]
  const entities = (await parts.graph.entitiesNamed(namespace, keys)).filter(({ id }) =>
    members.some((member) => member.id === id),
  )
  const nodes = members.flatMap(({ id }) => entities.find((entity) => entity.id === id) ?? [])
  if (nodes.length === 0) return 0
  const abstraction = readSummary(said, texts, nodes)
  const item = await draft(parts.embedder, { ...work, merged, nodes, abstraction, now: work.request.now })
  const replaced = work.known.filter((old) => isInside(old, work.cluster))
  for (const old of replaced) await removeAbstraction(parts.graph, namespace, old)
  await parts.journal.remember(namespace, item)
  return merged.length
}

/** An abstraction of what is now a part of a larger cluster. */
function isInside({ entities }: KnownAbstraction, cluster: Cluster): boolean {
  return [...entities].every((id) => cluster.entities.some((entity) => entity.id === id))
}

function harmless(fact: Fact): string {
  if (fact.evidence !== '' && stripInstructions(fact.evidence) === '') return ''
  return stripInstructions(fact.fact)
}

async function summarise(
  { llm, newId }: ClusterCompressorParts,
  facts: readonly string[],
  signal?: AbortSignal,
) {
  const nonce = newId()
  const system = [
    'You give numbered facts a title of at most six words and a summary of at most three sentences.',
    dataRule(nonce),
    'Use the words and names of the facts and add nothing.',
  ].join('\n')
  const request = {
    system,
    prompt: fencedList(facts, nonce),
    maxTokens: summaryTokens,
    ...(signal ? { signal } : {}),
  }
  return llm.object(abstractionSchema, request).catch(() => null)
}

interface Abstraction {
  readonly title: string
  readonly text: string
}

const longestTitle = 80
const listedFacts = 8

/** What the model said as far as the facts carry it; names and facts themselves where it said something else. */
function readSummary(
  said: z.infer<typeof abstractionSchema>,
  facts: readonly string[],
  nodes: readonly Entity[],
): Abstraction {
  const title = said.title.replace(/\s+/g, ' ').trim()
  const isGood = title !== '' && title.length <= longestTitle && isGrounded(title, termsOf(facts))
  const names = nodes.slice(0, 3).map(({ name }) => name)
  const rest = nodes.length - names.length
  const fallback = rest > 0 ? `${names.join(', ')} and ${rest} more` : names.join(', ')
  const summary = groundedPart(said.summary, facts)?.join(' ') ?? `${facts.slice(0, listedFacts).join('; ')}.`
  const chosen = isGood ? title : fallback
  return { title: chosen, text: `Summary of ${chosen}: ${summary}` }
}

interface DraftParts {
  readonly cluster: Cluster
  readonly persona: string
  readonly merged: readonly Fact[]
  readonly nodes: readonly Entity[]
  readonly abstraction: Abstraction
  readonly now: Seconds
}

async function draft(embedder: Embedder, parts: DraftParts): Promise<ItemWrite> {
  const { cluster, persona, merged, nodes, abstraction, now } = parts
  const itemId = abstractionItemId(
    persona,
    cluster.entities.map(({ id }) => id),
  )
  const { title, text } = abstraction
  const links = nodes.map((node) => linkText(title, node))
  const vectorOf = await embedTexts(embedder, new Set([title, text, ...links]))
  const inherited = {
    source: leastTrusted(merged),
    base: least(merged, 'base'),
    extraction: least(merged, 'extraction'),
  }
  const row = (relation: string, { key }: Entity, fact: string): FactDraft => ({
    ...{
      id: asRelationshipId(stableUuid([itemId, relation, key])),
      chunkId: asChunkId(stableUuid([itemId])),
    },
    ...{ subjectKey: itemId, relation, objectKey: key, fact, evidence: '', vector: vectorOf(fact) },
    ...{ slot: relation === summaryRelation ? summaryRelation : `${memberRelation}|${key}` },
    ...{ negated: false, ended: false, when: null, base: inherited.base, extraction: inherited.extraction },
  })
  const facts = [
    ...nodes.slice(0, 1).map((node) => row(summaryRelation, node, text)),
    ...nodes.map((node) => row(memberRelation, node, linkText(title, node))),
  ]
  const node = {
    key: itemId,
    name: title,
    type: 'abstraction',
    aliases: [],
    vector: vectorOf(title),
  } as const
  return {
    ...{ itemId: asItemId(itemId), persona, sessionId: null, source: inherited.source, createdAt: now },
    textHash: itemId,
    metadata: {
      abstraction: true,
      members: nodes.map(({ name }) => name),
      entities: cluster.entities.slice(0, mostMembers).map(({ id }) => id),
      facts: merged.map(({ id }) => id),
    },
    entities: [node, ...nodes],
    facts,
    chunks: [],
    links: [],
  }
}

const linkText = (title: string, { name }: Entity) => `${title} includes ${name}`

function leastTrusted(facts: readonly Fact[]): Source {
  return facts
    .map(({ source }) => source)
    .reduce((least, source) => (trust[source] < trust[least] ? source : least), 'user')
}

function least(facts: readonly Fact[], field: 'base' | 'extraction'): number {
  return Math.min(...facts.map((fact) => fact[field]))
}
