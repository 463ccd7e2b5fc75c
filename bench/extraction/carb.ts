import { type Score, scoreOf } from './personal.ts'

/** An open fact: words of the sentence. The first argument is the subject. */
export interface OpenFact {
  readonly predicate: string
  readonly arguments: readonly string[]
  readonly confidence: number
}

export interface CarbSentence {
  readonly sentence: string
  readonly facts: OpenFact[]
}

const brackets: Readonly<Record<string, string>> = { '-LRB-': '(', '-RRB-': ')' }

function tidy(text: string): string {
  return text
    .replace(/-[LR]RB-/g, (bracket) => brackets[bracket] ?? bracket)
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
}

/** Reads CaRB's gold: sentence, predicate and arguments, separated by tabs. */
export function readCarbGold(content: string): CarbSentence[] {
  const sentences = new Map<string, CarbSentence>()
  for (const line of content.split('\n')) {
    const [sentence, predicate, ...rest] = line.split('\t')
    if (!sentence || predicate === undefined || rest.length === 0) continue
    const known = sentences.get(sentence) ?? { sentence, facts: [] }
    known.facts.push({ predicate: tidy(predicate), arguments: rest.map(tidy).filter(Boolean), confidence: 1 })
    sentences.set(sentence, known)
  }
  return [...sentences.values()]
}

const wordsOf = (text: string) => text.split(/\s+/).filter(Boolean)

/** How many of the gold's words are among the found ones, each used once. */
function shared(gold: readonly string[], found: readonly string[]): number {
  const rest = [...found]
  let count = 0
  for (const word of gold) {
    const at = rest.indexOf(word)
    if (at < 0) continue
    count++
    rest.splice(at, 1)
  }
  return count
}

const formsOfBe = ['be', 'is', 'am', 'are', 'was', 'were', 'been', 'being']

interface Match {
  readonly precision: number
  readonly recall: number
}

const noMatch: Match = { precision: 0, recall: 0 }

/** CaRB's lenient match: shared words of the predicate, of the subject, and of all other arguments together. */
function matchOnce(gold: OpenFact, found: OpenFact): Match {
  const goldPredicate = wordsOf(gold.predicate)
  const foundPredicate = wordsOf(found.predicate)
  let hits = shared(goldPredicate, foundPredicate)
  if (foundPredicate.includes('be') && !goldPredicate.includes('be')) {
    if (formsOfBe.some((form) => goldPredicate.includes(form))) hits++
  }
  if (hits === 0) return noMatch
  const goldParts = partsOf(gold)
  const foundParts = partsOf(found)
  let foundWords = foundPredicate.length
  let goldWords = goldPredicate.length
  for (const [index, part] of goldParts.entries()) {
    const words = wordsOf(part)
    goldWords += words.length
    const other = foundParts[index]
    if (other === undefined) return noMatch
    foundWords += wordsOf(other).length
    hits += shared(words, wordsOf(other))
  }
  return { precision: hits / Math.max(1, foundWords), recall: hits / Math.max(1, goldWords) }
}

function partsOf(fact: OpenFact): readonly string[] {
  const [subject, ...rest] = fact.arguments
  return subject !== undefined && rest.length > 0 ? [subject, rest.join(' ')] : fact.arguments
}

/** Sayings may be told from either side: `X said Y` and `Y said X`. */
function match(gold: OpenFact, found: OpenFact): Match {
  const straight = matchOnce(gold, found)
  if (!['said', 'told', 'added', 'adds', 'says'].some((verb) => gold.predicate.includes(verb)))
    return straight
  const [subject, rest] = partsOf(found)
  if (subject === undefined || rest === undefined) return straight
  const turned = matchOnce(gold, { ...found, arguments: [rest, subject] })
  const better =
    turned.precision > straight.precision ||
    (turned.precision === straight.precision && turned.recall > straight.recall)
  return better ? turned : straight
}

/** Precision: gold and found facts paired one to one, the best pairs first. */
function pairedPrecision(matches: readonly (readonly Match[])[], allowed: readonly number[]): number {
  const rows = new Set(matches.keys())
  const columns = new Set(allowed)
  let total = 0
  while (rows.size > 0 && columns.size > 0) {
    let best = { row: -1, column: -1, precision: -1 }
    for (const row of rows) {
      for (const column of columns) {
        const precision = matches[row]?.[column]?.precision ?? 0
        if (precision > best.precision) best = { row, column, precision }
      }
    }
    total += best.precision
    rows.delete(best.row)
    columns.delete(best.column)
  }
  return total
}

/** CaRB's score at the best threshold of confidence. `found` gives the facts of a sentence. */
export function scoreCarb(
  gold: readonly CarbSentence[],
  found: (sentence: string) => readonly OpenFact[],
): Score {
  const expected = gold.reduce((sum, { facts }) => sum + facts.length, 0)
  const sentences = gold.map(({ sentence, facts }) => {
    const open = found(sentence).map((fact) => ({
      ...fact,
      predicate: tidy(fact.predicate),
      arguments: fact.arguments.map(tidy),
    }))
    return { open, matches: facts.map((one) => open.map((other) => match(one, other))) }
  })
  const thresholds = [
    ...new Set(sentences.flatMap(({ open }) => open.map(({ confidence }) => confidence))),
  ].sort((a, b) => a - b)
  let best = scoreOf(0, 0)
  for (const threshold of thresholds) {
    let precision = 0
    let recall = 0
    let count = 0
    for (const { open, matches } of sentences) {
      const allowed = [...open.keys()].filter((index) => (open[index]?.confidence ?? 0) >= threshold)
      count += allowed.length
      precision += pairedPrecision(matches, allowed)
      for (const row of matches) recall += Math.max(0, ...allowed.map((index) => row[index]?.recall ?? 0))
    }
    const score = scoreOf(precision / Math.max(1, count), recall / Math.max(1, expected))
    if (score.f1 > best.f1) best = score
  }
  return best
}
