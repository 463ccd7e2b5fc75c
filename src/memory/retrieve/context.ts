import { estimateTokens } from '../../core/tokens.ts'
import type { RetrievedFact } from '../memory.ts'

type Line = Pick<RetrievedFact, 'fact' | 'score' | 'sourceType' | 'until'>

/** Everything that some reader takes for the end of a line, and the other control characters. */
const lineBreaks = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g

/** The memory text for a prompt: one line per fact, in the order given. A stored text cannot forge a line. */
export function contextString(facts: readonly Line[]): string {
  return facts.map(contextLine).join('\n')
}

/**
 * The facts whose lines fit, in the order for a prompt. Filled in the order of rank: what does not fit is left out, and
 * what is shorter may still fit behind it.
 */
export function fitting<T extends Line & Pick<RetrievedFact, 'rank' | 'superseded'>>(
  facts: readonly T[],
  maxTokens: number | null,
): readonly T[] {
  if (maxTokens === null) return facts
  let left = maxTokens
  const chosen = facts
    .toSorted((a, b) => a.rank - b.rank)
    .filter((fact) => {
      // A line break comes with every line.
      const tokens = estimateTokens(`${contextLine(fact)}\n`)
      if (tokens > left) return false
      left -= tokens
      return true
    })
  return longContextOrder(chosen)
}

function contextLine({ fact, score, sourceType, until }: Line): string {
  const end = until === null ? '' : ` (until ${new Date(until * 1_000).toISOString().slice(0, 10)})`
  return `- ${fact.replace(lineBreaks, ' ')}${end} (score: ${score.toFixed(2)}, via: ${sourceType})`
}

/**
 * The order for a prompt: the best first, the second best last, and so on towards the middle. Language models read
 * both ends of a long context better than its middle. What no longer holds never stands last where something else
 * can. Takes the list best first; loses and adds nothing.
 */
export function longContextOrder<T extends Pick<RetrievedFact, 'superseded'>>(
  ranked: readonly T[],
): readonly T[] {
  const front = ranked.filter((_, index) => index % 2 === 0)
  const back = ranked.filter((_, index) => index % 2 === 1)
  const ordered = [...front, ...back.toReversed()]
  const current = ranked.filter(({ superseded }) => !superseded)
  const last = current[1] ?? current[0]
  if (last === undefined || ordered.at(-1)?.superseded !== true) return ordered
  return [...ordered.filter((one) => one !== last), last]
}
