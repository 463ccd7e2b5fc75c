import { z } from 'zod'
import { tiers } from '../../accounts/tiers.ts'
import { ServiceError } from '../../core/errors.ts'
import type { BatchReply } from '../../memory/memory.ts'
import { sharedPersona } from '../../memory/model.ts'
import { flag, limits, metadata, optional, persona, sessionId, source, text } from '../fields.ts'
import { defineRoute } from '../route.ts'
import { batchReply, ingestReply } from './replies.ts'

/** Above every tier's batch size: a list that no plan takes is refused without looking at its items. */
const mostItems = 1_000

function noTierTakes(items: unknown): string {
  const { title, batchItems } = tiers.enterprise
  const count = Array.isArray(items) ? items.length : 'too many'
  return `items has ${count} entries: even a batch on tier ${title} takes at most ${batchItems} items`
}

const ingestItem = z.object(
  {
    text,
    persona: optional(persona, sharedPersona),
    source: optional(source, 'user'),
    session_id: optional(sessionId, null),
    use_llm_extraction: optional(flag('use_llm_extraction'), false),
    metadata: optional(metadata, null),
  },
  { error: 'the body must be a JSON object' },
)

const opsPerItem = 5

/** POST /brain/ingest */
export const ingest = defineRoute({
  method: 'POST',
  path: '/brain/ingest',
  auth: 'key',
  summary: 'Remember a text',
  description:
    'Splits the text into chunks, reads entities and facts from it, and stores them. A text that is already known is skipped: `deduplicated` is true and the counts are 0.',
  cost: opsPerItem,
  params: null,
  query: null,
  body: ingestItem,
  replayable: true,
  reply: ingestReply,
  example: { text: 'My sister Maria lives in Lisbon and works at the aquarium.', session_id: 'today' },
  handle: ({ body }, { memory, namespace, signal }) => memory.ingest(namespace, body, signal),
})

/** POST /brain/ingest/batch */
export const ingestBatch = defineRoute({
  method: 'POST',
  path: '/brain/ingest/batch',
  auth: 'key',
  summary: 'Remember several texts',
  description:
    'Items are independent: `results` has one entry per item, in order. The whole cost is taken before the work. One invalid item refuses the call.',
  cost: { text: '5 per item', of: ({ body }) => opsPerItem * body.items.length },
  params: null,
  query: null,
  body: z.object(
    {
      items: z
        .array(ingestItem, { error: 'items must be an array of ingest items' })
        .max(mostItems, { error: ({ input }) => noTierTakes(input) }),
    },
    { error: 'the body must be a JSON object' },
  ),
  bodyBytes: limits.batchBodyBytes,
  replayable: true,
  // A full batch of long texts is minutes of embedding on a small machine.
  deadlineMs: 300_000,
  reply: batchReply,
  example: { items: [{ text: 'I am allergic to peanuts.' }, { text: 'I moved to Berlin in May 2024.' }] },
  items: ({ body }) => body.items.length,
  handle: async ({ body }, { memory, namespace, signal }) =>
    refuseTotalFailure(await memory.ingestBatch(namespace, body.items, signal)),
})

/** Items fail for server causes alone, their form having been checked: a batch without any success is a failure. */
function refuseTotalFailure(reply: BatchReply): BatchReply {
  if (reply.succeeded > 0 || reply.failed === 0) return reply
  throw new ServiceError('store_unavailable', {
    detail: `None of the ${reply.failed} items could be stored; retry shortly.`,
    extra: { succeeded: 0, failed: reply.failed },
  })
}
