import { z } from 'zod'
import { ServiceError } from '../../core/errors.ts'
import type { ForgetRequest } from '../../memory/memory.ts'
import {
  digits,
  entityName,
  flag,
  flagText,
  id,
  isSpan,
  latestSeconds,
  memoryId,
  noSpan,
  occurredAt,
  optional,
  persona,
  sessionId,
  source,
  text,
} from '../fields.ts'
import { metadataFilter, metadataFilterText } from '../filter.ts'
import { defineRoute } from '../route.ts'
import { refuseFuture } from './ingest.ts'
import { correctReply, forgetReply, historyReply, listReply, memoryRecord } from './replies.ts'

const byId = z.object({ id: memoryId })

/** As much as an ingest: it is one. */
export const opsPerCorrection = 5

/** GET /brain/memories */
export const listMemories = defineRoute({
  method: 'GET',
  path: '/brain/memories',
  auth: 'key',
  operationId: 'listMemories',
  summary: 'List memories',
  description: 'Newest first. Pass `next_cursor` as `cursor` for the page after; it is null on the last one.',
  cost: 1,
  params: null,
  query: z
    .object({
      persona: optional(persona, null).describe('that persona alone'),
      type: optional(z.enum(['episodic', 'semantic'], 'type must be episodic or semantic'), null).describe(
        'texts or facts alone',
      ),
      session_id: optional(sessionId, null).describe('what was told in that conversation'),
      source: optional(source, null).describe('what that source said'),
      since: optional(digits('since', 0, latestSeconds), null).describe(
        'told then or later, in Unix seconds',
      ),
      until: optional(digits('until', 0, latestSeconds), null).describe('told before then, in Unix seconds'),
      text: optional(id('text'), null).describe('these words stand in it, in any case of letters'),
      pinned: optional(flagText('pinned'), null).describe('only what is pinned, or is not'),
      superseded: optional(flagText('superseded'), null).describe(
        'true: only what no longer holds; false: only what does; without it every text, and the facts that hold',
      ),
      filter: optional(metadataFilterText, null).describe(
        'only memories with such metadata: `filter` of retrieve, as JSON',
      ),
      limit: optional(digits('limit', 1, 100, 'integer'), 20).describe('memories a page'),
      cursor: optional(z.string().max(512, 'cursor is not one of ours'), null).describe(
        '`next_cursor` of the page before',
      ),
    })
    .refine(isSpan, noSpan),
  body: null,
  reply: listReply,
  example: { limit: '2' },
  handle: ({ query }, { memory, namespace }) => memory.list(namespace, query),
})

/** GET /brain/memories/{id} */
export const getMemory = defineRoute({
  method: 'GET',
  path: '/brain/memories/{id}',
  auth: 'key',
  operationId: 'getMemory',
  summary: 'Show one memory',
  description: 'A text or a fact, also one that no longer holds. Unlike a retrieve it counts as no access.',
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
  operationId: 'memoryHistory',
  summary: 'Show what a memory replaced, and what replaced it',
  description:
    'Of a fact every value of the same thing, oldest first; of a text the facts read from it, and what links it to texts before and after it.',
  cost: 1,
  params: byId,
  query: null,
  body: null,
  reply: historyReply,
  handle: async ({ params }, { memory, namespace }) => found(await memory.history(namespace, params.id)),
})

/** PATCH /brain/memories/{id} */
export const patchMemory = defineRoute({
  method: 'PATCH',
  path: '/brain/memories/{id}',
  auth: 'key',
  operationId: 'patchMemory',
  summary: 'Correct a memory, or keep it from fading',
  description:
    'At least one of the fields. `text` is stored as the user’s word, with the persona, session and metadata of the memory that it corrects, which stays as history: a chunk closes with the facts read from it, except those that the new text tells again; a fact closes alone. What the corrected memory had closed holds again, unless the new text closes it too. Of a text that was corrected already the last correction is corrected; `replaced` names it. Of a memory that is out of date the correction holds from now on, unless `occurred_at` says that it was so then. `pinned` exempts the memory, or with `text` the new one, from decay and pruning.',
  cost: {
    text: '5 with `text`, 1 with `pinned` alone',
    of: ({ body }) => (body.text === null ? 1 : opsPerCorrection),
  },
  params: byId,
  query: null,
  body: z
    .object(
      {
        text: optional(text, null).describe('what holds instead'),
        pinned: optional(flag('pinned'), null).describe('true: it neither fades nor is pruned'),
        occurred_at: optional(occurredAt, null).describe(
          'when `text` was said, in Unix seconds; null: now. Not in the future, nor before the memory was told',
        ),
      },
      { error: 'the body must be a JSON object' },
    )
    .refine(({ text, pinned }) => text !== null || pinned !== null, 'give text, pinned, or both'),
  replayable: true,
  reply: correctReply,
  example: { text: 'I live in Porto.', pinned: true },
  free: async ({ body }, { now }) => {
    refuseFuture([{ path: 'occurred_at', time: body.occurredAt }], now)
    return null
  },
  handle: async ({ params: { id }, body }, { memory, namespace, signal }) => {
    const { text, pinned, occurredAt } = body
    if (text !== null) return found(await memory.correct(namespace, { id, text, pinned, occurredAt }, signal))
    const kept = found(await memory.pin(namespace, id, pinned === true))
    return { id, replaced: null, memory: kept }
  },
})

