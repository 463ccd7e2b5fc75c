import { z } from 'zod'
import { tiers } from '../../accounts/tiers.ts'
import type { Seconds } from '../../core/clock.ts'
import { ServiceError } from '../../core/errors.ts'
import type { BatchReply, Conversation, IngestItem } from '../../memory/memory.ts'
import { sharedPersona } from '../../memory/model.ts'
import {
  characters,
  externalId,
  flag,
  limits,
  metadata,
  occurredAt,
  optional,
  persona,
  prose,
  sessionId,
  source,
  speakerName,
  text,
} from '../fields.ts'
import { defineRoute } from '../route.ts'
import type { Inside } from '../wire.ts'
import { batchReply, ingestReply } from './ingest-replies.ts'

/** Above every tier's batch size: a list that no plan takes is refused without looking at its items. */
const mostItems = 1_000

function noTierTakes(items: unknown): string {
  const { title, batchItems } = tiers.enterprise
  const count = Array.isArray(items) ? items.length : 'too many'
  return `items has ${count} entries: even a batch on tier ${title} takes at most ${batchItems} items`
}

/** As many as the largest plan takes in a batch. */
const mostMessages = 100

const message = z
  .object(
    {
      role: z
        .enum(['user', 'assistant', 'system'], { error: 'role must be one of user, assistant, system' })
        .describe('who said it: its source is user, assistant, or document for system'),
      content: prose('content', limits.textCharacters).describe('what was said'),
      name: optional(speakerName, null).describe('the name of who said it; `I` means that person then'),
      occurred_at: optional(occurredAt, null).describe(
        'when it was said, in Unix seconds; null: with the message before it',
      ),
    },
    { error: 'the message must be a JSON object' },
  )
  .meta({ id: 'Message' })

const messages = z
  .array(message, { error: 'messages must be an array of messages' })
  .min(1, 'messages must have at least 1 entry')
  .max(mostMessages, `messages must have at most ${mostMessages} entries`)
  .refine(
    (several) => several.reduce((sum, { content }) => sum + characters(content), 0) <= limits.textCharacters,
    `messages must have at most ${limits.textCharacters.toLocaleString('en')} characters in all`,
  )

const itemFields = {
  text: text.nullish().describe('what to remember; this or `messages`'),
  messages: optional(messages, null).describe(
    'instead of `text`: what was said in a conversation, in its order. Each message is a text of its own with its own source and costs as much as one',
  ),
  persona: optional(persona, sharedPersona).describe('the sub-namespace to store it in'),
  source: optional(source, 'user'),
  session_id: optional(sessionId, null),
  use_llm_extraction: optional(flag('use_llm_extraction'), false).describe(
    'read facts with the LLM of the server, where it has one',
  ),
  metadata: optional(metadata, null),
  external_id: optional(externalId, null).describe(
    'your own name for it: another text under the same name and persona takes its place, the same one again changes nothing',
  ),
  occurred_at: optional(occurredAt, null).describe(
    'when it was said, in Unix seconds; null: now. Order in time and relative dates go by it. Not in the future',
  ),
}

const item = (error: string) =>
  z.object(itemFields, { error }).superRefine(({ text, messages }, context) => {
    const add = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message })
    if (messages !== null && typeof text === 'string') add('messages', 'give text or messages, not both')
    if (messages !== null || typeof text === 'string') return
    add('text', text === null ? 'text must be a string' : 'text is missing')
  })

type Item = Inside<z.output<ReturnType<typeof item>>>

/** The item in the form that it has. */
function formOf({ text, messages, source, ...shared }: Item): IngestItem | Conversation {
  return messages === null ? { ...shared, source, text: text ?? '' } : { ...shared, messages }
}

const textsIn = ({ messages }: Item) => messages?.length ?? 1
const textsOf = (items: readonly Item[]) => items.reduce((sum, one) => sum + textsIn(one), 0)

/** Every time that an item names, and where. */
const timesIn = ({ occurredAt, messages }: Item, place: string) => [
  { path: `${place}occurred_at`, time: occurredAt },
  ...(messages ?? []).map((one, at) => ({
    path: `${place}messages.${at}.occurred_at`,
    time: one.occurredAt,
  })),
]

export const opsPerItem = 5

/** A caller's clock may be so much ahead. */
const skewSeconds = 60

/** Nothing has been said in the future. Throws what is told of a field that is. */
export function refuseFuture(
  times: readonly { readonly path: string; readonly time: Seconds | null }[],
  now: Seconds,
) {
  const errors = times
    .filter(({ time }) => time !== null && time > now + skewSeconds)
    .map(({ path }) => ({ path, message: `${path.split('.').at(-1)} must not be in the future` }))
  const [first] = errors
  if (first === undefined) return
  const place = first.path.includes('.') ? ` (at ${first.path})` : ''
  throw new ServiceError('invalid_request', { detail: `${first.message}${place}.`, errors })
}

