/**
 * The order for a prompt: the best first, the second best last, and so on towards the middle. Language models read
 * both ends of a long context better than its middle. Takes the list best first; loses and adds nothing.
 */
export function longContextOrder<T>(ranked: readonly T[]): readonly T[] {
  const front = ranked.filter((_, index) => index % 2 === 0)
  const back = ranked.filter((_, index) => index % 2 === 1)
  return [...front, ...back.toReversed()]
}
