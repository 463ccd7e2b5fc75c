import { irregularNouns, irregularVerbs } from './irregular.ts'

const clitics: Readonly<Record<string, string>> = {
  "'m": 'be',
  "'re": 'be',
  m: 'be',
  "'ve": 'have',
  "'ll": 'will',
  "n't": 'not',
  nt: 'not',
  ca: 'can',
  wo: 'will',
  wan: 'want',
}

/** How common a word is: 0 for the most frequent, null for an unknown one. */
export type FrequencyRank = (word: string) => number | null

/** The dictionary form of a word by its Penn tag, in lower case: `moved/VBD` → `move`. */
export function lemmaOf(word: string, tag: string, rank: FrequencyRank): string {
  const lower = word.toLowerCase()
  if (!/^(?:VB|NN|MD|JJ|RB)/.test(tag)) return lower
  const clitic = clitics[lower]
  if (clitic) return clitic
  const verb = tag.startsWith('VB')
  if (/^['’]?s$/.test(lower) && verb) return 'be'
  if (lower === "'d") return tag === 'MD' ? 'would' : 'have'
  const special = verb ? irregularVerbs.get(lower) : irregularNouns.get(lower)
  if (special) return special
  if (tag === 'NNS' || tag === 'NNPS') return singular(lower)
  if (tag === 'VBZ') return withoutS(lower)
  if (tag === 'VBG' && /ing$/.test(lower) && lower.length > 4) return stem(lower.slice(0, -3), rank)
  if (verb && /ed$/.test(lower) && lower.length > 3) {
    return /ied$/.test(lower) && lower.length > 4 ? `${lower.slice(0, -3)}y` : stem(lower.slice(0, -2), rank)
  }
  return lower
}

/** The singular of a noun in lower case. */
export function singular(noun: string): string {
  const special = irregularNouns.get(noun)
  if (special) return special
  return /(?:ss|us|is)$/.test(noun) ? noun : withoutS(noun)
}

function withoutS(word: string): string {
  if (/ies$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:sses|shes|ches|xes|zzes|oes)$/.test(word) && word.length > 4) return word.slice(0, -2)
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word
}

/** Undoes what -ed and -ing do to a verb: of the possible lemmas (`mov`, `move`) the most common word. */
function stem(base: string, rank: FrequencyRank): string {
  // `staring`: a short verb that does not double its last letter ends in e.
  if (/^[^aeiou]*[aeiou][^aeiouwxy]$/.test(base) && rank(`${base}e`) !== null) return `${base}e`
  const doubled = /([bdgklmnprtvz])\1$/.test(base)
  const candidates = doubled ? [base.slice(0, -1), base] : [base, `${base}e`]
  const ranked = candidates.map((lemma) => ({ lemma, rank: rank(lemma) ?? Number.POSITIVE_INFINITY }))
  return ranked.reduce((a, b) => (b.rank < a.rank ? b : a)).lemma
}
