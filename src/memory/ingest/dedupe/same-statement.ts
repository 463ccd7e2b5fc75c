import { isMisspelling, type KnowsWord } from './misspelling.ts'
import { isMoved, isReorderedList } from './moved.ts'
import { readStatement, type Statement } from './statement.ts'
import { everydayVerbs, infinitiveMatters, timeWord } from './words.ts'

export type { KnowsWord } from './misspelling.ts'

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

/** Progressives and words written apart make a text longer, but not by more than this. */
const mostWordsMore = 4

function likeness(left: Statement, right: Statement, knowsWord: KnowsWord | null): Likeness {
  const [x, y] = [left.words, right.words]
  if (x.length === 0 || y.length === 0 || Math.abs(x.length - y.length) > mostWordsMore) return 'different'
  if (left.questions !== right.questions || !sameSigns(left, right)) return 'different'
  const same = wordEquality(left, right, knowsWord)
  if (x.length === y.length && x.every((word, at) => same(word, y[at] ?? ''))) return 'identical'
  if (!shareMost(x, y)) return 'different'
  const inOrder = (a: readonly string[], b: readonly string[]) => sameOrder(a, b, same)
  if (inOrder(x, y)) return 'identical'
  const isRephrased =
    isMoved(x, y, inOrder) ||
    isReorderedList(left, right) ||
    hasMore(left, right, same) ||
    hasMore(right, left, same)
  return isRephrased ? 'rephrased' : 'different'
}

/** Most texts differ in many words; those need no closer look. */
function shareMost(a: readonly string[], b: readonly string[]): boolean {
  const words = new Set(b)
  return 2 * a.filter((word) => words.has(word)).length >= a.length
}

type SameWord = (a: string, b: string) => boolean

function sameSigns(a: Statement, b: Statement): boolean {
  const emojiAgree = a.emoji.length === 0 || b.emoji.length === 0 || a.emoji.join(' ') === b.emoji.join(' ')
  return emojiAgree && namesIn(a, b) && namesIn(b, a)
}

function namesIn(a: Statement, b: Statement): boolean {
  return (
    a.names === null ||
    b.names === null ||
    a.names.every((name) => b.first.has(name) || b.names?.includes(name))
  )
}

function wordEquality(a: Statement, b: Statement, knowsWord: KnowsWord | null): SameWord {
  const mayBeMisspelt = (word: string) => !a.capitalised.has(word) && !b.capitalised.has(word)
  return (x, y) => {
    if (x === y) return true
    const [short, long] = x.length < y.length ? [x, y] : [y, x]
    if (long.startsWith(short)) {
      const ending = long.slice(short.length)
      if (ending === 's') return everydayVerbs.has(short)
      if (ending === "'s" || ending === "'") return true
    }
    if (long.endsWith("'s") && short === long.replace("'", '')) return true
    if (alike.has(`${x} ${y}`) || alike.has(`${y} ${x}`)) return true
    if (knowsWord === null || !mayBeMisspelt(x) || !mayBeMisspelt(y)) return false
    return isMisspelling(x, y, knowsWord)
  }
}

/** Prepositions that stand for each other; most do not (in the drawer, on the drawer). */
const alike: ReadonlySet<string> = new Set(['via on', 'via with', 'via by', 'using with'])

/** The same words in the same order; "am working" is "work", "to hike" is "hiking", and "soft ware" is "software". */
function sameOrder(a: readonly string[], b: readonly string[], same: SameWord): boolean {
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    const [x = '', y = ''] = [a[i], b[j]]
    if (isVerbalS(a, i, b, j)) {
      i++
      j += 2
    } else if (isVerbalS(b, j, a, i)) {
      i += 2
      j++
    } else if (x !== '' && y !== '' && same(x, y)) {
      i++
      j++
    } else if (isTwoForOne(a, i, y)) {
      i += 2
      j++
    } else if (isTwoForOne(b, j, x)) {
      i++
      j += 2
    } else return false
  }
  return true
}

/** Words that the other text may leave out, if it puts nothing in their place. Part of a name, they may not. */
const inert: ReadonlySet<string> = new Set(
  `of to it which who there here as own while because but then i we up still already finally both together even dear lovely
   person thing music color breed language brand kind type number name size model`.split(/\s+/),
)

/** Those that may be left out before a time or a number only: "I stayed (for) 3 weeks". */
const inertBeforeTime: ReadonlySet<string> = new Set(['in', 'on', 'for'])

/** How many of them. */
const mostLeftOut = 2

function hasMore(long: Statement, short: Statement, same: SameWord): boolean {
  const more = long.words.length - short.words.length
  if (more < 1 || more > mostLeftOut) return false
  let matched = 0
  for (const [at, word] of long.words.entries()) {
    if (matched < short.words.length && same(word, short.words[matched] ?? '')) matched++
    else if (!(isInert(long, at) || (word === '1' && short.before[matched] === 'a'))) return false
  }
  return matched === short.words.length
}

function isInert({ words, capitalised }: Statement, at: number): boolean {
  const [word = '', next = ''] = [words[at], words[at + 1]]
  const isBeforeTime = /^\d/.test(next) || timeWord.test(next)
  if (inertBeforeTime.has(word)) return isBeforeTime
  if (word === 'to' && isBeforeTime) return false
  return inert.has(word) && (word === 'i' || !capitalised.has(word))
}

/** "the code's 4471" and "the code is 4471": what one text writes out says how the other is meant. */
function isVerbalS(a: readonly string[], i: number, b: readonly string[], j: number): boolean {
  return b[j + 1] === 'be' && a[i] === `${b[j]}'s`
}

function isTwoForOne(words: readonly string[], at: number, one: string): boolean {
  const [before = '', first = '', second] = [words[at - 1], words[at], words[at + 1]]
  if (second === undefined) return false
  if (first === 'be' || first === 'go') return isGerundOf(second, one)
  if (first === 'been')
    return isGerundOf(second, one.replace(/e?d$/, '')) || isGerundOf(second, one.replace(/d$/, ''))
  if (first === 'to') return !infinitiveMatters.has(before) && isGerundOf(one, second)
  if (one !== first + second) return false
  if (/\d$/.test(second)) return one.length > 3 && /^(?:\d+|\p{L}{1,3}\d+)$/u.test(one)
  return first.length > 1 && second.length > 1 && !negating.has(first)
}

/** Words that are not joined to the next: "now here" is not "nowhere", "not able" is not "notable". */
const negating: ReadonlySet<string> = new Set(['no', 'not', 'now', 'in', 'un', 'im', 'all', 'any', 'some'])

function isGerundOf(gerund: string, plain: string): boolean {
  if (!gerund.endsWith('ing') || plain.length < 2) return false
  const root = gerund.slice(0, -3)
  const base = plain.endsWith('s') && !plain.endsWith('ss') ? plain.slice(0, -1) : plain
  const roots = [base, base.replace(/e$/, ''), base + (base.at(-1) ?? ''), base.replace(/ie$/, 'y')]
  return roots.includes(root)
}
