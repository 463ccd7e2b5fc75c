import {
  asChunkId,
  asRelationshipId,
  type ChunkId,
  type Namespace,
  type RelationshipId,
} from '../core/ids.ts'
import { canonicalKey, type EntityResolver, userKey } from './entities.ts'
import { forgetAbstractions } from './lifecycle/abstractions.ts'
import type { ForgetReply, ForgetRequest } from './memory.ts'
import type { Entity, Metadata } from './model.ts'
import type { EpisodicStore, GraphStore, ListFilter, ListPage, Selection, WorkingMemory } from './ports.ts'

export interface ForgetParts {
  readonly graph: GraphStore
  readonly episodic: EpisodicStore
  readonly working: WorkingMemory
  readonly resolver: EntityResolver
  readonly milliseconds: () => number
}

type Removal = Omit<ForgetReply, 'latencyMs'>

/**
 * Removes memories from every store, then counts again. The text is what is forgotten: a fact's id also removes the chunk
 * that it was read from, and a chunk takes all facts read from it along, so that nothing says it any longer. A
 * failure rejects and may be retried: what is gone already is not missed.
 */
export async function forget(
  parts: ForgetParts,
  namespace: Namespace,
  request: ForgetRequest,
): Promise<ForgetReply> {
  const started = parts.milliseconds()
  const removal = await remove(parts, namespace, request)
  const { relations, entities } = await removeSummaries(parts, namespace, removal)
  parts.resolver.invalidate(namespace)
  return { ...removal, relations, entities, latencyMs: parts.milliseconds() - started }
}

/** A summary may still tell what was forgotten: those that lost a fact go, and so do nodes that nothing touches. */
async function removeSummaries(
  { graph }: ForgetParts,
  namespace: Namespace,
  removal: Removal,
): Promise<Removal> {
  const relations = await forgetAbstractions(graph, namespace)
  if (relations === 0) return removal
  const entities = await graph.removeOrphans(namespace)
  return { ...removal, relations: removal.relations + relations, entities: removal.entities + entities }
}

function remove(parts: ForgetParts, namespace: Namespace, request: ForgetRequest): Promise<Removal> {
  switch (request.by) {
    case 'ids':
      return forgetIds(parts, namespace, request.ids)
    case 'entity':
      return forgetEntity(parts, namespace, request.entity)
    case 'session':
      return forgetSelection(parts, namespace, { ...all, sessionId: request.sessionId })
    case 'persona':
      return forgetSelection(parts, namespace, { ...all, persona: request.persona })
    case 'everything':
      return forgetSelection(parts, namespace, all)
  }
}

const all: Selection = { ids: null, persona: null, sessionId: null }

async function forgetIds(parts: ForgetParts, namespace: Namespace, ids: readonly string[]): Promise<Removal> {
  const facts = await parts.graph.get(namespace, ids.map(asRelationshipId))
  const chunks = await parts.episodic.get(namespace, ids.map(asChunkId))
  const texts = [...chunks.map(({ id }) => id), ...facts.map(({ chunkId }) => chunkId)]
  return removeTexts(
    parts,
    namespace,
    texts,
    facts.map(({ id }) => id),
  )
}

/** Removes chunks, the facts read from them, and further facts, wherever they are kept. */
async function removeTexts(
  parts: ForgetParts,
  namespace: Namespace,
  texts: readonly ChunkId[],
  further: readonly RelationshipId[],
): Promise<Removal> {
  const { graph, episodic, working } = parts
  const read = await graph.factsOf(namespace, texts)
  const facts = [...new Set([...read.map(({ id }) => id), ...further])]
  await working.dropFacts(namespace, [...texts, ...facts])
  const relations = facts.length === 0 ? 0 : await graph.remove(namespace, { ...all, ids: facts })
  const chunks = texts.length === 0 ? 0 : await episodic.remove(namespace, { ...all, ids: texts })
  const entities = await graph.removeOrphans(namespace)
  const left = await Promise.all([
    texts.length === 0 ? 0 : episodic.count(namespace, { ...all, ids: texts }),
    graph.get(namespace, facts).then(({ length }) => length),
  ])
  return { chunks, relations, entities, sessions: 0, remaining: left[0] + left[1] }
}

/**
 * Removes an entity, every fact about it, and every text that such a fact was read from or that names it: the extractor
 * does not make a fact of every mention.
 */
