import { z } from 'zod'
import { sharedPersona } from '../../memory/model.ts'
import { flag, optional, persona, source, text } from '../fields.ts'
import { defineRoute } from '../route.ts'
import { extractReply } from './graph-replies.ts'

/** POST /brain/extract */
export const extract = defineRoute({
  method: 'POST',
  path: '/brain/extract',
  auth: 'key',
  operationId: 'extract',
  summary: 'Show what ingest would make of a text',
  description:
    'Takes the body of an ingest and stores nothing; fields that change nothing of what is read are ignored. Shows the chunks, the entities, and every fact with the words it was read from, how sure that is, and what it would replace. Offsets are UTF-16 code units of the text without the invisible characters that are removed from it.',
  // The models do the work of an ingest.
  cost: 5,
  params: null,
  query: null,
  body: z.object(
    {
      text: text.describe('what would be remembered'),
      persona: optional(persona, sharedPersona).describe('the sub-namespace it would be stored in'),
      source: optional(source, 'user'),
      use_llm_extraction: optional(flag('use_llm_extraction'), false).describe(
        'read facts with the LLM of the server, where it has one',
      ),
    },
    { error: 'the body must be a JSON object' },
  ),
  reply: extractReply,
  example: { text: 'My sister Maria moved from Lisbon to Porto.' },
  llmCalls: ({ body }) => Number(body.useLlmExtraction),
  handle: ({ body }, { memory, namespace, signal }) =>
    memory.extract(namespace, { ...body, sessionId: null, metadata: null }, signal),
})
