import { dot, type Vector } from '../../../core/vectors.ts'
import type { EngineContext } from '../engine/context.ts'
import { createBest } from '../vector-scan/best.ts'
import { vectorOf } from './index/indexes.ts'
import type { LexicalScores } from './index/postings.ts'
import type { SearchIndex } from './index/search-index.ts'

/** Cosines of the stored 32-bit vectors with the question, by place in the index; each vector is read once. */
export interface ExactCosines {
  at(place: number): number
  /** Of many places, in their order, with one statement. */
  of(places: readonly number[]): Float64Array
}

/** Many vectors in one piece: a value of its own for each would take longer than reading them. Bytes stay as they are. */
const joinedVectors = `SELECT CAST(group_concat(v.vector, '') AS BLOB) AS vectors
FROM json_each(?) j CROSS JOIN memory_vector v ON v.seq = j.value`

export function exactCosines({ prepare }: EngineContext, index: SearchIndex, question: Vector): ExactCosines {
  const one = prepare('SELECT vector FROM memory_vector WHERE seq = ?')
  const known = new Map<number, number>()
  const readAll = (places: readonly number[]) => {
    const seqs = places.map((place) => index.seqAt(place))
    const vectors = vectorOf(prepare(joinedVectors).get(JSON.stringify(seqs))?.vectors)
    const { length } = question
    if (vectors.length !== places.length * length) {
      throw new Error('The search index and the store do not agree.')
    }
    places.forEach((place, at) => {
      known.set(place, dot(question, vectors.subarray(at * length, (at + 1) * length)))
    })
  }
  const at = (place: number) => {
    const cosine = known.get(place) ?? dot(question, vectorOf(one.get(index.seqAt(place))?.vector))
    known.set(place, cosine)
    return cosine
  }
  return {
    at,
    of: (places) => {
      const unknown = places.filter((place) => !known.has(place))
      if (unknown.length > 0) readAll(unknown)
      return Float64Array.from(places, at)
    },
  }
}

/** The places with the best word scores, at most `limit`, ties by id. */
export function bestWords(index: SearchIndex, { places, scoreAt }: LexicalScores, limit: number): number[] {
  const best = createBest(limit)
  for (const place of places) best.add(scoreAt(place))
  const above: number[] = []
  const ties: number[] = []
  for (const place of places) {
    const score = scoreAt(place)
    if (score > best.floor) above.push(place)
    else if (score === best.floor) keepFirst(ties, place, limit, index)
  }
  above.sort((a, b) => scoreAt(b) - scoreAt(a) || (index.idAt(a) < index.idAt(b) ? -1 : 1))
  return [...above, ...ties].slice(0, limit)
}

/** Keeps the first places by id, in order: around a hub tens of thousands tie, and sorting them all would take long. */
function keepFirst(kept: number[], place: number, limit: number, index: SearchIndex): void {
  const id = index.idAt(place)
  if (kept.length === limit && id >= index.idAt(kept.at(-1) ?? place)) return
  const after = kept.findIndex((other) => index.idAt(other) > id)
  kept.splice(after === -1 ? kept.length : after, 0, place)
  if (kept.length > limit) kept.pop()
}
