import type { Candidate } from './candidate.ts'

/** Results below this are left out unless the caller sets a floor of its own: the specification's `v_floor`. */
export const scoreFloor = 0.2

/** A repetition stays above the floor and below nearly everything that says something else. */
const repeatShare = 0.05

/**
 * A fact and the text it was read from say the same: the better of them keeps its score, the others are kept for
 * when there is room. Measured on 2Wiki: without this, facts take the places of further texts.
 */
export function lowerRepeats(candidates: readonly Candidate[]): readonly Candidate[] {
  const told = new Set<string>()
  const ranked = candidates.toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
  return ranked.map((candidate) => {
    const text = candidate.chunk?.id ?? candidate.fact?.chunkId ?? null
    if (text === null || candidate.superseded) return candidate
    if (!told.has(text)) {
      told.add(text)
      return candidate
    }
    const score = Math.min(candidate.score, scoreFloor + repeatShare * candidate.score)
    return { ...candidate, itemId: null, score }
  })
}
