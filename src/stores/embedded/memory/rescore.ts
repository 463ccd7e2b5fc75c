import { dot, type Vector } from '../../../core/vectors.ts'
import type { EngineContext } from '../engine/context.ts'
import { createBest } from '../vector-scan/best.ts'
import { vectorOf } from './index/indexes.ts'
import type { LexicalScores } from './index/postings.ts'
import type { SearchIndex } from './index/search-index.ts'

/** The cosine of the stored 32-bit vector at a place of the index with the question; each is read once. */
export function exactCosine(
  { prepare }: EngineContext,
  index: SearchIndex,
  question: Vector,
): (place: number) => number {
  const statement = prepare('SELECT vector FROM memory_vector WHERE seq = ?')
  const known = new Map<number, number>()
  return (place) => {
    const before = known.get(place)
    if (before !== undefined) return before
    const cosine = dot(question, vectorOf(statement.get(index.seqAt(place))?.vector))
    known.set(place, cosine)
    return cosine
  }
}

/** The places with the best word scores, at most `limit`, ties by id. */
export function bestWords(index: SearchIndex, { places, scoreAt }: LexicalScores, limit: number): number[] {
  const best = createBest(limit)
  for (const place of places) best.add(scoreAt(place))
  return [...places.filter((place) => scoreAt(place) >= best.floor)]
    .sort((a, b) => scoreAt(b) - scoreAt(a) || (index.idAt(a) < index.idAt(b) ? -1 : 1))
    .slice(0, limit)
}
