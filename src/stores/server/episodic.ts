import { asChunkId, type ChunkId, type Namespace } from '../../core/ids.ts'
import { createLateScorer } from '../../core/late-interaction/late-interaction.ts'
import { dot, type Vector } from '../../core/vectors.ts'
import type { EpisodicHit, EpisodicStore, StoredLink, Within } from '../../memory/ports.ts'
import { isWithin } from '../../memory/within.ts'
import type { Follower } from './follow.ts'
import type { Neo4j, Row, RunQuery } from './neo4j/connection.ts'
import { requireLease } from './neo4j/fences.ts'
import { keyedChunks, lockNamespace, removeChunks } from './neo4j/keyed.ts'
import { linkOf, linkQueries } from './neo4j/links.ts'
import { chunkOf, properties, uid } from './neo4j/rows.ts'
import {
  fadedParameters,
  fadedRemoval,
  isFaded,
  listConditions,
  listParameters,
  mostFaded,
  selectionConditions,
  selectionParameters,
  toldAgain,
} from './neo4j/selections.ts'
import { undoClosings } from './neo4j/undo-closings.ts'
import { list, number, text, textOrNull } from './neo4j/values.ts'
import { isSeen, withinParameters } from './neo4j/within.ts'
import { asStoredChunk, type PlacedChunk, withoutPlace } from './qdrant/chunks.ts'
import { inPersonas, seenBy } from './qdrant/filters.ts'
import type { Points, ScoredPoint } from './qdrant/points.ts'

const matching = `MATCH (c:Chunk {namespace: $namespace}) WHERE ${selectionConditions('c')}`
const faded = `MATCH (c:Chunk {namespace: $namespace})
  WHERE ${isFaded('c')}`

/**
 * The chunk of a thread that comes last before, or first after. The whole key of the index as the order: so Neo4j walks the
 * index from there on and reads no more than it has to.
 */
const lastBefore = (condition: string) => inThread(condition, ' DESC')
const firstAfter = (condition: string) => inThread(condition, '')
const inThread = (condition: string, direction: '' | ' DESC') =>
  `COLLECT { MATCH (c:Chunk {namespace: $namespace, thread: place.thread, persona: place.persona}) WHERE ${condition}
    RETURN c ORDER BY ${['namespace', 'thread', 'persona', 'order'].map((key) => `c.${key}${direction}`).join(', ')}
    LIMIT 1 }[0]`

/** In a session the pieces of a text are no neighbours of each other. */
const textOf = (chunk: string) =>
  `CASE WHEN ${chunk}.session_id IS NULL THEN ${chunk}.id ELSE ${chunk}.item_id END`
const before = (chunk: string) => `c.order < ${chunk}.order AND ${textOf('c')} <> ${textOf(chunk)}`
const after = (chunk: string) => `c.order > ${chunk}.order AND ${textOf('c')} <> ${textOf(chunk)}`
const noOrder = { least: '-1', most: String(Number.MAX_SAFE_INTEGER) }

