import type { Statement } from './statement.ts'
import { heads, phraseStarts, timeWord } from './words.ts'

export type SameOrder = (a: readonly string[], b: readonly string[]) => boolean

/** Longer texts are not turned around as a whole by rephrasing. */
const longest = 40

/** How far a phrase reaches into what both texts have in common: "in Rome in May", "in May in Rome" share an "in". */
const reach = 2

/** One phrase at another place: "on Monday I run" and "I run on Monday", "in Rome in May" and "in May in Rome". */
export function isMoved(a: readonly string[], b: readonly string[], same: SameOrder): boolean {
  if (a.length !== b.length || a.length > longest) return false
  const { start, end } = difference(a, b)
  for (let left = start; left >= Math.max(0, start - reach); left--) {
    for (let right = end; right <= Math.min(a.length, end + reach); right++) {
      if (isTurned(a.slice(left, right), b.slice(left, right), same)) return true
    }
  }
  return false
}

/** The part of both texts, of one length, outside of which they agree. */
function difference(a: readonly string[], b: readonly string[]): { start: number; end: number } {
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  let end = a.length
  while (end > start && a[end - 1] === b[end - 1]) end--
  return { start, end }
}

function isTurned(a: readonly string[], b: readonly string[], same: SameOrder): boolean {
  for (let split = 1; split < a.length; split++) {
    const [first, second] = [a.slice(0, split), a.slice(split)]
    if (!(mayMove(first, second) || mayMove(second, first))) continue
    if (same([...second, ...first], b)) return true
  }
  return false
}

/** A phrase may pass others, but none of its kind that belongs to something else: "on Monday I swim, on Tuesday I run". */
function mayMove(phrase: readonly string[], passed: readonly string[]): boolean {
  if (isParticle(phrase)) return passed.length <= longestObject && !passed.some(startsPhrase)
  if (!startsPhrase(phrase[0]) && !isTimeSpan(phrase)) return false
  const isTime = phrase.some((word) => timeWord.test(word))
  return !passed.some((word, at) => {
    if (at === 0 && startsPhrase(word)) return false
    return isTime ? at > 1 && isOtherTime(word, passed[at - 1]) : word === phrase[0]
  })
}

/** Words between a verb and its particle: "I turned the heating off". */
const longestObject = 3
const particles: ReadonlySet<string> = new Set(['up', 'off', 'out', 'away', 'down', 'back'])
const isParticle = (phrase: readonly string[]) => phrase.length === 1 && particles.has(phrase[0] ?? '')

/** A day, a date, or a time that is pointed at ("this week"); "night" in "night shift" is none. */
function isOtherTime(word: string, previous: string | undefined): boolean {
  if (!timeWord.test(word)) return false
  return (
    /\d|day|^(?:january|february|march|april|may|june|july|august|\w+ber)/.test(word) ||
    pointing.has(previous ?? '')
  )
}

const pointing: ReadonlySet<string> = new Set([
  'in',
  'every',
  'this',
  'next',
  'last',
  'during',
  'since',
  'till',
])

/** "3 years ago", "most weekends". */
function isTimeSpan(phrase: readonly string[]): boolean {
  const last = phrase.at(-1) ?? ''
  return phrase.length <= 3 && (last === 'ago' || timeWord.test(last))
}

function startsPhrase(word: string | undefined): boolean {
  return word !== undefined && (phraseStarts.has(word) || /^(?:date:|t\d+$|\w+days?$)/.test(word))
}

/** The members of one list in another order: "tea and coffee", "coffee and tea". */
export function isReorderedList(left: Statement, right: Statement): boolean {
  if (left.words.length !== right.words.length || left.words.length > longest) return false
  const { start, end } = difference(left.words, right.words)
  if (end - start < 2 || !isWholeList(left, start, end) || !isWholeList(right, start, end)) return false
  const [x, y] = [members(left, start, end), members(right, start, end)]
  return x.length > 1 && x.length === y.length && x.every((member, at) => member === y[at])
}

/** Only one list, so that nothing follows its order ("Tom and Ben are 5 and 7"), and no word that belongs to its first or last. */
function isWholeList({ words, before }: Statement, start: number, end: number): boolean {
  const joins = [...before, ...words].filter((word) => word === 'and' || word === 'or')
  if (joins.length !== 1) return false
  const opens = start === 0 || before[start] !== '' || heads.has(words[start - 1] ?? '')
  const closes =
    end === words.length || isJoint(before[end]) || before[end] === '.' || heads.has(words[end] ?? '')
  const inside = [...before.slice(start + 1, end + 1), ...words.slice(start, end + 1)]
  return opens && closes && joins.some((join) => inside.includes(join))
}

const isJoint = (mark: string | undefined) => mark === 'and' || mark === ','

function members({ words, before }: Statement, start: number, end: number): readonly string[] {
  const found: string[][] = []
  for (let at = start; at < end; at++) {
    if (at === start || isJoint(before[at]) || words[at] === 'or') found.push([])
    if (words[at] !== 'or') found.at(-1)?.push(words[at] ?? '')
  }
  return found.map((member) => member.join(' ')).toSorted()
}
