import { z } from 'zod'
import { ServiceError } from '../../core/errors.ts'
import {
  between,
  flag,
  isSpan,
  memoryId,
  noSpan,
  optional,
  persona,
  query,
  sessionId,
  time,
  whole,
} from '../fields.ts'
import { filterRules, metadataFilter } from '../filter.ts'
import { defineRoute } from '../route.ts'
import { graphQaReply, retrieveReply } from './replies.ts'

const explain = z.union([z.boolean(), z.object({ id: memoryId }).meta({ id: 'ExplainMemory' })], {
  error: 'explain must be true, false or an object with the id of a memory',
})

/** POST /brain/retrieve */
export const retrieve = defineRoute({
  method: 'POST',
  path: '/brain/retrieve',
  auth: 'key',
  operationId: 'retrieve',
  summary: 'Find what is known',
  description:
    'Hybrid search over chunks, facts and the session. `context` can go into a system prompt as it is. Where a store is down, the others answer and the header `X-Degraded` names it.',
  cost: 2,
  params: null,
  query: null,
  body: z
    .object(
      {
        query,
        k: optional(whole('k', 1, 20), 5).describe('how many facts at most'),
        persona: optional(persona, null).describe('that persona and `shared`; null: every persona'),
        session_id: optional(sessionId, null).describe('the conversation whose topic and facts come along'),
        include_episodic: optional(flag('include_episodic'), true).describe('search the texts'),
        include_semantic: optional(flag('include_semantic'), true).describe('search the facts of the graph'),
        include_working: optional(flag('include_working'), true).describe('add the facts of the session'),
        max_hops: optional(whole('max_hops', 1, 5), null).describe(
          'how far to follow relationships; null and 1: not at all',
        ),
        min_score: optional(between('min_score', 0, 1), null).describe(
          'what scores less is left out; null: 0.2',
        ),
        use_compression: optional(flag('use_compression'), false).describe(
          'let the LLM of the server shorten the texts to what matters, where it has one',
        ),
        since: optional(time('since'), null).describe('only what was told then or later, in Unix seconds'),
        until: optional(time('until'), null).describe('only what was told before then, in Unix seconds'),
        as_of: optional(time('as_of'), null).describe(
          'the memory as it stood then, in Unix seconds: nothing that was told later, and what was replaced later still holds. Without the session’s working memory, which is about now',
        ),
        filter: optional(metadataFilter, null).describe(
          `only texts with such metadata, and the facts read from them. ${filterRules}`,
        ),
        max_tokens: optional(whole('max_tokens', 1, 100_000), null).describe(
          'how long `context` may be. It is filled in the order of rank; what does not fit is still in `facts`. Tokens are estimated, rather too many than too few: a token is three letters of an ASCII word or two capitals, a digit, a sign or a line break; any other character is one less than its UTF-8 bytes',
        ),
        explain: optional(explain, false).describe(
          'true: how every score came about; `{"id": …}`: why that memory came back, or did not',
        ),
      },
      { error: 'the body must be a JSON object' },
    )
    .refine(isSpan, noSpan),
  reply: retrieveReply,
  example: { query: 'Where does my sister live?', k: 3 },
  llmCalls: ({ body }) => Number(body.useCompression),
  line: 'searches',
  handle: async ({ body }, { memory, namespace, signal }) => memory.retrieve(namespace, body, signal),
  headers: ({ degraded }): Record<string, string> =>
    degraded.length === 0 ? {} : { 'x-degraded': degraded.join(', ') },
})

/** POST /brain/retrieve/graph-qa */
export const graphQa = defineRoute({
  method: 'POST',
  path: '/brain/retrieve/graph-qa',
  auth: 'key',
  operationId: 'graphQa',
  summary: 'Answer a question from the graph',
  description:
    'An LLM answers from numbered graph facts alone and cites them as `[n]`. Without an LLM on the server the answer is empty, `error` says so, and nothing is charged.',
  cost: 10,
  requiredTier: 'starter',
  params: null,
  query: null,
  body: z.object(
    {
      query,
      max_hops: optional(whole('max_hops', 1, 5), 3).describe('how far to follow relationships'),
      k: optional(whole('k', 1, 50), 10).describe('how many facts the model is given at most'),
      persona: optional(persona, null).describe('that persona alone; null: every persona'),
    },
    { error: 'the body must be a JSON object' },
  ),
  reply: graphQaReply,
  example: { query: 'Who works at the aquarium?' },
  llmCalls: () => 1,
  free: async (_input, { memory }) => (memory.graphQa === null ? noLlm : null),
  handle: async ({ body }, { memory, namespace, signal }) => {
    if (memory.graphQa === null) return noLlm
    return memory.graphQa(namespace, body, signal).catch((error: unknown) => {
      throw withEmptyAnswer(error)
    })
  },
})

/** A failing LLM is a 503 that still has the fields of an answer, for clients that read those alone. */
function withEmptyAnswer(error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.code !== 'llm_unavailable') return error
  const extra = { answer: '', error: noLlm.error, facts_used: 0 }
  return new ServiceError('llm_unavailable', { ...error.facts, extra })
}

const noLlm = { answer: '', error: 'LLM not available', factsUsed: 0 }
