import { z } from 'zod'
import { between, memoryId, optional, query, text, whole } from '../../fields.ts'
import { defineRoute, type Route } from '../../route.ts'
import { found, opsPerCorrection } from '../../routes/memories.ts'
import { addMessages } from './add.ts'
import { isoDate, secondsOf } from './dates.ts'
import { deleteEntity, listEntities } from './entities.ts'
import { editionsUntil, isoTime, latestEdition, mem0Memory, shown, textsOf, userOf } from './memories.ts'
import { pageOf, pageQuery, pageReply } from './pages.ts'
import {
  bodyError,
  everythingOf,
  filterOf,
  filters,
  missing,
  ownerFields,
  ownersOutside,
  ownMetadata,
  scopeOf,
} from './scope.ts'

const root = '/compat/mem0'
const byId = z.object({ id: memoryId })
const deleted = z.object({ message: z.string() })

/** GET /v1/ping/: what the clients call first. */
const ping = defineRoute({
  method: 'GET',
  path: `${root}/v1/ping/`,
  auth: 'key',
  operationId: 'mem0Ping',
  summary: 'Check the key',
  cost: 0,
  params: null,
  query: null,
  body: null,
  reply: z.object({ status: z.string(), user_email: z.null(), org_id: z.string(), project_id: z.string() }),
  // The Python client does not begin without the last two.
  handle: (_, { caller: { account } }) => ({
    ...{ status: 'ok', userEmail: null, orgId: 'memoryd', projectId: account },
  }),
})

const latestOnly = z
  .literal([true, null], {
    error: 'latest_only false is not supported by memoryd: what was replaced is in the history alone',
  })
  .optional()

/** As many as a retrieve gives. */
const mostFound = 20

/** POST /v3/memories/search/ */
const search = defineRoute({
  method: 'POST',
  path: `${root}/v3/memories/search/`,
  auth: 'key',
  operationId: 'mem0Search',
  summary: 'Find memories',
  cost: 2,
  params: null,
  query: null,
  body: z.object(
    {
      query,
      filters,
      top_k: optional(whole('top_k', 1, mostFound), 10),
      threshold: optional(between('threshold', 0, 1), null),
      latest_only: latestOnly,
      metadata: missing('metadata', ' in a search; filters take metadata'),
      categories: missing('categories'),
      fields: missing('fields'),
      reference_date: missing('reference_date'),
      ...ownersOutside,
    },
    bodyError,
  ),
  reply: z.object({ results: z.array(mem0Memory.extend({ score: z.number() })) }),
  example: { query: 'Where do I live?', filters: { user_id: 'alice' } },
  line: 'searches',
  handle: async ({ body }, { memory, namespace, signal }) => {
    const { persona, sessionId, metadata } = body.filters
    const { facts } = await memory.retrieve(
      namespace,
      {
        ...{ query: body.query, k: body.topK, persona, includeShared: false, sessionId },
        ...{ minScore: body.threshold, maxHops: null },
        ...{ includeEpisodic: true, includeSemantic: false, includeWorking: false, useCompression: false },
        filter: filterOf({ ...metadata, ...ownMetadata({ run_id: sessionId }) }),
      },
      signal,
    )
    const held = facts.filter(({ superseded }) => !superseded).toSorted((a, b) => a.rank - b.rank)
    const results = held.map(async ({ id, score }) => {
      const record = await memory.get(namespace, id)
      return record === null ? [] : [{ ...shown(record), score }]
    })
    return { results: (await Promise.all(results)).flat() }
  },
})

/** POST /v3/memories/ */
const list = defineRoute({
  method: 'POST',
  path: `${root}/v3/memories/`,
  auth: 'key',
  operationId: 'mem0List',
  summary: 'List memories',
  cost: 1,
  params: null,
  query: pageQuery,
  body: z.object(
    {
      filters,
      start_date: isoDate('start_date'),
      end_date: isoDate('end_date'),
      latest_only: latestOnly,
      categories: missing('categories'),
      ...ownersOutside,
    },
    bodyError,
  ),
  mayBeEmpty: true,
  reply: pageReply(mem0Memory),
  example: { filters: { user_id: 'alice' } },
  handle: async ({ query, body }, place) => {
    const { persona, sessionId, metadata } = body.filters
    const asked = { persona, sessionId, filter: filterOf(metadata) }
    const times = { since: secondsOf(body.startDate, 0), until: secondsOf(body.endDate, 86_400) }
    const { texts } = await textsOf(place, { ...asked, ...times })
    return pageOf(texts, query, `${root}/v3/memories/`, shown)
  },
})