const queries = {
  /** The texts around a chunk, and around its neighbours, with the pieces that they show each other. */
  around: `UNWIND $asked.places AS place
    WITH place, ${lastBefore(before('place'))} AS one, ${firstAfter(after('place'))} AS next
    WITH place, one, next, ${lastBefore(before('one'))} AS two, ${firstAfter(after('next'))} AS afterNext,
      ${firstAfter(`c.order > coalesce(one.order, ${noOrder.least})`)} AS first,
      ${lastBefore(`c.order < coalesce(next.order, ${noOrder.most})`)} AS last
    WITH place, one, next, two, afterNext, first, last, ${lastBefore(before('two'))} AS three,
      ${firstAfter(`one IS NOT NULL AND c.order > coalesce(two.order, ${noOrder.least})`)} AS firstOfOne
    WITH place, one, next, two, afterNext, first, last, three, firstOfOne, ${lastBefore(before('three'))} AS four
    RETURN place.id AS id, [one.id, two.id, three.id, four.id] AS before, [next.id, afterNext.id] AS after,
      first.id AS first, last.id AS last, firstOfOne.id AS firstOfOne`,
  list: `MATCH (c:Chunk {namespace: $namespace}) WHERE ${listConditions('c')}
    RETURN c {.*} AS chunk ORDER BY c.created_at DESC, c.id DESC LIMIT toInteger($limit)`,
  seen: `MATCH (c:Chunk {namespace: $namespace}) WHERE ${isSeen('c')} RETURN c.id AS id`,
  shown: `UNWIND $uids AS uid MATCH (c:Chunk {uid: uid})
    RETURN c.id AS id, c.created_at AS createdAt, c.metadata AS metadata`,
  closedFacts:
    'UNWIND $uids AS uid MATCH (c:Chunk {uid: uid}) RETURN c.id AS id, c.closed_fact_count AS closed',
  closedLater: `MATCH ()-[f:FACT {namespace: $namespace}]->() WHERE f.closed_at > $asOf AND f.outdated
    UNWIND f.mentions AS uid WITH uid WHERE uid IN $uids RETURN uid, count(*) AS count`,
  touch: `UNWIND $ids AS id WITH id, count(*) AS times MATCH (c:Chunk {namespace: $namespace, id: id})
    SET c.access_count = c.access_count + times,
        c.last_access_at = CASE WHEN c.last_access_at < $now THEN $now ELSE c.last_access_at END
    FOREACH (told IN CASE WHEN $told IS NULL THEN [] ELSE [$told] END | SET ${toldAgain('c', 'told')})
    RETURN c.id AS id`,
  upgrade: `MATCH (c:Chunk {namespace: $namespace, id: $id})
    SET c.source = $source, c.base = CASE WHEN c.base < $base THEN $base ELSE c.base END,
        c.last_access_at = CASE WHEN c.last_access_at < $now THEN $now ELSE c.last_access_at END
    RETURN c.id AS id`,
  pin: `MATCH (c:Chunk {namespace: $namespace, id: $id}) SET c.pinned = $pinned RETURN c.id AS id`,
  selected: `${matching} RETURN c.id AS id`,
  count: `${matching} RETURN count(c) AS count`,
  countFaded: `${faded} RETURN count(c) AS count`,
  remove: `${matching} ${removeChunks}`,
  faded: `${faded} ${mostFaded('c')} RETURN c.id AS id`,
  removeFaded: `${faded} ${mostFaded('c')} ${removeChunks}`,
} as const

const scorer = createLateScorer()

