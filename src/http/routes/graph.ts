import { z } from 'zod'
import { ServiceError } from '../../core/errors.ts'
import { digits, entityName, flagText, id, optional, persona, query } from '../fields.ts'
import { defineRoute } from '../route.ts'
import { entitiesReply, entityTypes, graphReply } from './graph-replies.ts'

/** GET /brain/entities */
export const listEntities = defineRoute({
  method: 'GET',
  path: '/brain/entities',
  auth: 'key',
  operationId: 'listEntities',
  summary: 'List the entities of the graph',
  description:
    'By name, each with the number of facts that hold and touch it. Pass `next_cursor` as `cursor` for the page after; it is null on the last one.',
  cost: 1,
  params: null,
  query: z.object({
    prefix: optional(id('prefix'), null).describe('how its name, or another name of it, begins'),
    text: optional(id('text'), null).describe('what stands anywhere in one of its names'),
    type: optional(z.enum(entityTypes, `type must be one of ${entityTypes.join(', ')}`), null).describe(
      'entities of this type alone',
    ),
    limit: optional(digits('limit', 1, 100, 'integer'), 20).describe('entities a page'),
    cursor: optional(z.string().max(1_024, 'cursor is not one of ours'), null).describe(
      '`next_cursor` of the page before',
    ),
  }),
  body: null,
  reply: entitiesReply,
  example: { prefix: 'mar' },
  handle: ({ query }, { memory, namespace }) => memory.entities(namespace, query),
})

/** GET /brain/graph */
export const graph = defineRoute({
  method: 'GET',
  path: '/brain/graph',
  auth: 'key',
  operationId: 'graph',
  summary: 'Show the graph around an entity or a question',
  description:
    'Exactly one of `entity` and `query`. A question starts at the entities that it names, or else at those near it. What is nearest is shown first, as far as `limit` goes; `more` says how many facts of an entity are not shown. An entity that is not there is 404.',
  cost: { text: '2 per 300 entities asked for', of: ({ query }) => 2 * Math.ceil(query.limit / 300) },
  params: null,
  query: z
    .object({
      entity: optional(entityName, null).describe('the name or the id of an entity'),
      query: optional(query, null).describe('a question in plain language'),
      hops: optional(digits('hops', 1, 3, 'integer'), 1).describe('how many steps away from where it starts'),
      limit: optional(digits('limit', 1, 5_000, 'integer'), 100).describe('entities at most'),
      include_superseded: optional(flagText('include_superseded'), false).describe(
        'facts that no longer hold, too',
      ),
      persona: optional(persona, null).describe('facts of that persona and of `shared`; null: of all'),
    })
    .refine(({ entity, query }) => (entity === null) !== (query === null), {
      path: ['entity'],
      error: 'give exactly one of entity and query',
    }),
  body: null,
  reply: graphReply,
  example: { query: 'Where does my sister live?', hops: '2' },
  handle: async ({ query }, { memory, namespace, signal }) => {
    const found = await memory.graph(namespace, query, signal)
    if (found === null) throw new ServiceError('not_found', { detail: 'There is no entity with this name.' })
    return found
  },
})
