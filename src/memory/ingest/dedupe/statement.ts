import { mergeCalendar } from './calendar.ts'
import { unifyConstructions } from './constructions.ts'
import { unifyInContext } from './context.ts'
import { mergeNumberWords } from './numbers.ts'
import { dropAsides, unifyPhrases } from './phrases.ts'
import { spell, withoutSlip } from './spelling.ts'
import { synonyms } from './synonyms.ts'
import { isMark, plainText, readTokens } from './tokens.ts'
import {
  afterVerbalS,
  articles,
  bareTime,
  caseSensitive,
  contractions,
  empty,
  fillers,
  floating,
  nameIntroductions,
  participles,
  sameForm,
  subjects,
  unmarkedContractions,
  verbalHosts,
  verbForms,
} from './words.ts'

/** A text reduced to what it states: two texts with equal statements say the same. */
export interface Statement {
  /** Words in one spelling, in order, without those that add nothing. */
  readonly words: readonly string[]
  /** What stood before each word: a mark, `and`, an article (`a` or `the`), or nothing. */
  readonly before: readonly string[]
  readonly questions: number
  readonly emoji: readonly string[]
  /** Words that are names because of their capital (Turkey); null where the text has no case to go by. */
  readonly names: readonly string[] | null
  /** First words of sentences: their capital says nothing. */
  readonly first: ReadonlySet<string>
  /** Words that are or may be names: those may not be taken for misspellings. */
  readonly capitalised: ReadonlySet<string>
}

/** Reads a text. Any text gives a statement; one without words gives an empty one. */
export function readStatement(text: string): Statement {
  const plain = plainText(text)
  const tokens = readTokens(plain)
  const typed = tokens.words.map(withoutSlip)
  const expanded = typed.flatMap((_, at) => expand(typed, at))
  const told = dropAsides(mergeCalendar(mergeNumberWords(expanded)))
  const meant = told.filter((word) => !empty.has(word)).map(meaning)
  const { words, before } = floatAdverbs(reduce(unifyInContext(unifyConstructions(unifyPhrases(meant)))))
  return {
    words,
    before,
    questions: isRequest(expanded) ? 0 : tokens.questions,
    emoji: tokens.emoji.toSorted(),
    ...namesByCase(plain),
    capitalised: possibleNames(plain, tokens.words),
  }
}

/** "Can you remind me …?" asks for the same as "remind me …". */
function isRequest(words: readonly string[]): boolean {
  return requests.has(words[0] ?? '') && words[1] === 'you'
}

const requests: ReadonlySet<string> = new Set(['can', 'could', 'would', 'will'])

/** Contractions written out. `'s` is the verb after a pronoun or before an article, and a possessive otherwise. */
function expand(words: readonly string[], at: number): readonly string[] {
  const [previous, word = '', next = ''] = [words[at - 1], words[at], words[at + 1]]
  const known = contractions.get(word)
  if (known !== undefined) return known
  const unmarked = unmarkedContractions.get(word)
  if (unmarked?.follows.has(next) && (word !== 'were' || previous === undefined)) return unmarked.written
  if (word.endsWith("'d")) return [word.slice(0, -2), 'would']
  if (!word.endsWith("'s")) return [word.endsWith("'") ? word : word.replaceAll("'", '')]
  const host = word.slice(0, -2)
  if (participles.has(next)) return [host, 'has']
  return verbalHosts.has(host) || afterVerbalS.has(next) ? [host, 'is'] : [word]
}

/** The word that stands for all of the same meaning; a possessive keeps its `'s`. */
function meaning(word: string): string {
  const host = word.endsWith("'s") ? word.slice(0, -2) : word
  const spelled = spell(host)
  const meant = synonyms.get(spelled) ?? spelled
  return host === word ? (verbForms.get(meant) ?? meant) : `${meant}'s`
}

interface Reduced {
  readonly words: string[]
  readonly before: string[]
}

/** Without fillers and marks, pronouns in one form. */
function reduce(text: readonly string[]): Reduced {
  const reduced: Reduced = { words: [], before: [] }
  let pending = ''
  for (const [at, word] of text.entries()) {
    if (isMark(word) || word === 'and') pending = pending === '.' ? '.' : word
    else if (saysNothing(text, at)) {
      if (articles.has(word) && pending === '') pending = word === 'the' ? 'the' : 'a'
    } else {
      const form = sameForm.get(word) ?? word
      if (form === reduced.words.at(-1) && /^\p{L}+$/u.test(form)) continue
      reduced.words.push(form)
      reduced.before.push(pending)
      pending = ''
    }
  }
  return reduced
}