export function createServerEpisodicStore(neo4j: Neo4j, points: Points, follower: Follower): EpisodicStore {
  async function changeChunks(
    namespace: Namespace,
    query: string,
    parameters: Readonly<Record<string, unknown>>,
    prepare?: (run: RunQuery) => Promise<void>,
  ) {
    return follower.change(namespace, async (run) => {
      await prepare?.(run)
      const rows = await run(query, { namespace, ...parameters })
      const chunks = rows.map((row) => text(row, 'id'))
      return { result: chunks.length, marked: { chunks, facts: [], entities: [] } }
    })
  }

  return {
    async search(namespace, { vector, terms, personas, nearest, lexical, tokens = null, within }) {
      const filter = await seenBy(inPersonas(namespace, personas), namespace, within, async () =>
        neo4j.read(queries.seen, {
          namespace,
          ...(await withinParameters(neo4j.read, 'c', namespace, within)),
        }),
      )
      const { points: found, question } = await points.search(filter, { vector, terms, nearest, lexical })
      const candidates = new Map(found.map((point) => [point.id, asHit(point)]))
      const threads = await readThreads(
        neo4j,
        namespace,
        [...candidates.values()].map(({ chunk }) => chunk),
        within,
      )
      const missing = threads.neighbours([...candidates.keys()]).filter((id) => !candidates.has(id))
      for (const point of await points.get(namespace, missing)) {
        const scored = { ...point, cosine: dot(vector, point.vector), bm25: question.score(point.words) }
        candidates.set(point.id, asHit(scored))
      }
      const all = [...candidates.values()]
      const late =
        tokens === null
          ? []
          : scorer.score(
              tokens,
              all.map(({ chunk }) => chunk.tokens),
            )
      const hits = all.map((hit, at) => ({
        ...hit,
        late: late[at] ?? null,
        previous: threads.before(hit.chunk.id),
        next: threads.after(hit.chunk.id),
      }))
      return { hits, idfSum: question.idfSum }
    },

    async nearest(namespace, personas, vector: Vector, limit) {
      const found = await points.nearest(inPersonas(namespace, personas), vector, limit)
      return found.map((point) => ({ chunk: asStoredChunk(point), cosine: point.cosine }))
    },

    get: async (namespace, ids) => (await points.get(namespace, ids)).map(asStoredChunk).map(withoutPlace),

    async standing(namespace, ids, asOf) {
      const uids = ids.map((id) => uid(namespace, id))
      const [chunks, links, reopened] = await Promise.all([
        neo4j.read(queries.closedFacts, { uids }),
        neo4j.read(linkQueries.to, { namespace, ids: [...ids] }),
        neo4j.read(queries.closedLater, { namespace, uids, asOf }),
      ])
      const told = Map.groupBy(
        links.map(linkOf).filter(({ at }) => at <= asOf),
        ({ older }) => older,
      )
      const later = new Map(reopened.map((row) => [text(row, 'uid'), number(row, 'count')]))
      return chunks.map((row) => {
        const id = asChunkId(text(row, 'id'))
        const [surest] = (told.get(id) ?? []).toSorted(surestFirst)
        const closedFactCount = number(row, 'closed') - (later.get(uid(namespace, id)) ?? 0)
        if (surest === undefined) return { id, closedFactCount, replaced: null }
        const { newer: by, kind, probability, at } = surest
        return { id, closedFactCount, replaced: { by, kind, probability, at } }
      })
    },

    async keyed(namespace, persona, key) {
      const found = await keyedChunks((query, parameters) => neo4j.read(query, parameters), {
        ...{ namespace, persona, key },
      })
      return found === null ? null : { chunks: found.chunks, textHash: found.textHash }
    },

    async list(namespace, filter, page) {
      const rows = await neo4j.read(
        queries.list,
        await listParameters(neo4j.read, 'c', namespace, filter, page),
      )
      return rows.map((row) => withoutPlace(chunkOf(properties(row, 'chunk'))))
    },

    async touch(namespace, ids, now, told) {
      if (ids.length > 0)
        await changeChunks(namespace, queries.touch, { ids: [...ids], now, told: told ?? null })
    },
    async upgrade(namespace, id, source, base, now) {
      await changeChunks(namespace, queries.upgrade, { id, source, base, now })
    },
    pin: async (namespace, id, pinned) => (await changeChunks(namespace, queries.pin, { id, pinned })) > 0,
    links: async (namespace, id) => (await neo4j.read(linkQueries.ofChunk, { namespace, id })).map(linkOf),

    async count(namespace, selection) {
      const [row] = await neo4j.readShared(
        queries.count,
        await selectionParameters(neo4j.read, 'c', namespace, selection),
      )
      return row === undefined ? 0 : number(row, 'count')
    },
    async countFaded(namespace, query) {
      const [row] = await neo4j.read(queries.countFaded, fadedParameters(namespace, query))
      return row === undefined ? 0 : number(row, 'count')
    },
    faded: async (namespace, query) =>
      (await neo4j.read(queries.faded, fadedRemoval(namespace, query))).map((row) =>
        asChunkId(text(row, 'id')),
      ),
    removeFaded: (namespace, query) =>
      changeChunks(namespace, queries.removeFaded, fadedRemoval(namespace, query), async (run) => {
        await lockNamespace(run, namespace)
        await requireLease(run, query.lease)
      }),
    remove: (namespace, selection) =>
      follower.change(namespace, async (run) => {
        const parameters = await selectionParameters(run, 'c', namespace, selection)
        const ids = (await run(queries.selected, parameters)).map((row) => text(row, 'id'))
        const touched = await undoClosings(run, namespace, ids)
        const gone = (await run(queries.remove, parameters)).map((row) => text(row, 'id'))
        const chunks = [...new Set([...gone, ...touched.chunks])]
        return { result: gone.length, marked: { chunks, facts: touched.facts, entities: [] } }
      }),
  }
}

