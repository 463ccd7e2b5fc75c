import { asChunkId, type ChunkId, type Namespace } from '../../core/ids.ts'
import { dot, type Vector } from '../../core/vectors.ts'
import type { EpisodicHit, EpisodicStore, Lease } from '../../memory/ports.ts'
import type { Follower } from './follow.ts'
import type { Neo4j } from './neo4j/connection.ts'
import { requireLease } from './neo4j/fences.ts'
import { chunkOf, properties } from './neo4j/rows.ts'
import {
  fadedParameters,
  listConditions,
  listParameters,
  retainedNow,
  selectionConditions,
  selectionParameters,
} from './neo4j/selections.ts'
import { number, text } from './neo4j/values.ts'
import { asStoredChunk, type PlacedChunk, withoutPlace } from './qdrant/chunks.ts'
import { inPersonas } from './qdrant/filters.ts'
import type { Points, ScoredPoint } from './qdrant/points.ts'

const matching = `MATCH (c:Chunk {namespace: $namespace}) WHERE ${selectionConditions('c')}`
const faded = `MATCH (c:Chunk {namespace: $namespace})
  WHERE ($persona IS NULL OR c.persona = $persona) AND ${retainedNow('c')} < $threshold`

/** Facts outlive their chunk; what they say about where they were read must not name it as mentioned any more. */
const removeChunks = `
  WITH collect(c) AS gone
  UNWIND gone AS c
  WITH c, c.id AS id, c.uid AS uid, c.item_uid AS itemUid
  DETACH DELETE c
  WITH id, uid, itemUid
  OPTIONAL MATCH (piece:Chunk {item_uid: itemUid}) SET piece.hash_key = null
  WITH DISTINCT id, uid
  OPTIONAL MATCH ()-[f:FACT {chunk_id: id, namespace: $namespace}]->() WHERE uid IN f.mentions
  SET f.mentions = [mention IN f.mentions WHERE mention <> uid]
  RETURN DISTINCT id`

const queries = {
  list: `MATCH (c:Chunk {namespace: $namespace}) WHERE ${listConditions('c')}
    RETURN c {.*} AS chunk ORDER BY c.created_at DESC, c.id DESC LIMIT toInteger($limit)`,
  touch: `UNWIND $ids AS id MATCH (c:Chunk {namespace: $namespace, id: id})
    SET c.access_count = c.access_count + 1,
        c.last_access_at = CASE WHEN c.last_access_at < $now THEN $now ELSE c.last_access_at END
    RETURN c.id AS id`,
  upgrade: `MATCH (c:Chunk {namespace: $namespace, id: $id})
    SET c.source = $source, c.base = CASE WHEN c.base < $base THEN $base ELSE c.base END,
        c.last_access_at = CASE WHEN c.last_access_at < $now THEN $now ELSE c.last_access_at END
    RETURN c.id AS id`,
  count: `${matching} RETURN count(c) AS count`,
  countFaded: `${faded} RETURN count(c) AS count`,
  remove: `${matching} ${removeChunks}`,
  removeFaded: `${faded} ${removeChunks}`,
} as const

/** How many neighbours of a chunk can carry its meaning: the two turns before it and the answer after it. */
const chunksBefore = 2
const chunksAfter = 1

