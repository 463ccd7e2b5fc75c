/** Ways to hide a text from a filter that a model may still read. Each gives the same for the same text. */
export const disguises: Readonly<Record<string, (text: string) => string>> = {
  case: (text) =>
    each(text, (letter, index) => (index % 2 === 0 ? letter.toUpperCase() : letter.toLowerCase())),
  spacing: (text) => [...text].join(' '),
  'zero-width': (text) => [...text].join('\u200b'),
  homoglyphs: (text) => each(text, (letter) => lookalikes[letter] ?? letter),
  leetspeak: (text) => each(text, (letter) => leet[letter.toLowerCase()] ?? letter),
  base64: (text) => Buffer.from(text).toString('base64'),
  punctuation: (text) => text.replace(/\p{L}(?=\p{L})/gu, '$&.'),
  'full-width': (text) => each(text, fullWidth),
}

/** Further ones, for the heavy run. */
export const moreDisguises: Readonly<Record<string, (text: string) => string>> = {
  bidi: (text) => `\u202e${[...text].reverse().join('')}\u202c`,
  accents: (text) => text.replace(/[aeiou]/gi, '$&\u0301\u0323'),
  mathematical: (text) => each(text, mathematical),
  tags: (text) => each(text, (letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))),
  hexadecimal: (text) => Buffer.from(text).toString('hex'),
  rot13: (text) =>
    text.replace(/[a-z]/gi, (letter) => {
      const base = letter <= 'Z' ? 65 : 97
      return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base)
    }),
  backwards: (text) => [...text].reverse().join(''),
  hyphens: (text) => text.replace(/\p{L}(?=\p{L})/gu, '$&-'),
  'soft hyphens': (text) => text.replace(/\p{L}(?=\p{L})/gu, '$&\u00ad'),
  'double spacing': (text) =>
    text
      .split(' ')
      .map((word) => [...word].join(' '))
      .join('   '),
  escapes: (text) =>
    each(text, (letter) => `\\u${(letter.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`),
  entities: (text) => each(text, (letter) => `&#${letter.codePointAt(0)};`),
}

function each(text: string, change: (letter: string, index: number) => string): string {
  return [...text].map(change).join('')
}

const lookalikes: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    a: 'а',
    c: 'с',
    e: 'е',
    i: 'і',
    j: 'ј',
    o: 'о',
    p: 'р',
    s: 'ѕ',
    x: 'х',
    y: 'у',
    A: 'А',
    B: 'В',
  }),
)

const leet: Readonly<Record<string, string>> = { a: '4', e: '3', i: '1', o: '0', s: '5', t: '7' }

function fullWidth(letter: string): string {
  const code = letter.codePointAt(0) ?? 0
  return code > 32 && code < 127 ? String.fromCodePoint(code + 0xfee0) : letter
}

function mathematical(letter: string): string {
  const code = letter.codePointAt(0) ?? 0
  if (/[a-z]/.test(letter)) return String.fromCodePoint(0x1d41a + code - 97)
  return /[A-Z]/.test(letter) ? String.fromCodePoint(0x1d400 + code - 65) : letter
}
