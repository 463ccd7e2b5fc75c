import { analyze } from '../../core/analyze.ts'
import type { QuestionFacts } from './question.ts'

/** A stored question is short; whatever is longer says something besides. */
const longestEcho = 200
/** So much of what is asked stands in the stored question too. */
const sharedPart = 0.6
/** Enough of it where the stored question has no word of its own. */
const leastPart = 0.4
/** More further words than this make it a question about something else. */
const mostFurther = 2

/** Words by which people ask, whatever they ask for. */
const askingTerms = new Set(analyze('know remember tell remind again now please say find recall'))
const opening =
  /^(?:(?:hey|hi|so|and|ok|okay|well|please)[, ]+)*(?:what|where|who|whom|whose|when|which|why|how|do|does|did|is|are|am|was|were|can|could|will|would|tell me|remind me)\b/i
/** A name or a number inside the sentence may be the very thing that is asked for. */
const telling = /(?<=[^\s.!?] )(?:\p{Lu}(?!['’]|\s)|\p{N})/u
/** "I don't know how old your son is", "I have no address saved": what an assistant says that was never told. */
const unknowing =
  /\bI(?: do not|['’ ]?don['’]?t|['’]m not| am not) (?:know|remember|recall|sure|aware)\b|\bI (?:don['’]t|do not) have .*\b(?:saved|stored|noted|on file|yet)\b|\bI have no (?:idea|record|information|note)\b/i
/** Questions about what was asked are answered by questions. */
const aboutAsking = new Set(analyze('ask question'))

/**
 * Whether a text only asks what the question asks: stored conversations hold questions, and nothing is as like a question
 * as itself. It answers nothing. A question that adds a name, a number or more than two words of its own is no echo.
 */
export function isEcho(question: QuestionFacts, text: string): boolean {
  const asked = new Set(question.terms)
  if (asked.size === 0 || text.length > longestEcho || !onlyAsks(text)) return false
  if (!asked.isDisjointFrom(aboutAsking)) return false
  const terms = new Set(analyze(text)).difference(askingTerms)
  const shared = terms.intersection(asked).size
  const further = terms.size - shared
  const part = further === 0 ? leastPart : sharedPart
  if (shared === 0 || shared < asked.difference(askingTerms).size * part) return false
  return further === 0 || (further <= mostFurther && !telling.test(withoutI(text)))
}

/** Every sentence of it is a question, with or without its mark, or says that the answer is not known. */
function onlyAsks(text: string): boolean {
  const sentences = text.trim().split(/(?<=[.!?])\s+/)
  return sentences.every(
    (sentence) => /\?["')\]]*$/.test(sentence) || opensAsQuestion(sentence) || unknowing.test(sentence),
  )
}

/** People leave the mark out: `what's my dog's name`. */
function opensAsQuestion(sentence: string): boolean {
  return opening.test(sentence) && !/[.!]$/.test(sentence)
}

function withoutI(text: string): string {
  return text.replaceAll(/\bI(?:['’](?:m|ve|d|ll))?\b/g, 'i')
}
