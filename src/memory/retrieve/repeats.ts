import { analyze } from '../../core/analyze.ts'
import type { Candidate } from './candidate.ts'

/** Results below this are left out unless the caller sets a floor of its own: the specification's `v_floor`. */
export const scoreFloor = 0.2

/** How far above the floor a repetition stands at most. */
const repeatRange = 0.02

/**
 * A fact and the text it was read from say the same: the better of them keeps its score, the others stand just above
 * the floor, where they are returned when there is room. Without this, facts take the places of further texts. A
 * further fact of the text is no repetition when it speaks to a word of the question that those before it do not.
 */
export function lowerRepeats(
  candidates: readonly Candidate[],
  terms: readonly string[],
): readonly Candidate[] {
  const asked = new Set(terms)
  const told = new Map<string, Set<string>>()
  const ranked = candidates.toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
  return ranked.map((candidate) => {
    const text = candidate.chunk?.id ?? candidate.fact?.chunkId ?? null
    if (text === null || candidate.superseded) return candidate
    const spoken = told.get(text)
    const own = candidate.fact === null ? asked : spokenTo(asked, candidate.fact.fact)
    if (spoken === undefined) {
      told.set(text, own)
      return candidate
    }
    const isNews = candidate.fact !== null && own.difference(spoken).size > 0
    told.set(text, spoken.union(own))
    if (isNews) return candidate
    // Without its item it neither gives way once more nor counts against further pieces of the same text.
    return { ...candidate, itemId: null, score: repeatedScore(candidate.score) }
  })
}

function spokenTo(asked: ReadonlySet<string>, fact: string): Set<string> {
  return new Set(analyze(fact).filter((term) => asked.has(term)))
}

function repeatedScore(score: number): number {
  return score < scoreFloor ? (score * repeatRange) / scoreFloor : scoreFloor + repeatRange * score
}