/** DELETE /brain/memories/{id} */
export const deleteMemory = defineRoute({
  method: 'DELETE',
  path: '/brain/memories/{id}',
  auth: 'key',
  operationId: 'deleteMemory',
  summary: 'Forget one memory',
  description:
    'As `ids` of forget: `remaining` 0 is the proof. A fact takes the text with it that it was read from; a text takes the facts that nothing else told.',
  cost: 1,
  params: byId,
  query: null,
  body: null,
  reply: forgetReply,
  handle: async ({ params }, { memory, namespace }) => {
    found(await memory.get(namespace, params.id))
    return { ...(await memory.forget(namespace, { by: 'ids', ids: [params.id] })), ...removedNow }
  },
})

export function found<T>(value: T | null): T {
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
    ).describe('these memories; the text that a fact was read from goes with it'),
    entity: optional(entityName, null).describe('the facts about it, and the texts they were read from'),
    session_id: optional(sessionId, null).describe('what was told in that conversation'),
    persona: optional(persona, null).describe('everything of that persona'),
    everything: optional(flag('everything'), false).describe('everything of the account'),
    filter: optional(metadataFilter, null).describe(
      'everything with such metadata, as `filter` of retrieve; with `session_id` or `persona`, or both, only what is theirs; a document keeps its content, and is deleted by its path',
    ),
    dry_run: optional(flag('dry_run'), false).describe('show what would go, and remove nothing'),
  },
  { error: 'the body must be a JSON object' },
)

type ForgetFields = z.output<typeof forgetFields>

/** The ways to name what is to be forgotten that a request uses. */
function waysOf(fields: ForgetFields): ForgetRequest[] {
  const { filter, persona, session_id: sessionId } = fields
  if (filter !== null) {
    const others = waysOf({ ...fields, filter: null, persona: null, session_id: null })
    return [{ by: 'filter', filter, persona, sessionId }, ...others]
  }
  return [
    ...(fields.ids === null ? [] : [{ by: 'ids' as const, ids: fields.ids }]),
    ...(fields.entity === null ? [] : [{ by: 'entity' as const, entity: fields.entity }]),
    ...(fields.session_id === null ? [] : [{ by: 'session' as const, sessionId: fields.session_id }]),
    ...(fields.persona === null ? [] : [{ by: 'persona' as const, persona: fields.persona }]),
    ...(fields.everything ? [{ by: 'everything' as const }] : []),
  ]
}

const removedNow = { dryRun: false, memories: null }
/** Nothing was removed, so there is nothing to count again. */
const notRemoved = { dryRun: true, sessions: null, remaining: null }

/** POST /brain/forget */
export const forget = defineRoute({
  method: 'POST',
  path: '/brain/forget',
  auth: 'key',
  operationId: 'forget',
  summary: 'Forget by id, entity, session, persona or metadata, or everything',
  description:
    'Exactly one of `ids`, `entity`, `session_id`, `persona`, `everything`, `filter`; `session_id` and `persona` may narrow a `filter`. Removes from every store and counts again: `remaining` 0 is the proof. `entity` removes the facts about it and the texts they were read from; what else those texts told stays, and so do texts that only contain the word. A name that no entity has removes nothing. `dry_run` true changes nothing: the counts are of what would go, and `memories` lists up to 100 texts and 100 facts of it.',
  cost: 1,
  params: null,
  query: null,
  body: forgetFields.transform((fields, context) => {
    const [way, ...others] = waysOf(fields)
    if (way !== undefined && others.length === 0) return { way, dry_run: fields.dry_run }
    const message =
      'give exactly one of ids, entity, session_id, persona, everything, filter; session_id and persona may go with filter'
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  }),
  reply: forgetReply,
  example: { entity: 'Maria', dry_run: true },
  handle: async ({ body: { way, dryRun } }, { memory, namespace }) =>
    dryRun
      ? { ...(await memory.previewForget(namespace, way)), ...notRemoved }
      : { ...(await memory.forget(namespace, way)), ...removedNow },
})
