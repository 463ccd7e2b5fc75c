import { stem } from './stem.ts'

/** Words that carry no evidence: articles, pronouns, auxiliaries, question words. */
const stopWords = new Set(
  [
    'a an and are as at be but by for if in into is it no not of on or such that the their then there these they',
    'this to was will with i you he she we me my your his her its our us them who whom whose which what when where',
    'why how do does did doing done has have had having am were been being would could should can may might must',
    'shall from about than so too very just also im ive id youre dont didnt doesnt isnt wasnt thats whats lets',
  ]
    .join(' ')
    .split(' '),
)

/** Forms that no suffix rule can bring together: a question asks "buy" where the memory says "bought". */
const irregularForms: Readonly<Record<string, string>> = {
  become: 'became',
  begin: 'began begun',
  break: 'broke broken',
  bring: 'brought',
  build: 'built',
  buy: 'bought',
  catch: 'caught',
  child: 'children',
  choose: 'chose chosen',
  come: 'came',
  draw: 'drew drawn',
  drink: 'drank drunk',
  drive: 'drove driven',
  eat: 'ate eaten',
  fall: 'fell fallen',
  feel: 'felt',
  fight: 'fought',
  find: 'found',
  fly: 'flew flown',
  forget: 'forgot forgotten',
  get: 'got gotten',
  give: 'gave given',
  go: 'went gone',
  grow: 'grew grown',
  hear: 'heard',
  hold: 'held',
  keep: 'kept',
  know: 'knew known',
  lead: 'led',
  leave: 'left',
  lose: 'lost',
  make: 'made',
  man: 'men',
  meet: 'met',
  pay: 'paid',
  person: 'people',
  ride: 'rode ridden',
  run: 'ran',
  say: 'said',
  see: 'saw seen',
  sell: 'sold',
  send: 'sent',
  sing: 'sang sung',
  sleep: 'slept',
  speak: 'spoke spoken',
  spend: 'spent',
  stand: 'stood',
  swim: 'swam swum',
  take: 'took taken',
  teach: 'taught',
  tell: 'told',
  think: 'thought',
  throw: 'threw thrown',
  understand: 'understood',
  wake: 'woke woken',
  wear: 'wore worn',
  win: 'won',
  woman: 'women',
  write: 'wrote written',
}

const baseForms = new Map(
  Object.entries(irregularForms).flatMap(([base, forms]) =>
    forms.split(' ').map((form) => [form, base] as const),
  ),
)

/** Letters, marks and digits, with apostrophes inside a word. No part overlaps another: one pass over the text. */
const wordPattern = /[\p{L}\p{M}\p{N}]+(?:'[\p{L}\p{M}]+)*/gu

/** Scripts that are written without spaces: their runs become pairs of characters. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** A longer run of letters is no word; its beginning is enough to find it again, and bounds the index's keys. */
const longestTerm = 64

/**
 * The terms of a text, in order, repeats kept: NFKC, lower case, without stop words, stemmed as English. Texts
 * and questions go through the same analysis, so equal terms mean a shared word. Linear in the text's length.
 */
export function analyze(text: string): string[] {
  const terms: string[] = []
  for (const [match] of words(text)) {
    const word = match.replace(/'s$/, '').replaceAll("'", '')
    if (stopWords.has(word) || word === '') continue
    if (unspaced.test(word)) terms.push(...characterPairs(word))
    else terms.push(stem(baseForms.get(word) ?? word.slice(0, longestTerm)))
  }
  return terms
}

function words(text: string): Iterable<RegExpMatchArray> {
  return text.normalize('NFKC').toLowerCase().replace(/[‘’]/g, "'").matchAll(wordPattern)
}

function characterPairs(word: string): string[] {
  const characters = [...word]
  if (characters.length === 1) return characters
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}

export function endsAsQuestion(text: string): boolean {
  return /\?["')\]]*\s*$/.test(text.slice(-40))
}
