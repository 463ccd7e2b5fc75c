import { isOneWord } from './compounds.ts'

/** A word of a sentence; offsets into the text it was cut from. */
export interface Token {
  /** As the parser knows it: straight quotes, three dots. */
  readonly form: string
  readonly start: number
  readonly end: number
}

const clitics = /^(.+?)('(?:s|m|re|ve|ll|d))$/i
const negated =
  /^(do|does|did|is|are|was|were|has|have|had|ca|wo|could|would|should|must|need|might|ai|sha)(n't|nt)$/i
const wholeWord =
  /^(?:https?:\/\/|www\.)\S+$|^[\w.+-]+@[\w-]+\.[\w.-]+$|^[@#]\w+$|^(?:c\+\+|c#|f#|\.net|at&t|q&a|r&d|e-mail|t-shirt|x-ray|wi-fi)$/i
const emoticon = /^(?:[:;=8xX][-o^']?[()DPpO/\\|\][3*]+|<3|(?:\p{Extended_Pictographic}|\uFE0F|\u200D)+)$/u
const opening = /^(?:["'([{<`*~_]|\.{2,}|-{2,}|[—–]|[$£€#&+](?=[\d.]))/
const closing = /(?:\.{2,}|[!?]+|[,;:()[\]}"*~>%`_]|-{2,}|[—–])$/
const startsWithClitic = /^'(?:s|m|re|ve|ll|d|t|em|cause|til|bout)\b/i
const measured =
  /^(\d+(?:[.,:]\d+)*)(k|m|bn|mg|kg|km|cm|mm|ml|lbs?|am|pm|a\.m|p\.m|hrs?|mins?|ft|mph|gb|mb)$/i
const dotted = /^(?:\p{L}\.)+\p{L}$/u
const abbreviations = new Set(
  `mr mrs ms dr prof sr jr st vs etc e.g i.e no vol inc ltd co corp dept jan feb mar apr jun jul aug sep sept oct
  nov dec a.m p.m gen col lt sgt rev hon capt mt ave blvd`.split(/\s+/),
)
/** Marks that end a sentence are no part of a link or an address. */
const afterLink = /[.,;:!?)\]]+$/
/** Words longer than this are not looked into: they are links, keys or noise. */
const longestWord = 80

/** Quotes made straight without changing any offset. */
export function straightQuotes(text: string): string {
  return text.replace(/[\u2018\u2019\u02BC]/g, "'").replace(/[\u201C\u201D]/g, '"')
}

/** The words of one sentence, at most `limit`: clitics, hyphens and punctuation apart, as in the training data. */
export function tokenize(text: string, start: number, end: number, limit: number): Token[] {
  const tokens: Token[] = []
  const add = (form: string, at: number) =>
    tokens.push({ form: form === '…' ? '...' : form, start: at, end: at + form.length })
  for (const match of straightQuotes(text.slice(start, end)).matchAll(/\S+/g)) {
    if (tokens.length >= limit) break
    splitWord(match[0], start + match.index, add)
  }
  return tokens.slice(0, limit)
}

type Add = (form: string, at: number) => void

function splitWord(word: string, at: number, add: Add): void {
  if (word.length > longestWord || emoticon.test(word)) {
    add(word.slice(0, longestWord), at)
    return
  }
  let from = 0
  for (let match = opening.exec(word); match; match = opening.exec(word.slice(from))) {
    const rest = word.slice(from)
    if (startsWithClitic.test(rest) || rest.startsWith('<3') || /^#\w/.test(rest)) break
    add(match[0], at + from)
    from += match[0].length
  }
  let to = word.length
  const after: [string, number][] = []
  const trailing = wholeWord.test(word.slice(from)) ? afterLink.exec(word)?.[0].length : undefined
  if (trailing) {
    to -= trailing
    after.push([word.slice(to), at + to])
  }
  while (to > from && !wholeWord.test(word.slice(from, to))) {
    const cut = closingMark(word.slice(from, to))
    if (!cut) break
    to -= cut.length
    after.unshift([cut, at + to])
  }
  if (to > from) splitInner(word.slice(from, to), at + from, add)
  for (const [form, where] of after) add(form, where)
}

function closingMark(word: string): string | null {
  const mark = closing.exec(word)?.[0]
  if (mark && mark.length < word.length) return mark
  if (word.length > 1 && word.endsWith('.') && !keepsFullStop(word.slice(0, -1))) return '.'
  if (word.length > 1 && word.endsWith("'")) return "'"
  return null
}

function keepsFullStop(word: string): boolean {
  const lower = word.toLowerCase()
  return abbreviations.has(lower) || dotted.test(lower) || (/^\p{L}$/u.test(lower) && lower !== 'i')
}

function splitInner(word: string, at: number, add: Add): void {
  const parts = innerParts(word)
  let from = at
  for (const part of parts) {
    if (parts.length > 1 && part.length > 1 && part.length < word.length) splitInner(part, from, add)
    else add(part, from)
    from += part.length
  }
}

/** The first rule that fits says where a word is cut; one part means nowhere. */
function innerParts(word: string): readonly string[] {
  if (
    wholeWord.test(word) ||
    /^(?=.*\d)[\p{Lu}\d]+(?:-[\p{Lu}\d]+){2,}$/u.test(word) ||
    /^[\d.,:/]+$/.test(word) ||
    isOneWord(word)
  )
    return [word]
  const units = measured.exec(word) ?? negated.exec(word)
  if (units?.[1] && units[2]) return [units[1], units[2]]
  if (/^(?:cannot|gonna|wanna|gotta)$/i.test(word)) return [word.slice(0, 3), word.slice(3)]
  if (/^(?:im|ive)$/i.test(word)) return [word.slice(0, 1), word.slice(1)]
  const clitic = clitics.exec(word)
  if (clitic?.[1] && clitic[2]) return [clitic[1], clitic[2]]
  if (/[—–]|--|\.\.\./.test(word)) return word.split(/(—|–|--+|\.\.\.+)/).filter(Boolean)
  if (/^[\p{L}\d]+(?:-[\p{L}\d]+)+$/u.test(word) && !/^\d+(?:-\d+)+$/.test(word)) {
    return word.split(/(-)/).filter(Boolean)
  }
  if (/^\p{L}+(?:\/\p{L}+)+$/u.test(word)) return word.split(/(\/)/)
  const glued = /^(\p{L}{2,})([,!?;:)]+)(\p{L}{2,})$/u.exec(word)
  if (glued) return glued.slice(1)
  return [word]
}