/** POST /brain/ingest */
export const ingest = defineRoute({
  method: 'POST',
  path: '/brain/ingest',
  auth: 'key',
  operationId: 'ingest',
  summary: 'Remember a text',
  description:
    'Splits the text into chunks, reads entities and facts from it, and stores them. A text that is already known is skipped: `deduplicated` is true and the counts are 0.',
  cost: { text: '5 per text or message', of: ({ body }) => opsPerItem * textsIn(body) },
  params: null,
  query: null,
  body: item('the body must be a JSON object'),
  replayable: true,
  reply: ingestReply,
  example: { text: 'My sister Maria lives in Lisbon and works at the aquarium.', session_id: 'today' },
  items: ({ body }) => textsIn(body),
  itemsField: 'messages',
  llmCalls: ({ body }) => (body.useLlmExtraction ? textsIn(body) : 0),
  line: 'writes',
  free: async ({ body }, { now }) => {
    refuseFuture(timesIn(body, ''), now)
    return null
  },
  handle: ({ body }, { memory, namespace, signal }) => memory.ingest(namespace, formOf(body), signal),
})

const batchBody = z.object(
  {
    items: z
      .array(item('the item must be a JSON object').meta({ id: 'IngestItem' }), {
        error: 'items must be an array of ingest items',
      })
      .max(mostItems, { error: ({ input }) => noTierTakes(input) })
      .describe('what to remember; how many a call takes depends on the plan'),
  },
  { error: 'the body must be a JSON object' },
)

/** POST /brain/ingest/batch */
export const ingestBatch = defineRoute({
  method: 'POST',
  path: '/brain/ingest/batch',
  auth: 'key',
  operationId: 'ingestBatch',
  summary: 'Remember several texts',
  description:
    'Items are independent: `results` has one entry per item, in order. The whole cost is taken before the work. One invalid item refuses the call.',
  cost: {
    text: '5 per text or message',
    of: ({ body }) => opsPerItem * textsOf(body.items),
  },
  params: null,
  query: null,
  body: batchBody,
  bodyBytes: limits.batchBodyBytes,
  replayable: true,
  // A full batch of long texts is minutes of embedding on a small machine.
  deadlineMs: 300_000,
  reply: batchReply,
  example: {
    items: [
      { text: 'I am allergic to peanuts.', external_id: 'note-1' },
      { text: 'I moved to Berlin in May 2024.' },
    ],
  },
  items: ({ body }) => textsOf(body.items),
  llmCalls: ({ body }) => textsOf(body.items.filter(({ useLlmExtraction }) => useLlmExtraction)),
  free: async ({ body }, { now }) => {
    refuseFuture(
      body.items.flatMap((one, at) => timesIn(one, `items.${at}.`)),
      now,
    )
    return null
  },
  handle: async ({ body }, { memory, namespace, signal }) =>
    refuseTotalFailure(await memory.ingestBatch(namespace, body.items.map(formOf), signal)),
})

/** POST /brain/known */
export const known = defineRoute({
  method: 'POST',
  path: '/brain/known',
  auth: 'key',
  operationId: 'known',
  summary: 'Ask which texts are kept already',
  description:
    'Takes the items of a batch, more of them, and stores nothing: what goes on after an interruption asks this first. An item is known when the same text with the same source, session, metadata and time is kept under its `external_id`. One without an `external_id`, or with `messages`, is never known.',
  cost: 1,
  params: null,
  query: null,
  body: batchBody,
  bodyBytes: limits.batchBodyBytes,
  reply: z.object({
    known: z
      .array(z.array(z.string()).nullable())
      .describe('for each item the memories that hold it, in their order; null: it is not known'),
  }),
  example: {
    items: [
      { text: 'I am allergic to peanuts.', external_id: 'note-1' },
      { text: 'I have a cat.', external_id: 'note-2' },
    ],
  },
  handle: async ({ body }, { memory, namespace }) => ({
    known: await memory.known(namespace, body.items.map(formOf)),
  }),
})

/** Items fail for server causes alone, their form having been checked: a batch without any success is a failure. */
export function refuseTotalFailure(reply: BatchReply): BatchReply {
  if (reply.succeeded > 0 || reply.failed === 0) return reply
  throw new ServiceError('store_unavailable', {
    detail: `None of the ${reply.failed} items could be stored; retry shortly.`,
    extra: { succeeded: 0, failed: reply.failed },
  })
}
