import {
  asChunkId,
  asRelationshipId,
  type ChunkId,
  type Namespace,
  type RelationshipId,
} from '../core/ids.ts'
import { canonicalKey, type EntityResolver } from './entities.ts'
import { forgetAbstractions } from './lifecycle/abstractions.ts'
import type { ForgetPreview, ForgetReply, ForgetRequest } from './memory.ts'
import type { Entity } from './model.ts'
import type {
  DocumentStore,
  EpisodicStore,
  GraphStore,
  ListFilter,
  ListPage,
  Selection,
  WorkingMemory,
} from './ports.ts'

export interface ForgetParts {
  readonly graph: GraphStore
  readonly episodic: EpisodicStore
  readonly working: WorkingMemory
  readonly documents: DocumentStore
  readonly resolver: EntityResolver
  readonly milliseconds: () => number
}

/** What a request names. */
interface Target {
  readonly chunks: Selection
  readonly facts: Selection
  /** The working memory of one session, or of every one with null; null: of none. */
  readonly sessions: { readonly id: string | null } | null
  /** Facts that stay although their text goes: they must not quote it any longer. */
  readonly unquoted: readonly RelationshipId[]
  /** Texts that go, and some of whose facts another text told, too: those stay as that one's. */
  readonly passedOn: readonly ChunkId[]
}

/**
 * Removes memories from every store, then counts again. A failure rejects and may be retried: texts go first, because a
 * fact still names its text when that is gone, and a text does not name its facts.
 */
export async function forget(
  parts: ForgetParts,
  namespace: Namespace,
  request: ForgetRequest,
): Promise<ForgetReply> {
  const started = parts.milliseconds()
  const { graph, episodic, working } = parts
  const target = await targetOf(parts, namespace, request)
  if (target.passedOn.length > 0) await graph.passOn(namespace, target.passedOn)
  await working.dropFacts(namespace, await hotIds(parts, namespace, target))
  const sessions = target.sessions === null ? 0 : await working.forget(namespace, target.sessions.id)
  await graph.dropEvidence(namespace, target.unquoted)
  const chunks = await episodic.remove(namespace, target.chunks)
  const facts = await graph.remove(namespace, target.facts)
  if (request.by === 'everything') await parts.documents.forget(namespace, null)
  if (request.by === 'persona') await parts.documents.forget(namespace, request.persona)
  // A summary may still tell what was forgotten: those that lost a fact go, too.
  const relations = facts + (await forgetAbstractions(graph, namespace))
  const entities = await graph.removeOrphans(namespace)
  await graph.dropRoles(namespace)
  parts.resolver.invalidate(namespace)
  const remaining = await countLeft(parts, namespace, request, target)
  return { chunks, relations, entities, sessions, remaining, latencyMs: parts.milliseconds() - started }
}

/** How many memories of each kind a preview shows; its counts are of all of them. */
const shown = 100

/** What `forget` would remove now; nothing is changed. Summaries of what goes are not counted. */
export async function previewForget(
  parts: ForgetParts,
  namespace: Namespace,
  request: ForgetRequest,
): Promise<ForgetPreview> {
  const started = parts.milliseconds()
  const { graph, episodic } = parts
  const target = await targetOf(parts, namespace, request)
  const [chunks, relations, entities] = await Promise.all([
    episodic.count(namespace, target.chunks),
    graph.count(namespace, target.facts),
    graph.countOrphans(namespace, target.facts),
  ])
  const [texts, facts] = await Promise.all([
    target.chunks.ids === null
      ? episodic.list(namespace, filterOf(target.chunks), firstPage)
      : episodic.get(namespace, target.chunks.ids.slice(0, shown).map(asChunkId)),
    target.facts.ids === null
      ? graph.list(namespace, filterOf(target.facts), firstPage)
      : graph.get(namespace, target.facts.ids.slice(0, shown).map(asRelationshipId)),
  ])
  const memories = [
    ...texts.map(({ id, text }) => ({ id, type: 'episodic' as const, fact: text })),
    ...facts.map(({ id, fact }) => ({ id, type: 'semantic' as const, fact })),
  ]
  return { chunks, relations, entities, memories, latencyMs: parts.milliseconds() - started }
}

const firstPage: ListPage = { after: null, limit: shown }

const all: Selection = { ids: null, persona: null, sessionId: null }
const of = (ids: readonly string[]): Selection => ({ ...all, ids: [...new Set(ids)] })

async function targetOf(parts: ForgetParts, namespace: Namespace, request: ForgetRequest): Promise<Target> {
  switch (request.by) {
    case 'ids':
      return targetOfIds(parts, namespace, request.ids)
    case 'entity':
      return targetOfEntity(parts, namespace, request.entity)
    case 'session':
      return sparing(
        parts,
        namespace,
        targetOfSelection({ ...all, sessionId: request.sessionId }, { id: request.sessionId }),
      )
    case 'persona':
      // Sessions are not kept by persona: its hot facts are taken out of all of them.
      return targetOfSelection({ ...all, persona: request.persona }, null)
    case 'filter': {
      const { filter, persona, sessionId } = request
      // The session itself stays: others of its memories may.
      return sparing(parts, namespace, targetOfSelection({ ids: null, filter, persona, sessionId }, null))
    }
    case 'everything':
      return targetOfSelection(all, { id: null })
  }
}

