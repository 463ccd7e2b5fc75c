import { analyze } from '../../core/analyze.ts'

/** A bracket that holds nothing but numbers, separators and the words that go with them. */
const bracket = /\s*[[［【〔]\s*((?:(?:facts?|no\.?|and|to|nos?\.?|[\p{N}\s,;.:#^&–—−-])*))[\]］】〕]/giu

/**
 * The answer with citations of existing facts only, each as `[n]`: lists and ranges are written out, numbers outside
 * 1..`count` disappear, whatever digits they are written in.
 */
export function keepValidCitations(answer: string, count: number): string {
  let before = answer
  for (;;) {
    const after = before.replace(bracket, (match, inside: string) => {
      const space = /^\s/.test(match) ? ' ' : ''
      const cited = numbersIn(inside, count)
      return cited.length === 0 ? '' : `${space}${cited.map((number) => `[${number}]`).join('')}`
    })
    // Removing an inner bracket can make a new one out of what surrounded it.
    if (after === before) return after.trim()
    before = after
  }
}

function numbersIn(text: string, count: number): number[] {
  const plain = text.normalize('NFKC').replace(/\s*(?:[–—−-]|\bto\b)\s*/giu, '-')
  const numbers = plain.split(/[^\d-]+/).flatMap((part) => {
    const [from = 0, to = from] = part.split('-').filter(Boolean).map(Number)
    return Array.from({ length: Math.min(count, to) - from + 1 }, (_, index) => from + index)
  })
  return [...new Set(numbers)].filter((number) => Number.isInteger(number) && number >= 1 && number <= count)
}

/** The sentence with the number of the fact it draws on most, when it has none; unchanged when it draws on none. */
export function citeUncited(sentence: string, facts: readonly string[]): string {
  if (/\[\d+\]/.test(sentence)) return sentence
  const terms = new Set(analyze(sentence))
  const shared = facts.map((fact) => analyze(fact).filter((term) => terms.has(term)).length)
  const best = shared.indexOf(Math.max(...shared))
  if ((shared[best] ?? 0) === 0) return sentence
  return sentence.replace(/(\s*[.!?]*\s*)$/u, (end) => ` [${best + 1}]${end}`)
}
