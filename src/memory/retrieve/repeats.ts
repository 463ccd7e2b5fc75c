import { analyze } from '../../core/analyze.ts'
import type { FoundFact } from '../ports.ts'
import type { Candidate } from './candidate.ts'
import { byRank } from './merge.ts'

/** Results below this are left out unless the caller sets a floor of its own: the specification's `v_floor`. */
export const scoreFloor = 0.2

/** How far above the floor a repetition stands at most. */
const repeatRange = 0.02

/** What was listed of a text so far. */
interface Told {
  /** Words of the question that it spoke to. */
  readonly words: ReadonlySet<string>
  readonly hasDirect: boolean
}

/**
 * A text and the facts read from it say the same: the better of them keeps its score, the others stand just above the
 * floor, where they are returned when there is room. Without this, facts take the places of further texts. Two are no
 * repetition: the first fact that is directly relevant by itself, and one that speaks to a word of the question that
 * nothing before it does.
 */
export function lowerRepeats(
  candidates: readonly Candidate[],
  terms: readonly string[],
): readonly Candidate[] {
  const asked = new Set(terms)
  const told = new Map<string, Told>()
  const facts = Map.groupBy(candidates, ({ fact }) => fact?.chunkId ?? null)
  /** What the only fact of a text speaks to is compared with nothing. */
  const wordsOf = ({ chunkId, fact }: FoundFact): ReadonlySet<string> =>
    facts.get(chunkId)?.length === 1 ? new Set() : asked.intersection(new Set(analyze(fact)))
  return candidates.toSorted(byRank).map((candidate) => {
    const text = candidate.chunk?.id ?? candidate.fact?.chunkId ?? null
    if (text === null || candidate.superseded || candidate.shown.sourceType === 'working') return candidate
    const before = told.get(text)
    const words = candidate.fact === null ? asked : wordsOf(candidate.fact)
    const isNews = before === undefined || (candidate.fact !== null && !words.isSubsetOf(before.words))
    const isFirstDirect = candidate.isDirect && before?.hasDirect !== true
    told.set(text, {
      words: before === undefined ? words : words.union(before.words),
      hasDirect: candidate.isDirect || before?.hasDirect === true,
    })
    if (isNews || isFirstDirect) return candidate
    // Without its item it neither gives way once more nor counts against further pieces of the same text.
    return { ...candidate, itemId: null, score: repeatedScore(candidate.score) }
  })
}

function repeatedScore(score: number): number {
  return score < scoreFloor ? (score * repeatRange) / scoreFloor : scoreFloor + repeatRange * score
}
