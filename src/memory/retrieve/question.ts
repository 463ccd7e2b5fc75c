import { analyze } from '../../core/analyze.ts'
import { type AskedSlot, askedSlot } from './asked-slot.ts'

/** A question as the ranking sees it, read once. */
export interface QuestionFacts {
  readonly text: string
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
}

const selfWords = ['i', 'me', 'my', 'mine', 'myself', "i'm", "i've", "i'd", 'we', 'our', 'us']
const timeWords = ['when', 'date', 'year', 'month', 'day', 'recently', 'ago', 'long']

/** Reads a question. Never fails; an empty question has no terms and names nobody. */
export function readQuestion(text: string): QuestionFacts {
  const words = wordsOf(text)
  const has = (list: readonly string[]) => list.some((word) => words.has(word))
  return {
    text,
    terms: analyze(text),
    words,
    ofSelf: has(selfWords),
    ofAssistant: has(['you', 'your']),
    forTime: has(timeWords),
    slot: askedSlot(text),
  }
}

/** Lower-case words; an `'s` does not hide the name before it. */
export function wordsOf(text: string): ReadonlySet<string> {
  const plain = text.normalize('NFKC').toLowerCase().replace(/[‘’]/g, "'")
  const found = plain.match(/[\p{L}\p{M}\p{N}]+(?:'[\p{L}\p{M}]+)?/gu) ?? []
  return new Set(found.map((word) => word.replace(/'s$/, '')))
}
