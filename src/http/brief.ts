import { estimateTokens } from '../core/tokens.ts'
import type { RetrievedFact } from '../memory/memory.ts'
import { contextString } from '../memory/retrieve/context.ts'

type Found = Pick<RetrievedFact, 'fact' | 'score' | 'sourceType' | 'until' | 'changedAt' | 'rank'>

/** The best of what was found that fits into so many tokens, best first: long texts shortened, repetitions left out. */
export function withinTokens<Fact extends Found>(
  facts: readonly Fact[],
  { maxTokens, maxCharacters }: { maxTokens: number; maxCharacters: number },
): readonly Fact[] {
  const fitting: Fact[] = []
  let left = maxTokens
  for (const found of facts.toSorted((a, b) => a.rank - b.rank)) {
    const short = { ...found, fact: shortened(found.fact, maxCharacters) }
    if (fitting.some(({ fact }) => fact.includes(short.fact))) continue
    left -= estimateTokens(`${contextString([short])}\n`)
    if (left < 0) break
    fitting.push(short)
  }
  return fitting
}

/** At most so many characters, on one line. */
export function shortened(text: string, maxCharacters: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= maxCharacters ? line : `${line.slice(0, maxCharacters - 1).toWellFormed()}…`
}
