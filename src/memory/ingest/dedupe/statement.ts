import { mergeDates, mergeNumberWords, readIsoDate, readNumber, readTime } from './numbers.ts'
import {
  afterVerbalS,
  caseSensitive,
  closings,
  contractions,
  fillers,
  floating,
  interjections,
  openings,
  sameForm,
  spellings,
  synonyms,
  verbalHosts,
} from './words.ts'

/** A text reduced to what it states: two texts with equal statements say the same. */
export interface Statement {
  /** Words in one spelling, in order, without those that add nothing. */
  readonly words: readonly string[]
  /** Adverbs whose place is free, sorted. */
  readonly floating: readonly string[]
  readonly questions: number
  readonly emoji: readonly string[]
  /** Words that are names because of their capital (Turkey); null where the text has no case to go by. */
  readonly names: readonly string[] | null
  /** Words that stand somewhere with a capital: a name may not be taken for a misspelling. */
  readonly capitalised: ReadonlySet<string>
}

/** No part overlaps another, so that one pass reads any text. */
const tokenPattern = new RegExp(
  [
    String.raw`(?<address>[^\s@]+@[^\s@]+\.[\p{L}\d]+|https?://[^\s]+)`,
    String.raw`(?<iso>\d{4}-\d{2}-\d{2})(?!\d)`,
    String.raw`(?<time>\d{1,2}:\d{2}(?!\d)(?:\s?[ap]\.?m\b\.?)?|\d{1,2}(?:\.\d{2})?\s?[ap]\.?m\b\.?)`,
    String.raw`(?<number>\d+(?:[.,]\d+)*(?:(?:st|nd|rd|th|k|m|bn)(?![\p{L}\p{M}\d]))?)(?![\p{L}\p{M}\d])`,
    String.raw`(?<measure>\d+(?:\.\d+)?(?:km|kg|cm|mm|mg|ml|lbs?|hrs?|mins?|gb|mb|tb|usd|eur|gbp))(?![\p{L}\p{M}\d])`,
    String.raw`(?<word>[\p{L}\p{M}\p{N}]+(?:'[\p{L}\p{M}]+)*[+#]{0,2})`,
    String.raw`(?<emoji>\p{Extended_Pictographic})`,
    String.raw`(?<symbol>[<>=$€£¥%?&]|(?<![^\s(])[-+](?=\d))`,
  ].join('|'),
  'giu',
)

const currencies: Readonly<Record<string, string>> = { $: 'dollar', '€': 'euro', '£': 'pound', '¥': 'yen' }

interface Reading {
  readonly words: string[]
  readonly emoji: string[]
  questions: number
}

/** Reads a text. Any text gives a statement; one without words gives an empty one. */
export function readStatement(text: string): Statement {
  const plain = text
    .normalize('NFKC')
    .replace(/[‘’ʼ]/g, "'")
    .replace(/[\uFE0E\uFE0F\u200D]/g, '')
    .replace(/\s+/g, ' ')
  const reading = readTokens(plain)
  const expanded = reading.words.flatMap((word, at) => expand(word, reading.words[at + 1]))
  const dated = mergeDates(mergeNumberWords(expanded).map((word) => calendar(word)))
  const words = rephrase(unifyPossession(dropClosing(dropOpening(dated))))
  return {
    words: words.filter((word) => !floating.has(word)),
    floating: words.filter((word) => floating.has(word)).toSorted(),
    questions: reading.questions,
    emoji: reading.emoji.toSorted(),
    names: namesByCase(plain),
    capitalised: capitalisedWords(plain),
  }
}

function readTokens(text: string): Reading {
  const reading: Reading = { words: [], emoji: [], questions: 0 }
  for (const { groups = {} } of text.matchAll(tokenPattern)) {
    const { emoji, symbol } = groups
    if (emoji !== undefined) reading.emoji.push(emoji)
    else if (symbol === '?') reading.questions++
    else reading.words.push(...tokenWords(groups))
  }
  return reading
}

function tokenWords(groups: Readonly<Record<string, string | undefined>>): readonly string[] {
  const { address, iso, time, number, measure, word, symbol } = groups
  if (address !== undefined) return [address.toLowerCase().replace(/[.,;:!?)]+$/, '')]
  if (iso !== undefined) return readIsoDate(iso) ?? [iso]
  if (time !== undefined) return [readTime(time.toLowerCase()) ?? time]
  if (number !== undefined) return [readNumber(number.toLowerCase()) ?? number]
  if (measure !== undefined) return splitMeasure(measure.toLowerCase())
  if (word !== undefined) return [word.toLowerCase()]
  if (symbol === undefined || symbol === '&') return []
  return [currencies[symbol] ?? symbol]
}

function splitMeasure(measure: string): readonly string[] {
  const [, amount = '', unit = ''] = /^([\d.]+)(.*)$/.exec(measure) ?? []
  return [readNumber(amount) ?? amount, unit]
}

/** Contractions written out. `'s` is the verb after a pronoun or before an article, and a possessive otherwise. */
function expand(word: string, next: string | undefined): readonly string[] {
  const known = contractions.get(word)
  if (known !== undefined) return known
  if (word.endsWith("'d")) return [word.slice(0, -2), 'would']
  if (!word.endsWith("'s")) return [word.replaceAll("'", '')]
  const host = word.slice(0, -2)
  const isVerb = verbalHosts.has(host) || (next !== undefined && afterVerbalS.has(next))
  return isVerb ? [host, next === 'been' || next === 'got' ? 'has' : 'is'] : [host]
}

