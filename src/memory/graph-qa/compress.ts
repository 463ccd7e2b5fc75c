import { z } from 'zod'
import { analyze } from '../../core/analyze.ts'
import type { NewId } from '../../core/ids.ts'
import type { CompressionRequest, ContextCompressor } from '../hooks.ts'
import type { Llm } from '../ports.ts'
import { dataRule, fencedList } from './prompts.ts'
import { stripInstructions } from './sanitize.ts'

export interface FactCompressorParts {
  readonly llm: Llm
  /** Makes the mark around the data, new for each request. */
  readonly newId: NewId
}

const repliesSchema = z.object({ facts: z.array(z.object({ number: z.number().int(), text: z.string() })) })
const tokensPerFact = 80

/**
 * Shortens facts against a question: one text a fact, in order. A shortened fact keeps the words of its source, in
 * their order, or the source stands; when the model fails, every source does.
 */
export function createFactCompressor({ llm, newId }: FactCompressorParts): ContextCompressor {
  return async ({ query, facts, signal }: CompressionRequest) => {
    const shown = facts.map((fact) => stripInstructions(fact).replace(/\s+/g, ' ').trim())
    const sent = shown.map((text, index) => ({ text, index })).filter(({ text }) => text !== '')
    if (sent.length === 0) return facts
    const nonce = newId()
    const request = {
      system: compressionInstructions(nonce),
      prompt: `${fencedList(
        sent.map(({ text }) => text),
        nonce,
      )}\nQuestion: ${query.replace(/\s+/g, ' ').trim()}`,
      maxTokens: tokensPerFact * sent.length,
      ...(signal === undefined ? {} : { signal }),
    }
    const replies = await llm.object(repliesSchema, request).catch(() => ({ facts: [] }))
    const shortened = new Map(replies.facts.map(({ number, text }) => [sent[number - 1]?.index, text]))
    return facts.map((fact, index) => shorter(fact, shown[index] ?? '', shortened.get(index)))
  }
}

function compressionInstructions(nonce: string): string {
  return [
    'You shorten numbered facts to what bears on a question.',
    dataRule(nonce),
    'For each fact give its number and the words of it that bear on the question, in their order. Add no word, leave no negation out.',
    'A fact that is short already stays as it is.',
  ].join('\n')
}

/** What the model made of a fact when it only left words out; the fact as it was otherwise. */
function shorter(fact: string, shown: string, reply: string | undefined): string {
  const text = reply?.replace(/[\s\p{Cc}]+/gu, ' ').trim() ?? ''
  return text !== '' && text.length < fact.length && onlyLeavesOut(text, shown) ? text : fact
}

/** Words that turn a statement round: leaving one out, or putting one in, would be an invention. */
const negations =
  /\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot|hardly|barely|\w+n['’]t)\b/giu

function onlyLeavesOut(text: string, source: string): boolean {
  const count = (of: string) => of.match(negations)?.length ?? 0
  const terms = analyze(text)
  return terms.length > 0 && count(text) === count(source) && isSubsequence(terms, analyze(source))
}

function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let at = 0
  for (const term of whole) if (term === part[at]) at++
  return at === part.length
}