function saysNothing(text: readonly string[], at: number): boolean {
  const word = text[at] ?? ''
  const following = text[at + 1]
  if (word === 'a') return following !== 'few' && following !== 'little'
  if (word === 'some') return at > 0 && !isMark(text[at - 1]) && following !== 'of'
  if (word === 'too') return following === undefined || isMark(following)
  if (word === 'years' || word === 'old') return isAge(text, at)
  if (word === 'on' || word === 'in' || word === 'at') {
    const next = articles.has(following ?? '') ? text[at + 2] : following
    return next !== undefined && bareTime.test(next)
  }
  if (word === 'this' || word === 'coming') return bareTime.test(following ?? '')
  return fillers.has(word)
}

/** "30 years old" is "30". */
function isAge(words: readonly string[], at: number): boolean {
  const years = words[at] === 'old' ? at - 1 : at
  return words[years] === 'years' && words[years + 1] === 'old' && /^\d/.test(words[years - 1] ?? '')
}

/** Adverbs whose place is free go to the beginning of their clause, and no further: each clause keeps its own. Of several none moves, since each may belong to another verb. */
function floatAdverbs(reduced: Reduced): Reduced {
  const { words, before } = reduced
  if (words.every(isFixed)) return reduced
  const result: Reduced = { words: [], before: [] }
  for (let start = 0; start < words.length; ) {
    let end = start + 1
    while (end < words.length && !(startsClause(reduced, end) && words.slice(end).some(isFixed))) end++
    const clause = words.slice(start, end)
    const found = clause.filter(isFloating)
    const adverbs = found.length === 1 ? found : []
    const fixed = clause.flatMap((word, at) => (adverbs.includes(word) ? [] : [at]))
    result.words.push(...adverbs, ...fixed.map((at) => clause[at] ?? ''))
    result.before.push(...adverbs.map(() => ''), ...fixed.map((at) => before[start + at] ?? ''))
    start = end
  }
  return result
}

const isFixed = (word: string) => !isFloating(word)
const isFloating = (word: string) => floating.has(word) || /^\d+\/\p{L}/u.test(word)

function startsClause({ words, before }: Reduced, at: number): boolean {
  const [word = '', mark] = [words[at], before[at]]
  if (mark === '.' || mark === ',') return true
  return mark === 'and' ? subjects.has(word) || isFloating(word) : conjunctions.has(word)
}

const conjunctions: ReadonlySet<string> = new Set(['because', 'but', 'or', 'when', 'if', 'while', 'then'])

/** Months beside a day or a preposition: those are no names, however they are written. */
const datedMonth =
  /\b(?:May|March|August) (?=\d)|(?<=(?:\d(?:st|nd|rd|th)?|\b(?:of|[Ii]n|[Ss]ince|until|till|[Bb]y|[Ll]ast|[Nn]ext|[Tt]his))) (?:May|March|August)\b/g

/** Words that are a name with a capital and another word without it; null when the text is all in one case. */
function namesByCase(text: string): Pick<Statement, 'names' | 'first'> {
  const sentences = text.replace(datedMonth, '').split(/(?<=[.!?:]["')]*) /)
  const words = sentences.map((sentence) => sentence.match(/[\p{L}\p{M}]+/gu) ?? [])
  const first = new Set(words.map((sentence) => sentence[0]?.toLowerCase() ?? ''))
  if (!/\p{Lu}/u.test(text) || !/\p{Ll}/u.test(text)) return { names: null, first }
  const names = words
    .flatMap((sentence) => sentence.slice(1))
    .filter((word) => /^\p{Lu}/u.test(word) && caseSensitive.has(word.toLowerCase()))
    .map((word) => word.toLowerCase())
  return { names, first }
}

/** Words with a capital; in a text without any, also those that stand where a name would. */
function possibleNames(text: string, words: readonly string[]): ReadonlySet<string> {
  const capitalised = text.match(/\p{Lu}[\p{L}\p{M}]*/gu) ?? []
  const names = new Set(capitalised.map((word) => word.toLowerCase()))
  if (names.size > 0) return names
  for (const [at, word] of words.entries()) {
    const previous = words[at - 1] ?? ''
    if (nameIntroductions.has(previous) || (previous === 'is' && at === words.length - 1)) names.add(word)
  }
  return names
}