/** Short names of days and months, before dates are read. */
function calendar(word: string): string {
  const full = synonyms.get(word)
  return full !== undefined && /day$|ber$|ary$|^april$|^ju(?:ne|ly)$|^august$/.test(full) ? full : word
}

function dropOpening(words: readonly string[]): readonly string[] {
  let rest = words
  for (;;) {
    const opening = openings.find((phrase) => phrase.every((word, at) => rest[at] === word))
    const first = rest[0]
    const length = opening?.length ?? (first !== undefined && interjections.has(first) ? 1 : 0)
    if (length === 0 || length >= rest.length) return rest
    rest = rest.slice(length)
    if (opening !== undefined && rest[0] === 'that') rest = rest.slice(1)
  }
}

function dropClosing(words: readonly string[]): readonly string[] {
  const closing = closings.find((phrase) =>
    phrase.every((word, at) => words[words.length - phrase.length + at] === word),
  )
  return closing === undefined || closing.length >= words.length
    ? words
    : dropClosing(words.slice(0, -closing.length))
}

const owners = new Set(['my', 'your', 'his', 'her', 'our', 'their', 'the'])
const forms = new Set(['is', 'are', 'was', 'were', 'am'])

/** "the name of my dog is" reads as "my dog name is", which is how "my dog's name is" reads. */
function unifyPossession(words: readonly string[]): readonly string[] {
  const at = words.indexOf('of')
  if (at < 2 || words[at - 2] !== 'the') return words
  const owner = owners.has(words[at + 1] ?? '') ? 1 : 0
  const end = at + 2 + owner
  const follows = words[end]
  if (words[end - 1] === undefined || (follows !== undefined && !forms.has(follows))) return words
  return [...words.slice(0, at - 2), ...words.slice(at + 1, end), words[at - 1] ?? '', ...words.slice(end)]
}

const timeToken = /^(?:date:|t\d+$|(?:mon|tues|wednes|thurs|fri|satur|sun)days?$)/

/** Every word in its common form, without fillers; "going to" is "will", "have got" is "have". */
function rephrase(words: readonly string[]): string[] {
  const common = words.map((word) => commonForm(word))
  const result: string[] = []
  for (let at = 0; at < common.length; at++) {
    const word = common[at] ?? ''
    const next = common[at + 1] === 'the' ? common[at + 2] : common[at + 1]
    if (word === 'a' && (next === 'few' || next === 'little')) result.push(word)
    if (fillers.has(words[at] ?? '') || fillers.has(word)) continue
    if (isAge(common, at)) continue
    if (word === 'named' && !namers.has(result.at(-1) ?? '')) {
      result.push('called')
      continue
    }
    if ((word === 'on' || word === 'in') && next !== undefined && timeToken.test(next)) continue
    if (word === 'too' && next === undefined) continue
    if (word === 'got' && result.at(-1) === 'have') continue
    if (word === 'going' && next === 'to' && result.at(-1) === 'be') {
      result[result.length - 1] = 'will'
      at++
    } else result.push(word)
  }
  return moveCurrency(result)
}

/** Behind these, "named" is what somebody did; elsewhere, "a dog named Rex", it is "called". */
const namers: ReadonlySet<string> = new Set([
  'i',
  'you',
  'he',
  'she',
  'it',
  'we',
  'they',
  'who',
  'have',
  'had',
])

/** "30 years old" is "30". */
function isAge(words: readonly string[], at: number): boolean {
  const years = words[at] === 'old' ? at - 1 : at
  return words[years] === 'years' && words[years + 1] === 'old' && /^\d/.test(words[years - 1] ?? '')
}

const money = new Set(Object.values(currencies))

/** The sign stands before the amount, the word behind it. */
function moveCurrency(words: string[]): string[] {
  for (let at = 0; at + 1 < words.length; at++) {
    const [sign, amount] = [words[at] ?? '', words[at + 1] ?? '']
    if (!money.has(sign) || !/^\d/.test(amount) || /^\d/.test(words[at - 1] ?? '')) continue
    words[at] = amount
    words[at + 1] = sign
  }
  return words
}

/** Most words are spelled in one way; one look tells. */
const anySpelling = new RegExp(spellings.map(([from]) => from.source).join('|'))

function commonForm(word: string): string {
  const spelled = anySpelling.test(word)
    ? spellings.reduce((form, [from, to]) => form.replace(from, to), word)
    : word
  const meant = synonyms.get(spelled) ?? spelled
  return sameForm.get(meant) ?? meant
}

/** Months beside a day: those are no names, however they are written. */
const datedMonth = /\b(?:May|March|August) (?=\d)|(?<=\d(?:st|nd|rd|th)?(?: of)?) (?:May|March|August)\b/g

/** Words that are a name with a capital and another word without it; null when the text is all in one case. */
function namesByCase(text: string): readonly string[] | null {
  if (!/\p{Lu}/u.test(text) || !/\p{Ll}/u.test(text)) return null
  const words = text.replace(datedMonth, '').match(/[\p{L}\p{M}]+/gu) ?? []
  return words.slice(1).filter((word) => /^\p{Lu}/u.test(word) && caseSensitive.has(word.toLowerCase()))
}

function capitalisedWords(text: string): ReadonlySet<string> {
  const words = text.match(/\p{Lu}[\p{L}\p{M}]*/gu) ?? []
  return new Set(words.map((word) => word.toLowerCase()))
}
