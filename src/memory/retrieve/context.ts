import type { RetrievedFact } from '../memory.ts'

/** Everything that some reader takes for the end of a line, and the other control characters. */
const lineBreaks = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g

/** The memory text for a prompt: one line per fact, in the order given. A stored text cannot forge a line. */
export function contextString(
  facts: readonly Pick<RetrievedFact, 'fact' | 'score' | 'sourceType'>[],
): string {
  return facts.map(contextLine).join('\n')
}

function contextLine({
  fact,
  score,
  sourceType,
}: Pick<RetrievedFact, 'fact' | 'score' | 'sourceType'>): string {
  return `- ${fact.replace(lineBreaks, ' ')} (score: ${score.toFixed(2)}, via: ${sourceType})`
}
