import { dot, type Vector } from '../../../core/vectors.ts'
import type { EngineContext } from '../engine/context.ts'
import { createBest } from '../vector-scan/best.ts'
import { vectorOf } from './index/entries.ts'
import type { LexicalScores } from './index/postings.ts'
import type { SearchIndex } from './index/search-index.ts'

/** Cosines of the stored 32-bit vectors with the question, by place in the index, in order; each vector is read once. */
export type ExactCosines = (places: readonly number[]) => Float64Array

/** Many vectors in one piece: a value of its own for each would take longer than reading them. Bytes stay as they are. */
const joinedVectors = `SELECT CAST(group_concat(v.vector, '') AS BLOB) AS vectors
FROM json_each(?) j CROSS JOIN memory_vector v ON v.seq = j.value`

/** Cosines of what has these row numbers with the question, in their order. */
export function cosinesAt(
  { prepare }: EngineContext,
  seqs: readonly number[],
  question: Vector,
): Float64Array {
  if (seqs.length === 0) return new Float64Array()
  const { length } = question
  const vectors = vectorOf(prepare(joinedVectors).get(JSON.stringify(seqs))?.vectors)
  if (vectors.length !== seqs.length * length) throw new Error('The search index and the store do not agree.')
  return Float64Array.from(seqs, (_, at) => dot(question, vectors.subarray(at * length, (at + 1) * length)))
}

export function exactCosines(context: EngineContext, index: SearchIndex, question: Vector): ExactCosines {
  const known = new Map<number, number>()
  return (places) => {
    const unknown = places.filter((place) => !known.has(place))
    const seqs = unknown.map((place) => index.seqAt(place))
    const read = cosinesAt(context, seqs, question)
    unknown.forEach((place, at) => {
      known.set(place, read[at] ?? 0)
    })
    return Float64Array.from(places, (place) => known.get(place) ?? 0)
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
