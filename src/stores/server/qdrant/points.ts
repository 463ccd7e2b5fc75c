import type { QdrantClient } from '@qdrant/js-client-rest'
import type { Namespace } from '../../../core/ids.ts'
import { dot, type Vector } from '../../../core/vectors.ts'
import { type CollectionKind, pointId, type Qdrant } from './connection.ts'
import type { Filter } from './filters.ts'
import { askWords, type Question, storedWeights, type Words, wordsOf } from './words.ts'

type Payload = Readonly<Record<string, unknown>>

/** A point to write: what is searched (vector, words) and the payload that comes back with it. */
export interface PointDraft {
  readonly id: string
  readonly persona: string
  readonly text: string
  readonly vector: Vector
  readonly payload: Payload
}

/** A point as found, with its exact scores. */
export interface FoundPoint {
  readonly id: string
  readonly payload: Payload
  readonly vector: Vector
  readonly words: Words
}

export interface ScoredPoint extends FoundPoint {
  readonly cosine: number
  readonly bm25: number
}

export interface PointMatches {
  readonly points: readonly ScoredPoint[]
  readonly question: Question
}

/** More than were asked for are fetched, so that ties at the end of the list are broken by id and not by chance. */
const spare = 16
const whole = { with_payload: true, with_vector: ['meaning'] }

/** Points of one kind: the vocabulary in which the stores above speak to Qdrant. */
export interface Points {
  save(namespace: Namespace, drafts: readonly PointDraft[]): Promise<void>
  nearest(filter: Filter, vector: Vector, limit: number): Promise<readonly ScoredPoint[]>
  /** The best by meaning and the best by words, each point once. */
  search(
    filter: Filter,
    query: {
      vector: Vector
      terms: readonly string[]
      nearest: number
      lexical: number
      /** Texts that count as searched and are not here. */
      beside?: readonly Words[]
    },
  ): Promise<PointMatches>
  get(namespace: Namespace, ids: readonly string[]): Promise<readonly FoundPoint[]>
  remove(namespace: Namespace, ids: readonly string[]): Promise<void>
}

/** In the collection of the index, or in another one. */
export function createPoints(
  qdrant: Qdrant,
  kind: CollectionKind,
  collectionOf: () => string = () => qdrant.collection(kind),
): Points {
  const call = <T>(work: (client: QdrantClient, collection: string) => Promise<T>) => {
    const collection = collectionOf()
    return qdrant.call((client) => work(client, collection))
  }

  async function byMeaning(filter: Filter, vector: Vector, limit: number): Promise<FoundPoint[]> {
    if (limit === 0) return []
    const request = {
      query: [...vector],
      using: 'meaning',
      filter,
      params: { exact: true },
      limit: limit + spare,
      ...whole,
    }
    return (await call((client, collection) => client.query(collection, request))).points.map(asFound)
  }

  async function byWords(filter: Filter, { vector }: Question, limit: number): Promise<FoundPoint[]> {
    if (vector === null || limit === 0) return []
    const request = {
      query: vector,
      using: 'words',
      filter,
      params: { exact: true },
      limit: limit * 2 + spare,
      ...whole,
    }
    return (await call((client, collection) => client.query(collection, request))).points.map(asFound)
  }

  return {
    async save(namespace, drafts) {
      if (drafts.length === 0) return
      const points = drafts.map((draft) => asPoint(namespace, draft))
      await call((client, collection) => client.upsert(collection, { wait: true, points }))
    },

    async nearest(filter, vector, limit) {
      const found = await byMeaning(filter, vector, limit)
      return best(
        found.map((point) => ({ ...point, cosine: dot(vector, point.vector), bm25: 0 })),
        'cosine',
        limit,
      )
    },

    async search(filter, { vector, terms, nearest, lexical, beside = [] }) {
      const [question, near] = await Promise.all([
        askWords(qdrant, kind, filter, terms, beside),
        byMeaning(filter, vector, nearest),
      ])
      const worded = await byWords(filter, question, lexical)
      const score = (point: FoundPoint): ScoredPoint => ({
        ...point,
        cosine: dot(vector, point.vector),
        bm25: question.score(point.words),
      })
      const chosen = [
        ...best(near.map(score), 'cosine', nearest),
        ...best(worded.map(score), 'bm25', lexical),
      ]
      return { points: [...new Map(chosen.map((point) => [point.id, point])).values()], question }
    },

    async get(namespace, ids) {
      if (ids.length === 0) return []
      const request = { ids: ids.map((id) => pointId(namespace, id)), ...whole }
      const found = (await call((client, collection) => client.retrieve(collection, request))).map(asFound)
      return found.filter(({ payload }) => payload.namespace === namespace)
    },

    async remove(namespace, ids) {
      if (ids.length === 0) return
      // Never by a filter on ids: Qdrant cannot read such an entry of its log again, and does not start after a crash.
      const points = ids.map((id) => pointId(namespace, id))
      await call((client, collection) => client.delete(collection, { wait: true, points }))
    },
  }
}

function best(points: readonly ScoredPoint[], by: 'cosine' | 'bm25', limit: number): ScoredPoint[] {
  return points
    .filter((point) => by === 'cosine' || point.bm25 > 0)
    .sort((a, b) => b[by] - a[by] || (a.id < b.id ? -1 : 1))
    .slice(0, limit)
}

function asPoint(namespace: Namespace, { id, persona, text, vector, payload }: PointDraft) {
  const words = wordsOf(text)
  return {
    id: pointId(namespace, id),
    vector: { meaning: [...vector], words: storedWeights(words) },
    payload: { ...payload, namespace, id, persona, ...words },
  }
}

interface RawPoint {
  readonly payload?: Payload | null | undefined
  readonly vector?: unknown
}

function asFound({ payload, vector }: RawPoint): FoundPoint {
  const meaning = typeof vector === 'object' && vector !== null && 'meaning' in vector ? vector.meaning : null
  if (!payload || !Array.isArray(meaning))
    throw new TypeError('Qdrant returned a point without payload or vector.')
  const { terms, frequencies, length } = payload as unknown as Words
  return {
    id: String(payload.id),
    payload,
    vector: Float32Array.from(meaning),
    words: { terms, frequencies, length },
  }
}