const targetOfSelection = (selection: Selection, sessions: Target['sessions']): Target => ({
  chunks: selection,
  facts: selection,
  sessions,
  unquoted: [],
  passedOn: [],
})

/** Without the facts that a text told, too, which stays. A persona confirms only its own, so that it needs no sparing. */
async function sparing(parts: ForgetParts, namespace: Namespace, target: Target): Promise<Target> {
  const { graph, episodic } = parts
  const texts = await idsOf((page) => episodic.list(namespace, filterOf(target.chunks), page))
  const stay = new Set(await graph.toldElsewhere(namespace, texts))
  if (stay.size === 0) return target
  const read = [false, true].map((superseded) =>
    idsOf((page) => graph.list(namespace, { ...filterOf(target.facts), superseded }, page)),
  )
  const facts = (await Promise.all(read)).flat().filter((id) => !stay.has(id))
  return { ...target, facts: of(facts), passedOn: texts }
}

/**
 * The text is the unit: a fact takes the text it was read from along, and a text all facts read from it, except what
 * another text told, too.
 */
async function targetOfIds(
  { graph }: ForgetParts,
  namespace: Namespace,
  ids: readonly string[],
): Promise<Target> {
  const named = await graph.get(namespace, ids.map(asRelationshipId))
  const texts = [...ids.map(asChunkId), ...named.map(({ chunkId }) => chunkId)]
  const stay = new Set(await graph.toldElsewhere(namespace, texts))
  const read = (await graph.factsOf(namespace, texts)).filter(({ id }) => !stay.has(id))
  return {
    chunks: of(texts),
    facts: of([...named, ...read].map(({ id }) => id)),
    sessions: null,
    unquoted: [],
    passedOn: texts,
  }
}

/**
 * Every fact that touches the entity, and the texts that told or confirmed one. What else those texts told stays: who
 * forgets a friend does not forget his own address. A name that no entity has names nothing.
 */
async function targetOfEntity({ graph }: ForgetParts, namespace: Namespace, name: string): Promise<Target> {
  const facts = new Set<RelationshipId>()
  const chunks = new Set<ChunkId>()
  for (const { key } of await nodesNamed(graph, namespace, name)) {
    const linked = await graph.linkedTo(namespace, key)
    for (const id of linked.relationships) facts.add(id)
    for (const id of linked.chunks) chunks.add(id)
  }
  const read = await graph.factsOf(namespace, [...chunks])
  const unquoted = read.map(({ id }) => id).filter((id) => !facts.has(id))
  return { chunks: of([...chunks]), facts: of([...facts]), sessions: null, unquoted, passedOn: [] }
}

/** The node of this name, or those that go by it. */
async function nodesNamed(graph: GraphStore, namespace: Namespace, name: string): Promise<readonly Entity[]> {
  const key = canonicalKey(name)
  if (key === '') return []
  const nodes = await graph.entitiesNamed(namespace, [key])
  const own = nodes.filter((node) => node.key === key)
  return own.length > 0 ? own : nodes
}

/** What still matches after the removal; an entity counts as long as its node is there. */
async function countLeft(
  { graph, episodic }: ForgetParts,
  namespace: Namespace,
  request: ForgetRequest,
  { chunks, facts }: Target,
): Promise<number> {
  const left = await Promise.all([
    episodic.count(namespace, chunks),
    graph.count(namespace, facts),
    request.by === 'entity'
      ? nodesNamed(graph, namespace, request.entity).then(({ length }) => length)
      : request.by === 'everything'
        ? graph.countEntities(namespace, null)
        : 0,
  ])
  return left[0] + left[1] + left[2]
}

/** What may be hot in a session that itself stays. */
async function hotIds(
  { graph, episodic }: ForgetParts,
  namespace: Namespace,
  { chunks, facts, sessions }: Target,
): Promise<readonly string[]> {
  if (sessions !== null && sessions.id === null) return []
  return [
    ...(chunks.ids ?? (await idsOf((page) => episodic.list(namespace, filterOf(chunks), page)))),
    ...(facts.ids ?? (await idsOf((page) => graph.list(namespace, filterOf(facts), page)))),
  ]
}

const filterOf = ({ persona, sessionId, filter = null }: Selection): ListFilter => ({
  persona,
  sessionId,
  filter,
  source: null,
  since: null,
  until: null,
})

const pageSize = 500

/** The ids of a whole list, read page by page. */
async function idsOf<T extends string>(
  read: (page: ListPage) => Promise<readonly { readonly id: T; readonly createdAt: number }[]>,
): Promise<readonly T[]> {
  const ids: T[] = []
  let after: ListPage['after'] = null
  for (;;) {
    const rows = await read({ after, limit: pageSize })
    ids.push(...rows.map(({ id }) => id))
    const last = rows.at(-1)
    if (last === undefined || rows.length < pageSize) return ids
    after = { createdAt: last.createdAt, id: last.id }
  }
}
