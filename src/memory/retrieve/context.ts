import { estimateTokens } from '../../core/tokens.ts'
import type { RetrievedFact } from '../memory.ts'

type Line = Pick<RetrievedFact, 'fact' | 'score' | 'sourceType' | 'until' | 'changedAt'>

/** Everything that some reader takes for the end of a line, and the other control characters. */
const lineBreaks = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g

/** The memory text for a prompt: one line per fact, in the order given. A stored text cannot forge a line. */
export function contextString(facts: readonly Line[]): string {
  return facts.map(contextLine).join('\n')
}

/**
 * The facts whose lines fit, best first. Filled in the order of rank: what does not fit is left out, and what is shorter may
 * still fit behind it.
 */
export function fitting<T extends Line>(ranked: readonly T[], maxTokens: number | null): readonly T[] {
  if (maxTokens === null) return ranked
  let left = maxTokens
  return ranked.filter((fact) => {
    // A line break comes with every line.
    const tokens = estimateTokens(`${contextLine(fact)}\n`)
    if (tokens > left) return false
    left -= tokens
    return true
  })
}

function contextLine({ fact, score, sourceType, until, changedAt }: Line): string {
  const day = (time: number) => new Date(time * 1_000).toISOString().slice(0, 10)
  const end =
    until !== null ? ` (until ${day(until)})` : changedAt !== null ? ` (changed ${day(changedAt)})` : ''
  return `- ${fact.replace(lineBreaks, ' ')}${end} (score: ${score.toFixed(2)}, via: ${sourceType})`
}

/**
 * The order for a prompt: the best first, the second best last, and so on towards the middle. Language models read
 * both ends of a long context better than its middle. What no longer holds never stands last where something else can, nor
 * does what something else in the list goes before, unless that is the only other. Takes the list best first; loses and adds nothing.
 */
export function longContextOrder<T extends Pick<RetrievedFact, 'superseded'>>(
  ranked: readonly T[],
  isBehind: (one: T) => boolean,
): readonly T[] {
  const front = ranked.filter((_, index) => index % 2 === 0)
  const back = ranked.filter((_, index) => index % 2 === 1)
  const ordered = [...front, ...back.toReversed()]
  const end = ordered.at(-1)
  if (end === undefined || !(end.superseded || isBehind(end))) return ordered
  const [first, second] = ranked.filter((one) => !one.superseded && !isBehind(one))
  const last = second ?? (end.superseded ? first : undefined)
  return last === undefined ? ordered : [...ordered.filter((one) => one !== last), last]
}
