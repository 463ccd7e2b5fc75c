import { digitsOf, multiplied, ungrouped } from './numbers.ts'

/**
 * What a text says, word by word, without how it is written. Two texts state the same when this is the same: every word,
 * number, name, sign and their order. No word is left out and none stands for another.
 *
 * A *word* is made of letters, apostrophes and hyphens. Its case, the quotes and brackets around it and the marks behind it
 * are surface; contractions are written out, number words become digits. All else is a *literal*, such as `-5`, `3.5`,
 * `$5`, `C++`, `8:12`, `a@b.c`, `aB3x` or `US`: case and signs are its value, and only `. , ; :` behind it are surface.
 * Capitals inside a word make it a literal, unless the whole text is in capitals. A question mark is never surface, and a
 * comma is none between names or literals: "Anna, Maria" are two, "Anna Maria" is one.
 */
export function surfaceOf(text: string): string {
  const plain = plainText(text)
  const isShouted = !/[\p{Ll}\p{Lo}]/u.test(plain)
  const said: string[] = []
  let before: Token | null = null
  const say = (token: Token) => {
    const isApart = before !== null && areSeparate(before, token)
    if (isApart) said.push(',')
    addInDigits(said, token, before?.marks === '' && !isApart)
    before = token
  }
  for (const piece of plain.split(/\s+/)) if (piece !== '') readPiece(piece, isShouted, say)
  return said.join(' ')
}

/**
 * The letters of a text that no number word and no contraction has, in order; only "second" has a c. Texts with the same
 * surface have the same ones, and they are read in a tenth of the time.
 */
export function unchangedLetters(text: string): string {
  return plainText(text)
    .toLowerCase()
    .replaceAll('second', '')
    .replace(/[^cjkpq]+/g, '')
}

interface Token {
  readonly text: string
  /** Of a number word; null for all else. */
  readonly digits: string | null
  /** A capital, a literal or a number: where two such meet, a comma says that they are two. */
  readonly isValue: boolean
  /** The punctuation behind it. */
  readonly marks: string
}

/** Superscripts, fractions and circled digits are values that NFKC would join to their neighbours: 10² is not 102. */
const compatible = /[^\p{No}\p{Lm}ªº]+/gu

/** One way to write characters, quotes and dashes; soft hyphens and the signs that choose an emoji's look are left out. */
function plainText(text: string): string {
  // ASCII is written in one way.
  if (!/[^\0-\x7f]/.test(text)) return text
  return text
    .normalize('NFC')
    .replace(/[‘’‛ʼ]/g, "'")
    .replace(compatible, (part) => part.normalize('NFKC'))
    .replace(/[“”„‟«»]/g, '"')
    .replace(/[‐‑‒–—―−]/g, '-')
    .replace(/\u00ad|\u2060|\ufe0e|\ufe0f/g, '')
}

const opening = new Set('"\'([{¿¡')
const closing = new Set('.,;:!?。、"\')]}')
const pausing = new Set('.,;:。、')

const plainWord = /^\p{L}[\p{L}\p{M}]*(?:['-]\p{L}[\p{L}\p{M}]*)*$/u
const innerCapital = /[\p{L}\p{M}]\p{Lu}/u

/** Most words are such. */
const lowerWord = /^[a-z]+$/

/** Reads what stands between two spaces. */
function readPiece(piece: string, isShouted: boolean, say: (token: Token) => void): void {
  if (lowerWord.test(piece) && !mayBeContracted(piece)) {
    const digits = digitsOf(piece)
    say({ text: piece, digits, isValue: digits !== null, marks: '' })
    return
  }
  let start = 0
  while (opening.has(piece.charAt(start))) start++
  const end = endBefore(piece, closing)
  const core = piece.slice(start, end)
  if (!plainWord.test(core) || (innerCapital.test(core) && !isShouted)) {
    say(readLiteral(piece))
    return
  }
  const word = core.toLowerCase()
  const isName = !isShouted && word !== 'i' && !word.startsWith("i'") && /^\p{Lu}/u.test(core)
  const marks = piece.slice(end)
  const words = writtenOut(word)
  for (const [at, text] of words.entries()) {
    const isLast = at === words.length - 1
    const digits = digitsOf(text)
    const isValue = isName || digits !== null
    say({ text, digits, isValue, marks: isLast ? marks : '' })
  }
  if (marks.includes('?')) say(literal('?', ''))
}

/** What consists of marks alone stays as it is. */
function readLiteral(piece: string): Token {
  const end = endBefore(piece, pausing) || piece.length
  return literal(ungrouped(piece.slice(0, end)), piece.slice(end))
}

function literal(text: string, marks: string): Token {
  return { text, digits: null, isValue: true, marks }
}

function areSeparate(token: Token, next: Token): boolean {
  return token.isValue && next.isValue && /[,;:、]/.test(token.marks)
}

function endBefore(piece: string, marks: ReadonlySet<string>): number {
  let end = piece.length
  while (end > 0 && marks.has(piece.charAt(end - 1))) end--
  return end
}

const contractions: readonly (readonly [RegExp, string])[] = [
  [/^(can)(?:'t|not)$/, '$1 not'],
  [/^won't$/, 'will not'],
  [/^shan't$/, 'shall not'],
  [/^(.+)n't$/, '$1 not'],
  [/^i'm$/, 'i am'],
  [/^(.+)'re$/, '$1 are'],
  [/^(.+)'ve$/, '$1 have'],
  [/^(.+)'ll$/, '$1 will'],
  // After other words 's is mostly the genitive; 'd is "had" as often as "would" and stays.
  [/^(it|he|she|that|this|there|here|what|who|where|how)'s$/, '$1 is'],
]

const mayBeContracted = (word: string) => word.includes("'") || word === 'cannot'

/** The words of a contraction; any other word alone. */
function writtenOut(word: string): readonly string[] {
  if (!mayBeContracted(word)) return [word]
  const [contraction, words = ''] = contractions.find(([form]) => form.test(word)) ?? []
  return contraction === undefined ? [word] : word.replace(contraction, words).split(' ')
}

/**
 * Adds a word, numbers as digits. Only what has one reading is put together, a number and its scale: "twenty five dollar
 * bills" and "rooms one hundred and five" may be one number or two. The one of "no one" is no number: "No. 1" is somebody.
 */
function addInDigits(said: string[], { text, digits }: Token, isJoined: boolean): void {
  const before = isJoined && digits !== null ? (said.at(-1) ?? null) : null
  const product = before === null ? null : multiplied(before, text)
  if (product !== null) said.splice(-1, 1, product)
  else said.push(before === 'no' && text === 'one' ? text : (digits ?? text))
}
