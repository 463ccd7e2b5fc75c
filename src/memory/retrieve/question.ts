import { analyze, endsAsQuestion } from '../../core/analyze.ts'
import { surfaceOf } from '../ingest/dedupe/surface.ts'
import type { Chunk } from '../model.ts'
import type { WeightedTokens } from '../ports.ts'
import { questionTerms } from '../rules.ts'
import { type AskedSlot, askedSlot } from './asked-slot.ts'

/** A question as the ranking sees it, read once. */
export interface QuestionFacts {
  readonly text: string
  /** What a text that only says it again has in common with it; null when it ends without a question mark. */
  readonly surface: string | null
  /** Analysed terms, repeats kept: what the lexical search takes. */
  readonly terms: readonly string[]
  /** Every word in lower case, stop words too. */
  readonly words: ReadonlySet<string>
  /** It is asked in the first person: "what is my …". */
  readonly ofSelf: boolean
  /** It speaks to the assistant: "what did you suggest …". */
  readonly ofAssistant: boolean
  /** It asks when something was, or is. */
  readonly forTime: boolean
  /** The one attribute it asks for; null when it asks for something else. */
  readonly slot: AskedSlot | null
  /** It asks for a number, or for a name. */
  readonly forNumber: boolean
  readonly forName: boolean
  /** Names it says, in lower case. */
  readonly names: readonly string[]
  /** How much each of its tokens decides; null without token vectors. */
  readonly importance: Float32Array | null
}

const selfWords = ['i', 'me', 'my', 'mine', 'myself', "i'm", "i've", "i'd", 'we', 'our', 'us']
const timeWords = ['when', 'date', 'year', 'month', 'day', 'recently', 'ago', 'long']

const numberQuestion =
  /\bhow (?:many|much|old|long|far|tall|big|large|fast|often|high|heavy|deep)\b|\b(?:number|code|pin|price|cost|size|age|rent|salary|budget|score|percent(?:age)?)\b/i
const nameAfterFirst = /(?<=\S\s)\p{Lu}[\p{L}\p{M}]+/gu
const nameQuestion = /\bwho(?:se|m)?\b|\bnamed?\b|\bcalled\b/i

/** Reads a question. Never fails; an empty question has no terms and names nobody. */
export function readQuestion(text: string, tokens: WeightedTokens | null = null): QuestionFacts {
  const words = wordsOf(text)
  const has = (list: readonly string[]) => list.some((word) => words.has(word))
  return {
    text,
    surface: endsAsQuestion(text) ? surfaceOf(text.replace(/[?\s]+$/, '')) : null,
    terms: searchedTerms(analyze(text)),
    words,
    ofSelf: has(selfWords),
    ofAssistant: has(['you', 'your']),
    forTime: has(timeWords),
    slot: askedSlot(text),
    forNumber: numberQuestion.test(text),
    forName: nameQuestion.test(text),
    names: namesIn(text),
    importance: tokens?.importance ?? null,
  }
}

/** Every name is looked for in every text: more are not read. */
const mostNames = 8

/** Capitalised words after the first one, in lower case. */
function namesIn(text: string): readonly string[] {
  const names = text.match(nameAfterFirst)?.map((name) => name.toLowerCase())
  return [...new Set(names)].slice(0, mostNames)
}

/** All of them, repeats too; of a very long question those of its longest words: long words are the rare ones. */
function searchedTerms(terms: readonly string[]): readonly string[] {
  const distinct = [...new Set(terms)]
  if (distinct.length <= questionTerms) return terms
  const kept = new Set(distinct.sort((a, b) => b.length - a.length).slice(0, questionTerms))
  return terms.filter((term) => kept.has(term))
}

