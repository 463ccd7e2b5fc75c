import type { Candidate } from './candidate.ts'
import { byRank } from './merge.ts'

/** Just enough to stand behind. */
const step = 1e-4

/** The list, best first, with every candidate behind the score that is named for its id. */
export function standBehind(
  ranked: readonly Candidate[],
  ahead: ReadonlyMap<string, number>,
): readonly Candidate[] {
  if (ahead.size === 0) return ranked.toSorted(byRank)
  return ranked
    .map((candidate) => {
      const score = Math.min(candidate.score, (ahead.get(candidate.id) ?? 2) - step)
      return score === candidate.score ? candidate : { ...candidate, score: Math.max(0, score) }
    })
    .toSorted(byRank)
}
