import { readStatement, type Statement } from './statement.ts'
import { everydayVerbs, infinitiveMatters, phraseStarts } from './words.ts'

/** Whether a word is in the language's vocabulary; a word that is not may be a misspelling of one that is. */
export type KnowsWord = (word: string) => boolean

/**
 * How two texts relate. `identical`: the same words once punctuation, case, contractions, spelling and filler words are
 * set aside. `rephrased`: a phrase moved, or a verb in another form of the same time. `different`: anything else,
 * be it a number, a date, a name, a negation, a tense, a role or any other word. When in doubt they are
 * different: a text stored twice costs little, a lost one cannot be found again.
 */
export type Likeness = 'identical' | 'rephrased' | 'different'

/** Compares two texts, in either order. */
export type Comparison = (a: string, b: string) => Likeness

/** Characters of the texts whose statements are kept: a new text is compared with several, and later ones with it. */
const charactersKept = 200_000

/** A comparison that reads a text which it has seen lately only once. Without `knowsWord` no misspellings are seen. */
export function createComparison(knowsWord: KnowsWord | null): Comparison {
  const read = readOnce(readStatement, charactersKept)
  return (a, b) => (a === b ? 'identical' : likeness(read(a), read(b), knowsWord))
}

/** Forgets the text that was asked for longest ago first. */
function readOnce(read: (text: string) => Statement, characters: number): (text: string) => Statement {
  const known = new Map<string, Statement>()
  let kept = 0
  return (text) => {
    const statement = known.get(text) ?? read(text)
    if (known.delete(text)) kept -= text.length
    known.set(text, statement)
    kept += text.length
    for (const [oldest] of known) {
      if (kept <= characters) break
      known.delete(oldest)
      kept -= oldest.length
    }
    return statement
  }
}

function likeness(left: Statement, right: Statement, knowsWord: KnowsWord | null): Likeness {
  if (left.words.length === 0 || right.words.length === 0) return 'different'
  if (left.questions !== right.questions || !sameSigns(left, right)) return 'different'
  const same = wordEquality(left, right, knowsWord)
  const [x, y] = [left.words, right.words]
  if (x.length === y.length && x.every((word, at) => same(word, y[at] ?? ''))) return 'identical'
  return sameOrder(x, y, same) || rotated(x, y, same) || swappedAroundVerb(x, y, same)
    ? 'rephrased'
    : 'different'
}

type SameWord = (a: string, b: string) => boolean

function sameSigns(a: Statement, b: Statement): boolean {
  const emojiAgree = a.emoji.length === 0 || b.emoji.length === 0 || equal(a.emoji, b.emoji)
  const namesAgree = a.names === null || b.names === null || equal(a.names, b.names)
  return emojiAgree && namesAgree && equal(a.floating, b.floating)
}

function equal(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((value, at) => value === b[at])
}

function wordEquality(a: Statement, b: Statement, knowsWord: KnowsWord | null): SameWord {
  const mayBeMisspelt = (word: string) => !a.capitalised.has(word) && !b.capitalised.has(word)
  return (x, y) => {
    if (x === y) return true
    if (x === `${y}s` || y === `${x}s`) return everydayVerbs.has(x.length < y.length ? x : y)
    if (knowsWord === null || !mayBeMisspelt(x) || !mayBeMisspelt(y)) return false
    return isMisspelling(x, y, knowsWord)
  }
}

/** Shorter words are too close to each other: `cat` and `car` are no misspellings. */
const shortestMisspelling = 5

function isMisspelling(a: string, b: string, knowsWord: KnowsWord): boolean {
  if (Math.min(a.length, b.length) < shortestMisspelling || !/^\p{L}+$/u.test(a + b)) return false
  return oneEditApart(a, b) && !isDerived(a, b) && knowsWord(a) !== knowsWord(b)
}

/** A letter at the front or an ending makes another word: typical and atypical, pancake and pancakes, bake and baker. */
function isDerived(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return a[0] !== b[0] || (long.startsWith(short) && /[sdryn]$/.test(long) && long.at(-1) !== short.at(-1))
}

/** One letter added, dropped, replaced, or two neighbours exchanged. */
function oneEditApart(a: string, b: string): boolean {
  if (a.length < b.length) return oneEditApart(b, a)
  if (a.length - b.length > 1) return false
  let at = 0
  while (at < b.length && a[at] === b[at]) at++
  if (a.length > b.length) return a.slice(at + 1) === b.slice(at)
  const exchanged = a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2)
  return exchanged || a.slice(at + 1) === b.slice(at + 1)
}

/** The same words in the same order; "am working" is "work", and "to hike" is "hiking". */
function sameOrder(a: readonly string[], b: readonly string[], same: SameWord): boolean {
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    const [x = '', y = ''] = [a[i], b[j]]
    if (x !== '' && y !== '' && same(x, y)) {
      i++
      j++
    } else if (isProgressive(x, a[i + 1], y) || isInfinitive(a, i, y)) {
      i += 2
      j++
    } else if (isProgressive(y, b[j + 1], x) || isInfinitive(b, j, x)) {
      i++
      j += 2
    } else return false
  }
  return true
}

function isProgressive(verb: string, participle: string | undefined, plain: string): boolean {
  return verb === 'be' && participle !== undefined && isGerundOf(participle, plain)
}

function isInfinitive(words: readonly string[], at: number, gerund: string): boolean {
  const [before = '', to, plain] = [words[at - 1], words[at], words[at + 1]]
  return to === 'to' && plain !== undefined && !infinitiveMatters.has(before) && isGerundOf(gerund, plain)
}

function isGerundOf(gerund: string, plain: string): boolean {
  if (!gerund.endsWith('ing') || plain.length < 2) return false
  const root = gerund.slice(0, -3)
  const base = plain.endsWith('s') && !plain.endsWith('ss') ? plain.slice(0, -1) : plain
  const roots = [base, base.replace(/e$/, ''), base + (base.at(-1) ?? ''), base.replace(/ie$/, 'y')]
  return roots.includes(root)
}

/** Longer texts are not turned around as a whole by rephrasing. */
const longestRotation = 40

/** A phrase moved from one end to the other: "on Monday I run" and "I run on Monday". */
function rotated(a: readonly string[], b: readonly string[], same: SameWord): boolean {
  if (a.length !== b.length || a.length > longestRotation) return false
  for (let split = 1; split < a.length; split++) {
    if (!startsPhrase(a[0]) && !startsPhrase(a[split])) continue
    if (sameOrder([...a.slice(split), ...a.slice(0, split)], b, same)) return true
  }
  return false
}

function startsPhrase(word: string | undefined): boolean {
  return word !== undefined && (phraseStarts.has(word) || /^(?:date:|t\d+$|\w+days?$)/.test(word))
}

/** "Rex is my dog's name" and "my dog's name is Rex": the same when one side is somebody's. */
function swappedAroundVerb(a: readonly string[], b: readonly string[], same: SameWord): boolean {
  const at = a.indexOf('be')
  if (at < 1 || a.length !== b.length || a.lastIndexOf('be') !== at || a.length > longestRotation)
    return false
  const [first, second] = [a.slice(0, at), a.slice(at + 1)]
  const isOwned = (side: readonly string[]) => side.length > 1 && personal.has(side[0] ?? '')
  if (isOwned(first) === isOwned(second)) return false
  return sameOrder([...second, 'be', ...first], b, same)
}

const personal = new Set(['i', 'you', 'he', 'she', 'we', 'they'])
