/** Characters that nobody sees: zero-width, joiners, fillers, bidi controls, variation selectors, tags, soft hyphens. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu

/** Letters of other scripts that look like Latin ones: source letters and, at the same place, what they look like. */
const lookalikes: readonly (readonly [string, string])[] = [
  ['авсԁеѓһіїјкӏмнопԛгѕтуԝхѵзьбДОРСТ', 'abcdefhiijklmhonqrstuwxvzb6dopct'],
  ['рѐёўҝқңҳ', 'peeykkhx'],
  ['αβγδεζηικλμνορστυχω', 'abydeznikluvoptuuxw'],
  ['աօոսհցյզեքծկ', 'aonuhgjqepsk'],
  ['ᴀʙᴄᴅᴇғɢʜɪᴊᴋʟᴍɴᴏᴘǫʀꜱᴛᴜᴠᴡʏᴢ', 'abcdefghijklmnopqrstuvwyz'],
  ['ɑɡɩıƖǀɐɔǝɟɯɹʇʌʍʎƨϲⅼⅰо', 'agiiiiacefmrtvwyscijo'],
  ['øđħłŧþæœß', 'odhltpaob'],
]

const lookalikeOf = new Map(
  lookalikes.flatMap(([from, to]) =>
    [...from].map((letter, index) => [letter, [...to][index] ?? letter] as const),
  ),
)

/** Digits and signs that stand for letters. */
const leet: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '2': 'z',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '6': 'g',
  '7': 't',
  '8': 'b',
  '9': 'g',
  '@': 'a',
  $: 's',
  '!': 'i',
  '|': 'i',
  '€': 'e',
  '£': 'l',
  '+': 't',
}

/** The text without characters that nobody sees; a joiner between signs that are no letters (emoji) stays. */
export function visible(text: string): string {
  return text
    .replace(
      /(?<=\p{Extended_Pictographic}\ufe0f?)\u200d(?=\p{Extended_Pictographic})|(?<=[^\w\s])\ufe0f/gu,
      '\ue000$&',
    )
    .replace(invisible, (character, at: number, whole: string) =>
      whole[at - 1] === '\ue000' ? character : '',
    )
    .replaceAll('\ue000', '')
}

/** Lower case, one width, no accents: what a reader would say the words are. */
export function plain(text: string): string {
  return visible(text)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[‘’ʼ＇]/g, "'")
}

/** Latin letters for whatever looks like one, so that a homoglyph does not hide a word. */
export function latin(text: string): string {
  const letters = plain(text)
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
  return [...letters].map((letter) => lookalikeOf.get(letter) ?? letter).join('')
}

/** Letters for the digits and signs that stand for them. */
export function leetOf(text: string): string {
  return [...latin(text)].map((letter) => leet[letter] ?? letter).join('')
}

/** Both `i` and `l` are written 1, so they become one letter; patterns are folded the same way. */
export function foldLetters(text: string): string {
  return text.replaceAll('l', 'i')
}

export function rot13(text: string): string {
  return text.replace(/[a-z]/g, (letter) => String.fromCharCode(((letter.charCodeAt(0) - 84) % 26) + 97))
}

/** Texts that are written inside the text in another alphabet: base64, hexadecimal, binary, escapes, tags, Morse. */
export function decoded(text: string): string[] {
  return decoders.flatMap((decoder) =>
    [...text.matchAll(decoder.pattern)]
      .map(([match]) => read(decoder, match))
      .filter((found) => found !== null),
  )
}

/** The text without such passages. */
export function withoutEncoded(text: string): string {
  return decoders.reduce(
    (rest, decoder) => rest.replace(decoder.pattern, (match) => (read(decoder, match) === null ? match : '')),
    text,
  )
}

/** What the passage says; null when it says nothing, as chance would have it. */
function read({ decode, certain }: Decoder, match: string): string | null {
  const text = decode(match)
  return certain || isReadable(text) ? text : null
}

interface Decoder {
  readonly pattern: RegExp
  /** Nothing ordinary looks like it, so what it decodes to does not matter. */
  readonly certain?: boolean
  readonly decode: (match: string) => string
}

const bytesOf = (text: string, size: number, radix: number) =>
  Buffer.from([...text.matchAll(new RegExp(`.{${size}}`, 'g'))].map(([unit]) => Number.parseInt(unit, radix)))

const decoders: readonly Decoder[] = [
  {
    pattern: /[A-Za-z0-9+/_-]{4,}(?:[\r\n]+[A-Za-z0-9+/_-]{4,})*={0,2}/g,
    decode: (match) => (match.length < 16 ? '' : Buffer.from(match, 'base64').toString('utf8')),
  },
  {
    pattern: /(?:(?:0x|\\x|%)?[0-9a-fA-F]{2}[\s,:]?){6,}/g,
    decode: (match) => bytesOf(match.replace(/0x|\\x|[%\s,:]/g, ''), 2, 16).toString('utf8'),
  },
  {
    pattern: /(?:[01]{8}\s?){4,}/g,
    decode: (match) => bytesOf(match.replace(/\s/g, ''), 8, 2).toString('utf8'),
  },
  {
    certain: true,
    pattern: /(?:\\u\{?[0-9a-fA-F]{2,6}\}?|&#x?[0-9a-fA-F]{2,6};){4,}/g,
    decode: (match) =>
      [...match.matchAll(/(\\u\{?|&#x|&#)([0-9a-fA-F]+)/g)]
        .map(([, mark, digits]) => codePoint(Number.parseInt(digits ?? '', mark === '&#' ? 10 : 16)))
        .join(''),
  },
  {
    certain: true,
    pattern: /[\u{e0020}-\u{e007e}]{4,}/gu,
    decode: (match) => [...match].map((tag) => codePoint((tag.codePointAt(0) ?? 0) - 0xe0000)).join(''),
  },
  { pattern: /(?:[.\-·−–]{1,5}[ /|]{1,3}){6,}[.\-·−–]{0,5}/g, decode: (match) => readMorse(match) },
]

function codePoint(value: number): string {
  return value > 0 && value <= 0x10ffff ? String.fromCodePoint(value) : ''
}

const morse = new Map(
  [
    '.- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --..',
  ].flatMap((codes) =>
    codes.split(' ').map((code, index) => [code, String.fromCharCode(97 + index)] as const),
  ),
)

function readMorse(text: string): string {
  const signs = text.replaceAll('·', '.').replace(/[−–]/g, '-')
  return signs
    .split(/\s*[/|]\s*|\s{3,}/)
    .map((word) =>
      word
        .trim()
        .split(/\s+/)
        .map((code) => morse.get(code) ?? '')
        .join(''),
    )
    .join(' ')
}

/** Words rather than chance: nearly all printable, mostly letters, and long enough to say something. */
function isReadable(text: string): boolean {
  const characters = [...text]
  if (characters.length < 6) return false
  const share = (pattern: RegExp) =>
    characters.filter((character) => pattern.test(character)).length / characters.length
  return (
    share(/[\p{L}\p{N}\p{P}\p{S}\p{Zs}\n]/u) > 0.97 &&
    share(/[\p{L}\s]/u) > 0.5 &&
    new Set(characters).size > 4 &&
    !text.includes('\ufffd')
  )
}