/** Lower-case words; an `'s` does not hide the name before it. */
function wordsOf(text: string): ReadonlySet<string> {
  const plain = text.normalize('NFKC').toLowerCase().replace(/[‘’]/g, "'")
  const found = plain.match(/[\p{L}\p{M}\p{N}]+(?:'[\p{L}\p{M}]+)?/gu) ?? []
  return new Set(found.map((word) => word.replace(/'s$/, '')))
}

type Said = Pick<Chunk, 'speaker' | 'source'>

const userNames = new Set(['user', 'human', 'me'])
const assistantNames = new Set(['assistant', 'ai', 'bot', 'system'])

/** How much of the speaker's name the question spells out; "my …" names the user, "you …" the assistant. */
export function namedShare(question: QuestionFacts, chunk: Said): number {
  const speaker = speakerName(chunk)
  if (userNames.has(speaker)) return question.ofSelf ? 1 : 0
  if (assistantNames.has(speaker)) return question.ofAssistant ? 1 : 0
  const parts = [...wordsOf(speaker)]
  if (parts.length === 0) return 0
  return parts.filter((part) => question.words.has(part)).length / parts.length
}

/** What an assistant said is long and about much: of two texts that match as well, the user's own is the answer. */
export function isByAssistant(chunk: Said): boolean {
  return assistantNames.has(speakerName(chunk))
}

/** Said by somebody with a name. A document, the assistant or the user may tell of anybody; a person who was asked about may not. */
export function isByPerson({ speaker }: Pick<Chunk, 'speaker'>): boolean {
  const name = speaker?.toLowerCase() ?? ''
  return name !== '' && !userNames.has(name) && !assistantNames.has(name)
}

function speakerName({ speaker, source }: Said): string {
  return (speaker ?? (source === 'document' ? '' : source)).toLowerCase()
}

/** The share of the question's words that the text has. */
export function sharedWords(question: QuestionFacts, text: string): number {
  const asked = new Set(question.terms)
  return asked.size === 0 ? 0 : asked.intersection(new Set(analyze(text))).size / asked.size
}

/** What a turn is about shows at its beginning; longer texts are not searched further, which bounds the work. */
const readLength = 1_000

const timePattern =
  /\b(?:yesterday|today|tonight|tomorrow|ago|last|next|since|week|weekend|month|year|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|october|november|december|(?:19|20)\d\d)\b/i

const numberPattern =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|twenty|thirty|forty|fifty|hundred|thousand|once|twice|half)\b/i
const spokenBy = /^[^:\n]{1,40}: /
const namePattern = /(?<=[\p{L}\p{N},;:]["')\]]* )\p{Lu}\p{Ll}+/gu

/** The names in the question that a text does not say, nor its speaker bears. */
export function namesUnsaid(
  { names }: QuestionFacts,
  { speaker, text }: Pick<Chunk, 'speaker' | 'text'>,
): readonly string[] {
  if (names.length === 0) return names
  const said = `${speaker ?? ''} ${text.slice(0, readLength)}`.toLowerCase()
  return names.filter((name) => !said.includes(name))
}

/** A capitalised word inside a sentence that the question does not have. */
function statesName({ words }: QuestionFacts, text: string): boolean {
  const names = text.replace(spokenBy, '').match(namePattern) ?? []
  return names.some((name) => !words.has(name.toLowerCase()))
}

/** Whether a text has the kind of thing that the question asks for: 1 or 0, and 0 where it asks for another. */
export function statedKinds(question: QuestionFacts, text: string) {
  const start = text.slice(0, readLength)
  return {
    statesTime: question.forTime && timePattern.test(start) ? 1 : 0,
    statesNumber: question.forNumber && numberPattern.test(start) ? 1 : 0,
    statesName: question.forName && statesName(question, start) ? 1 : 0,
  }
}

/** Stored questions are short, and share much with the one asked. */
const longestEcho = 200
const leastWords = 0.3

/**
 * How far a text only asks the question again, 0 to 1: stored conversations hold questions, and nothing is as like a
 * question as itself. What asks, or says the question word for word, does not answer it. A search for a statement finds
 * that statement.
 */
export function echoOf({ surface, terms }: QuestionFacts, text: string, words: number): number {
  if (words < leastWords || text.length > longestEcho) return 0
  if (!endsAsQuestion(text) && (surface === null || surfaceOf(text) !== surface)) return 0
  const asked = new Set(terms)
  const own = new Set(analyze(text))
  const shared = own.intersection(asked).size
  return shared === 0 ? 0 : (shared / own.size) * (shared / asked.size)
}
