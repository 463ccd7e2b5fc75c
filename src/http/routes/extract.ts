import { z } from 'zod'
import { sharedPersona } from '../../memory/model.ts'
import { flag, occurredAt, optional, persona, sessionId, source, text } from '../fields.ts'
import { defineRoute } from '../route.ts'
import { extractReply } from './graph-replies.ts'
import { refuseFuture } from './ingest.ts'

/** POST /brain/extract */
export const extract = defineRoute({
  method: 'POST',
  path: '/brain/extract',
  auth: 'key',
  operationId: 'extract',
  summary: 'Show what ingest would make of a text',
  description:
    'Takes the body of an ingest with a `text` and stores nothing; `external_id` and `metadata` are ignored. Shows the chunks, the entities, and every fact with the words it was read from, how sure that is, and what it would replace. Offsets are UTF-16 code units of the text without the invisible characters that are removed from it.',
  // The models do the work of an ingest.
  cost: 5,
  params: null,
  query: null,
  body: z.object(
    {
      text: text.describe('what would be remembered'),
      persona: optional(persona, sharedPersona).describe('the sub-namespace it would be stored in'),
      source: optional(source, 'user'),
      session_id: optional(sessionId, null).describe('the conversation whose last texts say who `she` is'),
      occurred_at: optional(occurredAt, null).describe(
        'when it was said, in Unix seconds; null: now. Order in time and relative dates go by it. Not in the future',
      ),
      use_llm_extraction: optional(flag('use_llm_extraction'), false).describe(
        'read facts with the LLM of the server, where it has one',
      ),
    },
    { error: 'the body must be a JSON object' },
  ),
  reply: extractReply,
  example: { text: 'My sister Maria moved from Lisbon to Porto.' },
  llmCalls: ({ body }) => Number(body.useLlmExtraction),
  free: async ({ body }, { now }) => {
    refuseFuture([{ path: 'occurred_at', time: body.occurredAt }], now)
    return null
  },
  handle: ({ body }, { memory, namespace, signal }) =>
    memory.extract(namespace, { ...body, metadata: null }, signal),
})
