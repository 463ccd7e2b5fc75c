import { readIsoDate, readTime } from './calendar.ts'
import { readNumber } from './numbers.ts'

/** What a text consists of: words and marks in order, and the signs that are no part of them. */
export interface Tokens {
  /** Lower-case words, with a `,` or a `.` where the text pauses. */
  readonly words: readonly string[]
  readonly emoji: readonly string[]
  readonly questions: number
}

/** Where a text pauses. Marks never decide what a text says; they say where an aside ends and which words are a list. */
export const isMark = (word: string | undefined): boolean => word === ',' || word === '.'

/** No part overlaps another, so that one pass reads any text. */
const tokenPattern = new RegExp(
  [
    String.raw`(?<address>[^\s@]+@[^\s@]+\.[\p{L}\d]+|https?://[^\s]+)`,
    String.raw`(?<iso>\d{4}-\d{2}-\d{2})(?!\d)`,
    String.raw`(?<time>\d{1,2}:\d{2}(?!\d)(?:\s?[ap]\.?m\b\.?)?|\d{1,2}(?:\.\d{2})?\s?[ap]\.?m\b\.?)`,
    String.raw`(?<measure>(?<![$€£¥\d.,])\d+(?:[.,]\d+)*(?:x|[kcm]?m|[km]?g|[mc]?l|lbs?|ft|h|hrs?|mins?|[gmt]b|usd|eur|gbp|chf))(?![\p{L}\p{M}\d])`,
    String.raw`(?<number>\d+(?:[.,]\d+)*(?:(?:st|nd|rd|th|k|bn|(?<=[$€£¥][\d.,]+)m)(?![\p{L}\p{M}\d]))?)(?![\p{L}\p{M}\d]|[.,]\d)`,
    String.raw`(?<short>(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|mon|tues?|wed|thu|thurs?|fri|dr|mrs?|ms|prof|st|no(?=\.\s*\d)|approx|[a-z])\.)`,
    String.raw`(?<word>[\p{L}\p{M}\p{N}]+(?:'[\p{L}\p{M}]+)*(?:(?<=s)'(?=\s\p{L}))?[+#]{0,2})`,
    String.raw`(?<emoji>\p{Extended_Pictographic})`,
    String.raw`(?<symbol>[<>=$€£¥%?&°]|(?<![^\s(])[-+](?=\d))`,
    '(?<stop>[.!。！]+)',
    String.raw`(?<range>(?<=(?<!\d)(?:\d{1,2}|\d{4}))[–-](?=(?:\d{1,2}|\d{4})(?!\d)))`,
    String.raw`(?<pause>[,;:()—–…]|(?<=\s)-(?=\s))`,
  ].join('|'),
  'giu',
)

const symbols: Readonly<Record<string, string>> = {
  $: 'dollar',
  '€': 'euro',
  '£': 'pound',
  '¥': 'yen',
  '°': 'degrees',
  '&': 'and',
}

/** Faces made of punctuation, standing alone. */
const emoticons = /(?<!\S)(?:[:;]['-]?[)(dpo*/\\|]+|xd+|<3+|\^\^)(?!\S)/giu

/** Words that are English and no word of a neighbouring language; most sentences have one. */
const english =
  /^i\b|(?<![\p{L}'])(?:I|We|You|He|She|They|It's|[Mm]y|[Oo]ur|[Tt]he|[Aa]nd|are|have|with|from)(?!\p{L})/u

/**
 * One way to write characters, digits in groups and apostrophes. Accents are spelling in an English sentence (café, cafe);
 * in others they may make another word (Tochter, Töchter), and stay.
 */
export function plainText(text: string): string {
  const plain = text
    .normalize('NFKC')
    .replace(/[‘’ʼ]/g, "'")
    .replace(/[\uFE0E\uFE0F\u200D]/g, '')
    .replace(/\s+/g, ' ')
    .replace(emoticons, ' ')
    .replace(/([aeghlmnorsuy])\1{2,}/g, '$1')
    .replace(groupedDigits, (digits) => digits.replace(/[^\d+]/g, ''))
  if (!/[\u00C0-\u024F]/.test(plain) || !english.test(plain)) return plain
  return plain
    .normalize('NFD')
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, '')
    .normalize('NFC')
}

/** Telephone numbers and thousands, however they are divided. */
const groupedDigits =
  /(?<![\d.,/-])(?:(?:\+\d|0)\d[\d ()-]{5,30}\d|\(?\d{3}\)?[ -]\d{3}[ -]\d{4}|\d{1,3}(?: \d{3}){1,4})(?![\d/]|[.,:-]\d)/g

/** Reads a plain text in one pass. */
export function readTokens(plain: string): Tokens {
  const words: string[] = []
  const emoji: string[] = []
  let questions = 0
  for (const { groups = {} } of plain.matchAll(tokenPattern)) {
    if (groups.emoji !== undefined) emoji.push(groups.emoji)
    else if (groups.symbol === '?') {
      questions++
      words.push('.')
    } else words.push(...tokenWords(groups))
  }
  return { words, emoji, questions }
}

function tokenWords(groups: Readonly<Record<string, string | undefined>>): readonly string[] {
  const { address, iso, time, number, measure, short, word, symbol, range, stop } = groups
  if (address !== undefined) return [address.toLowerCase().replace(/[.,;:!?)]+$/, '')]
  if (iso !== undefined) return readIsoDate(iso) ?? [iso]
  if (time !== undefined) return [readTime(time.toLowerCase()) ?? time]
  if (number !== undefined) return [readNumber(number.toLowerCase()) ?? number]
  if (measure !== undefined) return splitMeasure(measure.toLowerCase())
  if (short !== undefined) return [/^no\.$/i.test(short) ? 'number' : short.slice(0, -1).toLowerCase()]
  if (word !== undefined) return [word.toLowerCase()]
  if (symbol !== undefined) return [symbols[symbol] ?? symbol]
  if (range !== undefined) return ['to']
  return [stop === undefined ? ',' : '.']
}

function splitMeasure(measure: string): readonly string[] {
  const [, amount = '', unit = ''] = /^([\d.,]+)(.*)$/.exec(measure) ?? []
  return [readNumber(amount) ?? amount, unit === 'x' ? 'times' : unit]
}
