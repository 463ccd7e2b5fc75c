import { z } from 'zod'
import { ServiceError } from '../../core/errors.ts'
import { between, flag, optional, persona, query, sessionId, whole } from '../fields.ts'
import { defineRoute } from '../route.ts'
import { graphQaReply, retrieveReply } from './replies.ts'

/** POST /brain/retrieve */
export const retrieve = defineRoute({
  method: 'POST',
  path: '/brain/retrieve',
  auth: 'key',
  summary: 'Find what is known',
  description:
    'Hybrid search over chunks, facts and the session. `context` can go into a system prompt as it is. Where a store is down, the others answer and the header `X-Degraded` names it.',
  cost: 2,
  params: null,
  query: null,
  body: z.object(
    {
      query,
      k: optional(whole('k', 1, 20), 5),
      persona: optional(persona, null),
      session_id: optional(sessionId, null),
      include_episodic: optional(flag('include_episodic'), true),
      include_semantic: optional(flag('include_semantic'), true),
      include_working: optional(flag('include_working'), true),
      max_hops: optional(whole('max_hops', 1, 5), null),
      min_score: optional(between('min_score', 0, 1), null),
      use_compression: optional(flag('use_compression'), false),
    },
    { error: 'the body must be a JSON object' },
  ),
  reply: retrieveReply,
  example: { query: 'Where does my sister live?', k: 3 },
  handle: async ({ body }, { memory, namespace, signal }) => memory.retrieve(namespace, body, signal),
  headers: ({ degraded }): Record<string, string> =>
    degraded.length === 0 ? {} : { 'x-degraded': degraded.join(', ') },
})

/** POST /brain/retrieve/graph-qa */
export const graphQa = defineRoute({
  method: 'POST',
  path: '/brain/retrieve/graph-qa',
  auth: 'key',
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
      max_hops: optional(whole('max_hops', 1, 5), 3),
      k: optional(whole('k', 1, 50), 10),
      persona: optional(persona, null),
    },
    { error: 'the body must be a JSON object' },
  ),
  reply: graphQaReply,
  example: { query: 'Who works at the aquarium?' },
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
