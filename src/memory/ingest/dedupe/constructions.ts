import { copulas, owners, owningRules, possessives, type Rule } from './owning.ts'
import { isMark } from './tokens.ts'
import { timeWord } from './words.ts'

const moneySigns: ReadonlySet<string> = new Set(['dollar', 'euro', 'pound', 'yen'])

/** The sign stands before the amount, the word behind it. */
const currency: Rule = (written) => {
  const words = [...written]
  for (let at = 0; at + 1 < words.length; at++) {
    const [sign, amount] = [words[at] ?? '', words[at + 1] ?? '']
    if (!moneySigns.has(sign) || !/^\d/.test(amount) || /^\d/.test(words[at - 1] ?? '')) continue
    words[at] = amount
    words[at + 1] = sign
  }
  return words
}

const joints: ReadonlySet<string> = new Set(['to', 'until', 'till', 'through', 'and'])
const isPoint = (word: string | undefined) => word !== undefined && (/^\d/.test(word) || timeWord.test(word))
const isWeekday = (word: string | undefined) => /day$/.test(word ?? '') && timeWord.test(word ?? '')

/** "from 9 until 5" and "between 9 and 5" are "9 to 5". */
const spans: Rule = (words) => {
  const at = words.findIndex(
    (word, index) =>
      (word === 'from' || word === 'between') &&
      isPoint(words[index + 1]) &&
      joints.has(words[index + 2] ?? '') &&
      isPoint(words[index + 3]),
  )
  const joined = at < 0 ? words : [...words.slice(0, at), words[at + 1] ?? '', 'to', ...words.slice(at + 3)]
  return joined.flatMap((word, index) => {
    if (word === 'through' && isPoint(joined[index - 1]) && isPoint(joined[index + 1])) return ['to']
    return isWeekday(word) && isWeekday(joined[index + 1]) ? [word, 'to'] : [word]
  })
}

/** "not working any more" is "no longer working"; "is not working" is "not is working", as "does not work" is "not work". */
const negations: Rule = (words) => {
  const [not, anymore] = [words.indexOf('not'), words.indexOf('anymore')]
  const ended = not >= 0 && not < anymore ? words.with(not, 'nolonger').toSpliced(anymore, 1) : words
  const at = ended.findIndex(
    (word, index) => word === 'be' && ended[index + 1] === 'not' && /ing$/.test(ended[index + 2] ?? ''),
  )
  return at < 0 ? ended : ended.with(at, 'not').with(at + 1, 'be')
}

const rates: ReadonlySet<string> = new Set(['a', 'an', 'per', 'every'])
const units: ReadonlySet<string> = new Set(['hour', 'day', 'week', 'month', 'year'])

/** "twice a week" is one adverb, and may stand anywhere in its clause. */
const frequencies: Rule = (words) => {
  const at = words.findIndex(
    (word, index) =>
      word === 'times' &&
      /^\d+$/.test(words[index - 1] ?? '') &&
      rates.has(words[index + 1] ?? '') &&
      units.has(words[index + 2] ?? ''),
  )
  return at < 0 ? words : words.toSpliced(at - 1, 4, `${words[at - 1]}/${words[at + 2]}`)
}

const onlySubjects: ReadonlySet<string> = new Set([
  'i',
  'you',
  'he',
  'she',
  'we',
  'they',
  'can',
  'will',
  'could',
])

/** "I only eat fish" is "I eat only fish"; "only I eat fish" is not. */
const only: Rule = (words) => {
  const at = words.indexOf('only')
  const [subject = '', verb = ''] = [words[at - 1], words[at + 1]]
  if (at < 1 || !onlySubjects.has(subject) || copulas.has(verb) || isMark(verb)) return words
  return [...words.slice(0, at), verb, 'only', ...words.slice(at + 2)]
}

const giving: ReadonlySet<string> = new Set(
  'give gives gave given send sends sent lend lent show showed teach taught sell sold bring brought offer offered'.split(
    ' ',
  ),
)

/** "I gave the book to Ann" is "I gave Ann the book". */
const receiver: Rule = (words) => {
  const verb = words.findIndex((word) => giving.has(word))
  const end = words.findIndex((word, at) => at > verb && isMark(word))
  const last = (end < 0 ? words.length : end) - 1
  const to =
    words[last - 1] === 'to'
      ? last - 1
      : words[last - 2] === 'to' && possessives.has(words[last - 1] ?? '')
        ? last - 2
        : -1
  if (verb < 0 || to < verb + 2) return words
  return [
    ...words.slice(0, verb + 1),
    ...words.slice(to + 1, last + 1),
    ...words.slice(verb + 1, to),
    ...words.slice(last + 1),
  ]
}

const opinions: ReadonlySet<string> = new Set(['think', 'guess', 'suppose', 'believe', 'hope'])

/** "it is safe, I think" is "I think it is safe". */
const opinionLast: Rule = (words) => {
  const end = words.findLastIndex((word) => !isMark(word)) + 1
  const isOpinion = end > 3 && words[end - 2] === 'i' && opinions.has(words[end - 1] ?? '')
  return isOpinion ? [...words.slice(end - 2, end), ...words.slice(0, end - 2)] : words
}

/** "there are four rooms in our house" is "our house has four rooms". */
const thereIs: Rule = (words) => {
  const at = words.findLastIndex((word, index) => word === 'in' && owners.has(words[index + 1] ?? ''))
  const end = isMark(words.at(-1)) ? words.length - 1 : words.length
  if (words[0] !== 'there' || words[1] !== 'be' || at < 3 || end - at !== 3) return words
  return [...words.slice(at + 1, end), 'have', ...words.slice(2, at)]
}

const rules: readonly Rule[] = [
  opinionLast,
  thereIs,
  receiver,
  ...owningRules,
  currency,
  only,
  frequencies,
  spans,
  negations,
]

/** The text in one of the constructions that say the same; every rule turns one of them into the other. */
export function unifyConstructions(words: readonly string[]): readonly string[] {
  return rules.reduce((text, rule) => rule(text), words)
}