const asHit = (point: ScoredPoint): EpisodicHit & { readonly chunk: PlacedChunk } => ({
  chunk: asStoredChunk(point),
  cosine: point.cosine,
  bm25: point.bm25,
  late: null,
  previous: [],
  next: [],
})

interface Threads {
  before(id: string): readonly ChunkId[]
  after(id: string): readonly ChunkId[]
  /** Of all of these, each once. */
  neighbours(ids: readonly string[]): readonly ChunkId[]
}

/**
 * The conversation around each of these chunks, and around its neighbours: they are shown too, with their own. What is
 * read does not grow with the conversation.
 */
async function readThreads(
  neo4j: Neo4j,
  namespace: Namespace,
  chunks: readonly PlacedChunk[],
  within: Within | undefined,
): Promise<Threads> {
  const places = chunks
    .filter(({ thread }) => thread !== null)
    .map(({ id, thread, persona, order, sessionId: session_id, itemId: item_id }) => ({
      ...{ id, thread, persona, order, session_id, item_id },
    }))
  const rows = places.length === 0 ? [] : await neo4j.read(queries.around, { namespace, asked: { places } })
  const lines = rows.map(lineOf)
  const isShown = await shownTo(
    neo4j,
    namespace,
    lines.flatMap((line) => line.flatMap(({ previous, next }) => [...previous, ...next])),
    within,
  )
  const before = new Map<string, readonly ChunkId[]>()
  const after = new Map<string, readonly ChunkId[]>()
  for (const { id, previous, next } of lines.flat()) {
    before.set(id, previous.filter(isShown))
    after.set(id, next.filter(isShown))
  }
  const beside = (id: string) => [...(before.get(id) ?? []), ...(after.get(id) ?? [])]
  return {
    before: (id) => before.get(id) ?? [],
    after: (id) => after.get(id) ?? [],
    neighbours: (hits) => [...new Set(hits.flatMap(beside))],
  }
}

/** A chunk and its neighbours, each with its own. */
function lineOf(row: Row) {
  const [own, first, last, firstOfOne] = ['id', 'first', 'last', 'firstOfOne'].map((name) => idIn(row[name]))
  const [one = null, ...further] = list(row, 'before').map(idIn)
  const [next = null, afterNext = null] = list(row, 'after').map(idIn)
  const known = (...some: readonly (ChunkId | null | undefined)[]) => some.filter((id) => id != null)
  const [two = null, three = null, four = null] = further
  return [
    { id: own, previous: known(one, two), next: known(next) },
    { id: one, previous: known(two, three), next: known(first) },
    { id: two, previous: known(three, four), next: known(firstOfOne) },
    { id: next, previous: known(last, one), next: known(afterNext) },
  ].flatMap((place) => (place.id == null ? [] : { ...place, id: place.id }))
}

/** Which of these chunks a question may see. What was found may be seen already. */
async function shownTo(
  neo4j: Neo4j,
  namespace: Namespace,
  around: readonly ChunkId[],
  within: Within | undefined,
): Promise<(id: ChunkId) => boolean> {
  if (within === undefined || around.length === 0) return () => true
  const uids = [...new Set(around)].map((id) => uid(namespace, id))
  const hidden = new Set<string>()
  for (const row of await neo4j.read(queries.shown, { uids })) {
    const metadata = textOrNull(row, 'metadata')
    const told = {
      createdAt: number(row, 'createdAt'),
      metadata: metadata === null ? null : JSON.parse(metadata),
    }
    if (!isWithin(within, told)) hidden.add(text(row, 'id'))
  }
  return (id) => !hidden.has(id)
}

/** As `showSurestLink` chooses. */
function surestFirst(a: StoredLink, b: StoredLink): number {
  return b.probability - a.probability || b.at - a.at || (a.newer < b.newer ? -1 : 1)
}

const idIn = (value: unknown): ChunkId | null => (value == null ? null : asChunkId(String(value)))