export function createServerEpisodicStore(neo4j: Neo4j, points: Points, follower: Follower): EpisodicStore {
  async function changeChunks(
    namespace: Namespace,
    query: string,
    parameters: Readonly<Record<string, unknown>>,
    lease?: Lease,
  ) {
    return follower.change(namespace, async (run) => {
      await requireLease(run, lease)
      const rows = await run(query, { namespace, ...parameters })
      const chunks = rows.map((row) => text(row, 'id'))
      return { result: chunks.length, marked: { chunks, facts: [], entities: [] } }
    })
  }

  return {
    async search(namespace, { vector, terms, personas, nearest, lexical }) {
      const filter = inPersonas(namespace, personas)
      const { points: found, question } = await points.search(filter, { vector, terms, nearest, lexical })
      const candidates = new Map(found.map((point) => [point.id, asHit(point)]))
      const threads = await readThreads(
        points,
        namespace,
        [...candidates.values()].map(({ chunk }) => chunk),
      )
      const wanted = new Set(
        [...candidates.keys()].flatMap((id) => [...threads.before(id), ...threads.after(id)]),
      )
      const missing = [...wanted].filter((id) => !candidates.has(id))
      for (const point of await points.get(namespace, missing)) {
        const scored = { ...point, cosine: dot(vector, point.vector), bm25: question.score(point.words) }
        candidates.set(point.id, asHit(scored))
      }
      const hits = [...candidates.values()].map((hit) => ({
        ...hit,
        previous: threads.before(hit.chunk.id),
        next: threads.after(hit.chunk.id),
      }))
      return { hits, idfSum: question.idfSum }
    },

    async nearest(namespace, persona, vector: Vector, limit) {
      const found = await points.nearest(inPersonas(namespace, [persona]), vector, limit)
      const hits = found.map(asHit)
      const threads = await readThreads(
        points,
        namespace,
        hits.map(({ chunk }) => chunk),
      )
      return hits.map((hit) => ({
        ...hit,
        previous: threads.before(hit.chunk.id),
        next: threads.after(hit.chunk.id),
      }))
    },

    get: async (namespace, ids) => (await points.get(namespace, ids)).map(asStoredChunk).map(withoutPlace),

    async list(namespace, filter, page) {
      const rows = await neo4j.read(queries.list, listParameters(namespace, filter, page))
      return rows.map((row) => withoutPlace(chunkOf(properties(row, 'chunk'))))
    },

    async touch(namespace, ids, now) {
      if (ids.length > 0) await changeChunks(namespace, queries.touch, { ids: [...ids], now })
    },
    async upgrade(namespace, id, source, base, now) {
      await changeChunks(namespace, queries.upgrade, { id, source, base, now })
    },

    async count(namespace, selection) {
      const [row] = await neo4j.read(queries.count, selectionParameters(namespace, selection))
      return row === undefined ? 0 : number(row, 'count')
    },
    async countFaded(namespace, query) {
      const [row] = await neo4j.read(queries.countFaded, fadedParameters(namespace, query))
      return row === undefined ? 0 : number(row, 'count')
    },
    removeFaded: (namespace, query) =>
      changeChunks(namespace, queries.removeFaded, fadedParameters(namespace, query), query.lease),
    remove: (namespace, selection) =>
      changeChunks(namespace, queries.remove, selectionParameters(namespace, selection)),
  }
}

const asHit = (point: ScoredPoint): EpisodicHit & { readonly chunk: PlacedChunk } => ({
  chunk: asStoredChunk(point),
  cosine: point.cosine,
  bm25: point.bm25,
  previous: [],
  next: [],
})

interface Threads {
  before(id: string): readonly ChunkId[]
  after(id: string): readonly ChunkId[]
}

/** The order of the conversations that these chunks stand in. */
async function readThreads(
  points: Points,
  namespace: Namespace,
  chunks: readonly PlacedChunk[],
): Promise<Threads> {
  const names = [...new Set(chunks.map(({ thread }) => thread).filter((thread) => thread !== null))]
  const places = new Map<string, { line: ChunkId[]; at: number }>()
  if (names.length > 0) {
    const { must } = inPersonas(namespace, [...new Set(chunks.map(({ persona }) => persona))])
    const filter = { must: [...must, { key: 'thread', match: { any: names } }] }
    const members = await points.fields(filter, ['id', 'thread', 'persona', 'order'])
    const lines = new Map<string, { id: string; order: number }[]>()
    for (const { id, thread, persona, order } of members) {
      const line = JSON.stringify([thread, persona])
      lines.set(line, [...(lines.get(line) ?? []), { id: String(id), order: Number(order) }])
    }
    for (const members of lines.values()) {
      const line = members.sort((a, b) => a.order - b.order).map(({ id }) => asChunkId(id))
      line.forEach((id, at) => {
        places.set(id, { line, at })
      })
    }
  }
  const slice = (id: string, take: (line: ChunkId[], at: number) => ChunkId[]) => {
    const place = places.get(id)
    return place === undefined ? [] : take(place.line, place.at)
  }
  return {
    before: (id) => slice(id, (line, at) => line.slice(Math.max(0, at - chunksBefore), at).reverse()),
    after: (id) => slice(id, (line, at) => line.slice(at + 1, at + 1 + chunksAfter)),
  }
}