async function forgetEntity(parts: ForgetParts, namespace: Namespace, name: string): Promise<Removal> {
  const { graph } = parts
  const nodes = await nodesNamed(graph, namespace, name)
  const texts = new Set<ChunkId>(await chunksNaming(parts.episodic, namespace, namesOf(name, nodes)))
  let relations = 0
  for (const { id, key } of nodes) {
    const { edges } = await graph.expand(namespace, { entities: [id], personas: null, limit: hotEdges })
    await parts.working.dropFacts(
      namespace,
      edges.map((edge) => edge.id),
    )
    const removed = await graph.removeEntity(namespace, key)
    relations += removed.relationships
    for (const id of removed.chunks) texts.add(id)
  }
  const rest = await removeTexts(parts, namespace, [...texts], [])
  const remaining = rest.remaining + (await nodesNamed(graph, namespace, name)).length
  return { ...rest, relations: relations + rest.relations, entities: nodes.length + rest.entities, remaining }
}

/** No session holds more hot facts than this; one that is still there is not returned, because its fact is gone. */
const hotEdges = 1_000

/** The node of this name, or those that go by it. */
async function nodesNamed(graph: GraphStore, namespace: Namespace, name: string): Promise<readonly Entity[]> {
  const key = canonicalKey(name)
  if (key === '') return []
  const nodes = await graph.entitiesNamed(namespace, [key])
  const own = nodes.filter((node) => node.key === key)
  return own.length > 0 ? own : nodes
}

/** What the entity is called in texts. The user is called nothing there, and `user's sister` is no wording of a text. */
function namesOf(name: string, nodes: readonly Entity[]): readonly string[] {
  const names = [canonicalKey(name), ...nodes.flatMap(({ key, aliases }) => [key, ...aliases])]
  return [...new Set(names)].filter(
    (value) => value.length > 1 && value !== userKey && !value.includes("'s "),
  )
}

const pageSize = 500

async function chunksNaming(
  episodic: EpisodicStore,
  namespace: Namespace,
  names: readonly string[],
): Promise<ChunkId[]> {
  if (names.length === 0) return []
  const escaped = names.map((name) => RegExp.escape(name).replace(/\s+/g, String.raw`\s+`))
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${escaped.join('|')})(?![\\p{L}\\p{N}])`, 'u')
  const found: ChunkId[] = []
  for await (const { id, text } of pages((page) => episodic.list(namespace, everyone, page))) {
    if (pattern.test(text.normalize('NFKC').toLowerCase().replace(/[‘’ʼ]/g, "'"))) found.push(id)
  }
  return found
}

const everyone: ListFilter = { persona: null, sessionId: null, source: null, since: null, until: null }

/** Every row of a list, page by page. */
async function* pages<
  T extends { readonly id: string; readonly createdAt: number; readonly metadata: Metadata | null },
>(read: (page: ListPage) => Promise<readonly T[]>): AsyncGenerator<T> {
  let after: ListPage['after'] = null
  for (;;) {
    const rows: readonly T[] = await read({ after, limit: pageSize })
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < pageSize) return
    after = { createdAt: last.createdAt, id: last.id }
  }
}

/** A session, a persona, or everything. Sessions are not kept by persona: its hot facts are taken out of all of them. */
async function forgetSelection(
  parts: ForgetParts,
  namespace: Namespace,
  selection: Selection,
): Promise<Removal> {
  const { graph, episodic, working } = parts
  const { persona, sessionId } = selection
  const filter = { ...everyone, persona, sessionId }
  if (persona !== null || sessionId !== null) {
    const ids: string[] = []
    for await (const { id } of pages((page) => episodic.list(namespace, filter, page))) ids.push(id)
    for await (const { id } of pages((page) => graph.list(namespace, filter, page))) ids.push(id)
    await working.dropFacts(namespace, ids)
  }
  const sessions = persona === null ? await working.forget(namespace, sessionId) : 0
  const relations = await graph.remove(namespace, selection)
  const chunks = await episodic.remove(namespace, selection)
  const entities = await graph.removeOrphans(namespace)
  const left = await Promise.all([
    episodic.count(namespace, selection),
    graph.list(namespace, filter, { after: null, limit: pageSize }).then(({ length }) => length),
    persona === null && sessionId === null ? graph.countEntities(namespace, null) : 0,
  ])
  return { chunks, relations, entities, sessions, remaining: left[0] + left[1] + left[2] }
}