/** GET /v1/memories/{id}/ */
const get = defineRoute({
  method: 'GET',
  path: `${root}/v1/memories/{id}/`,
  auth: 'key',
  operationId: 'mem0Get',
  summary: 'Show a memory',
  cost: 1,
  params: byId,
  query: null,
  body: null,
  reply: mem0Memory,
  handle: async ({ params }, place) => shown(await latestEdition(place, params.id)),
})

/** PUT /v1/memories/{id}/ */
const update = defineRoute({
  method: 'PUT',
  path: `${root}/v1/memories/{id}/`,
  auth: 'key',
  operationId: 'mem0Update',
  summary: 'Correct a memory',
  cost: opsPerCorrection,
  params: byId,
  query: null,
  body: z.object(
    {
      text,
      metadata: missing('metadata', ' in an update'),
      timestamp: missing('timestamp', ' in an update'),
      expiration_date: missing('expiration_date', ': memories fade, they do not expire'),
    },
    bodyError,
  ),
  reply: mem0Memory,
  example: { text: 'I live in Porto.' },
  handle: async ({ params, body }, place) => {
    const { memory, namespace, signal } = place
    const { id } = await latestEdition(place, params.id)
    return shown(found(await memory.correct(namespace, { id, text: body.text, pinned: null }, signal)).memory)
  },
})

/** DELETE /v1/memories/{id}/: with all that it was before, which would hold again otherwise. */
const remove = defineRoute({
  method: 'DELETE',
  path: `${root}/v1/memories/{id}/`,
  auth: 'key',
  operationId: 'mem0Delete',
  summary: 'Forget a memory',
  cost: 1,
  params: byId,
  query: z.object({
    delete_linked: z.literal('false', { error: 'delete_linked is not supported by memoryd' }).optional(),
  }),
  body: null,
  reply: deleted,
  handle: async ({ params }, place) => {
    const editions = await editionsUntil(place, await latestEdition(place, params.id))
    await place.memory.forget(place.namespace, { by: 'ids', ids: editions.map(({ id }) => id) })
    return { message: 'Memory deleted successfully!' }
  },
})

/** GET /v1/memories/{id}/history/ */
const history = defineRoute({
  method: 'GET',
  path: `${root}/v1/memories/{id}/history/`,
  auth: 'key',
  operationId: 'mem0History',
  summary: 'Show what a memory was',
  cost: 1,
  params: byId,
  query: null,
  body: null,
  reply: z.array(
    z.object({
      id: z.string(),
      memory_id: z.string(),
      old_memory: z.string().nullable(),
      new_memory: z.string(),
      event: z.enum(['ADD', 'UPDATE']),
      user_id: z.string().nullable(),
      metadata: z.record(z.string(), z.unknown()).nullable(),
      categories: z.array(z.string()),
      input: z.array(z.object({ role: z.string(), content: z.string() })),
      created_at: z.string(),
      updated_at: z.string(),
    }),
  ),
  handle: async ({ params }, place) => {
    const latest = await latestEdition(place, params.id)
    const editions = await editionsUntil(place, latest)
    return editions.map((edition, at) => {
      const { id, fact, persona, source, createdAt } = edition
      const time = isoTime(createdAt)
      return {
        ...{ id, memoryId: latest.id, oldMemory: editions[at - 1]?.fact ?? null, newMemory: fact },
        ...{
          event: at === 0 ? ('ADD' as const) : ('UPDATE' as const),
          userId: userOf(persona),
          metadata: shown(edition).metadata,
        },
        ...{ categories: [], input: [{ role: source, content: fact }], createdAt: time, updatedAt: time },
      }
    })
  },
})

/** DELETE /v1/memories/ */
const removeAll = defineRoute({
  method: 'DELETE',
  path: `${root}/v1/memories/`,
  auth: 'key',
  operationId: 'mem0DeleteAll',
  summary: 'Forget the memories of a user, an agent, an app or a run',
  cost: 1,
  params: null,
  // Something that narrows, and is not understood, must not widen what is deleted.
  query: z
    .strictObject(ownerFields, {
      error: 'memoryd takes user_id, agent_id, app_id and run_id here, and nothing else',
    })
    .transform((owners) => scopeOf(owners))
    .refine(
      ({ persona, session_id, metadata }) =>
        persona !== null || session_id !== null || Object.keys(metadata).length > 0,
      'give at least one of user_id, agent_id, app_id, run_id',
    ),
  body: null,
  reply: deleted,
  example: { user_id: 'alice' },
  handle: async ({ query }, { memory, namespace }) => {
    const all = everythingOf(query)
    if (all !== null) await memory.forget(namespace, all)
    return { message: 'Memories deleted successfully!' }
  },
})

/** What mem0's clients call, at their paths under `/compat/mem0`. */
export const mem0Routes: readonly Route[] = [
  ping,
  addMessages,
  search,
  list,
  get,
  update,
  remove,
  history,
  removeAll,
  listEntities,
  deleteEntity,
]
