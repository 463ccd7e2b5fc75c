import { z } from 'zod'
import { ServiceError } from '../../core/errors.ts'
import type { ForgetRequest } from '../../memory/memory.ts'
import { entityName, memoryId, optional, persona, sessionId, source } from '../fields.ts'
import { defineRoute } from '../route.ts'
import { forgetReply, historyReply, listReply, memoryRecord } from './replies.ts'

const byId = z.object({ id: memoryId })

/** A number in a query string; the document says what it stands for. */
function digits(name: string, minimum: number, maximum: number, type: 'number' | 'integer' = 'number') {
  const error = `${name} must be a number from ${minimum} to ${maximum}`
  return z
    .string({ error })
    .regex(/^\d{1,15}(\.\d{1,9})?$/, error)
    .meta({ type, minimum, maximum, pattern: undefined })
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, error)
}

const latestSeconds = 1e12

/** GET /brain/memories */
export const listMemories = defineRoute({
  method: 'GET',
  path: '/brain/memories',
  auth: 'key',
  summary: 'List memories',
  description: 'Newest first. Pass `next_cursor` as `cursor` for the page after; it is null on the last one.',
  cost: 1,
  params: null,
  query: z.object({
    persona: optional(persona, null),
    type: optional(z.enum(['episodic', 'semantic'], 'type must be episodic or semantic'), null),
    session_id: optional(sessionId, null),
    source: optional(source, null),
    since: optional(digits('since', 0, latestSeconds), null),
    until: optional(digits('until', 0, latestSeconds), null),
    limit: optional(
      digits('limit', 1, 100, 'integer').refine(
        Number.isInteger,
        'limit must be a whole number from 1 to 100',
      ),
      20,
    ),
    cursor: optional(z.string().max(512, 'cursor is not one of ours'), null),
  }),
  body: null,
  reply: listReply,
  handle: ({ query }, { memory, namespace }) => memory.list(namespace, query),
})

/** GET /brain/memories/{id} */
export const getMemory = defineRoute({
  method: 'GET',
  path: '/brain/memories/{id}',
  auth: 'key',
  summary: 'Show one memory',
  cost: 1,
  params: byId,
  query: null,
  body: null,
  reply: memoryRecord,
  handle: async ({ params }, { memory, namespace }) => found(await memory.get(namespace, params.id)),
})

/** GET /brain/memories/{id}/history */
export const memoryHistory = defineRoute({
  method: 'GET',
  path: '/brain/memories/{id}/history',
  auth: 'key',
  summary: 'Show what a memory replaced, and what replaced it',
  cost: 1,
  params: byId,
  query: null,
  body: null,
  reply: historyReply,
  handle: async ({ params }, { memory, namespace }) => found(await memory.history(namespace, params.id)),
})

/** DELETE /brain/memories/{id} */
export const deleteMemory = defineRoute({
  method: 'DELETE',
  path: '/brain/memories/{id}',
  auth: 'key',
  summary: 'Forget one memory',
  cost: 1,
  params: byId,
  query: null,
  body: null,
  reply: forgetReply,
  handle: async ({ params }, { memory, namespace }) => {
    found(await memory.get(namespace, params.id))
    return memory.forget(namespace, { by: 'ids', ids: [params.id] })
  },
})

function found<T>(value: T | null): T {
  if (value === null) throw new ServiceError('not_found', { detail: 'There is no memory with this id.' })
  return value
}

const forgetFields = z.object(
  {
    ids: optional(
      z
        .array(memoryId, { error: 'ids must be an array of memory ids' })
        .min(1, 'ids must have at least 1 entry')
        .max(100, 'ids must have at most 100 entries'),
      null,
    ),
    entity: optional(entityName, null),
    session_id: optional(sessionId, null),
    persona: optional(persona, null),
    everything: optional(z.boolean({ error: 'everything must be true or false' }), false),
  },
  { error: 'the body must be a JSON object' },
)

type ForgetFields = z.output<typeof forgetFields>

/** The ways to name what is to be forgotten that a request uses. */
function waysOf(fields: ForgetFields): ForgetRequest[] {
  return [
    ...(fields.ids === null ? [] : [{ by: 'ids' as const, ids: fields.ids }]),
    ...(fields.entity === null ? [] : [{ by: 'entity' as const, entity: fields.entity }]),
    ...(fields.session_id === null ? [] : [{ by: 'session' as const, sessionId: fields.session_id }]),
    ...(fields.persona === null ? [] : [{ by: 'persona' as const, persona: fields.persona }]),
    ...(fields.everything ? [{ by: 'everything' as const }] : []),
  ]
}

/** POST /brain/forget */
export const forget = defineRoute({
  method: 'POST',
  path: '/brain/forget',
  auth: 'key',
  summary: 'Forget by id, entity, session or persona, or everything',
  description:
    'Exactly one of the fields. Removes from every store and counts again: `remaining` 0 is the proof. Unknown names remove nothing.',
  cost: 1,
  params: null,
  query: null,
  body: forgetFields.transform((fields, context) => {
    const [way, ...others] = waysOf(fields)
    if (way !== undefined && others.length === 0) return way
    const message = 'give exactly one of ids, entity, session_id, persona, everything'
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  }),
  reply: forgetReply,
  example: { entity: 'Maria' },
  handle: ({ body }, { memory, namespace }) => memory.forget(namespace, body),
})
