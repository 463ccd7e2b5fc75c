import { z } from 'zod'
import { sharedPersona } from '../../../memory/model.ts'
import { flag, limits, metadata, optional, time } from '../../fields.ts'
import { defineRoute } from '../../route.ts'
import { opsPerItem, refuseFuture, refuseTotalFailure } from '../../routes/ingest.ts'
import { messages } from './messages.ts'
import { bodyError, filters, missing, ownerFields, ownMetadata, scopeOf } from './scope.ts'

const addBody = z
  .object(
    {
      messages,
      ...ownerFields,
      // The typed options of the Python client put the owners here.
      filters,
      metadata: optional(metadata, null),
      infer: optional(flag('infer'), true),
      timestamp: optional(time('timestamp'), null),
      expiration_date: missing('expiration_date', ': memories fade, they do not expire'),
      custom_categories: missing('custom_categories'),
      custom_instructions: missing('custom_instructions'),
      agent_custom_instructions: missing('agent_custom_instructions'),
      structured_data_schema: missing('structured_data_schema'),
    },
    bodyError,
  )
  .transform(({ messages, infer, metadata, filters, timestamp, ...owners }) => {
    const own = scopeOf(owners)
    const session_id = own.session_id ?? filters.session_id
    const fields = {
      ...metadata,
      ...filters.metadata,
      ...own.metadata,
      ...ownMetadata({ run_id: session_id }),
    }
    return {
      ...{ messages, infer, timestamp, session_id },
      persona: own.persona ?? filters.persona ?? sharedPersona,
      metadata: Object.keys(fields).length === 0 ? null : fields,
    }
  })

/** POST /v3/memories/add/: every message is a text of its own, believed as its role is. */
export const addMessages = defineRoute({
  method: 'POST',
  path: '/compat/mem0/v3/memories/add/',
  auth: 'key',
  operationId: 'mem0Add',
  summary: 'Remember messages',
  cost: { text: '5 per message', of: ({ body }) => opsPerItem * body.messages.length },
  params: null,
  query: null,
  body: addBody,
  bodyBytes: limits.batchBodyBytes,
  replayable: true,
  deadlineMs: 300_000,
  reply: z.object({
    results: z.array(z.object({ id: z.string(), memory: z.string(), event: z.enum(['ADD', 'NOOP']) })),
    /** Messages that could not be stored, for a cause on the side of the server. */
    failed: z.int(),
    status: z.enum(['SUCCEEDED', 'PARTIAL']),
  }),
  example: { messages: [{ role: 'user', content: 'I live in Lisbon.' }], user_id: 'alice' },
  items: ({ body }) => body.messages.length,
  free: async ({ body }, { now }) => {
    refuseFuture([{ path: 'timestamp', time: body.timestamp }], now)
    return null
  },
  handle: async ({ body: { messages, infer, timestamp, ...about } }, { memory, namespace, signal }) => {
    const shared = { ...about, occurredAt: timestamp, useLlmExtraction: false, readFacts: infer }
    const items = messages.map((told) => ({ ...told, ...shared }))
    const { results, failed } = refuseTotalFailure(await memory.ingestBatch(namespace, items, signal))
    const stored = results.flatMap((result) =>
      'error' in result ? [] : (result.ids ?? []).map((id) => ({ id, event: eventOf(result) })),
    )
    const held = stored.map(async ({ id, event }) => {
      const record = await memory.get(namespace, id)
      return record === null ? [] : [{ id, memory: record.fact, event }]
    })
    return {
      results: (await Promise.all(held)).flat(),
      ...{ failed, status: failed === 0 ? ('SUCCEEDED' as const) : ('PARTIAL' as const) },
    }
  },
})

const eventOf = ({ deduplicated }: { readonly deduplicated: boolean }) =>
  deduplicated ? ('NOOP' as const) : ('ADD' as const)
