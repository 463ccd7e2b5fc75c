import { z } from 'zod'
import { ServiceError } from '../../../core/errors.ts'
import type { MemoryRecord } from '../../../memory/memory.ts'
import { defineRoute } from '../../route.ts'
import { isoTime, mostTexts, stringOf, textsOf, userOf } from './memories.ts'
import { pageOf, pageQuery, pageReply } from './pages.ts'
import { everythingOf, ownerFields, scopeOf } from './scope.ts'

const kinds = ['user', 'agent', 'app', 'run'] as const
type Kind = (typeof kinds)[number]

/** Whom a text belongs to, by kind. */
const ownerOf: Readonly<Record<Kind, (text: MemoryRecord) => string | null>> = {
  user: ({ persona }) => userOf(persona),
  agent: ({ metadata }) => stringOf(metadata?.agent_id),
  app: ({ metadata }) => stringOf(metadata?.app_id),
  run: ({ sessionId }) => sessionId,
}

/** GET /v1/entities/: in mem0 these are the users, agents, apps and runs; not what a text speaks of. */
export const listEntities = defineRoute({
  method: 'GET',
  path: '/compat/mem0/v1/entities/',
  auth: 'key',
  operationId: 'mem0Entities',
  summary: 'List users, agents, apps and runs',
  cost: 1,
  params: null,
  query: pageQuery,
  body: null,
  reply: pageReply(
    z.object({
      id: z.string(),
      name: z.string(),
      type: z.enum(kinds),
      owner: z.null(),
      total_memories: z.int(),
      created_at: z.string(),
      updated_at: z.string(),
    }),
  ),
  handle: async ({ query }, place) => {
    const everything = { persona: null, sessionId: null, since: null, until: null }
    const { texts, isAll } = await textsOf(place, everything)
    if (!isAll) {
      const detail = `memoryd does not count the entities of more than ${mostTexts.toLocaleString('en')} memories.`
      throw new ServiceError('invalid_request', { detail })
    }
    const all = kinds.flatMap((type) =>
      [...Map.groupBy(texts, ownerOf[type])].flatMap(([name, own]) =>
        name === null ? [] : [{ type, name, own }],
      ),
    )
    return pageOf(all, query, '/compat/mem0/v1/entities/', ({ type, name, own }) => {
      // Newest first.
      const [updatedAt = 0, createdAt = 0] = [own[0]?.createdAt, own.at(-1)?.createdAt]
      return {
        ...{ id: name, name, type, owner: null, totalMemories: own.length },
        ...{ createdAt: isoTime(createdAt), updatedAt: isoTime(updatedAt) },
      }
    })
  },
})

const entity = z
  .object({
    type: z.enum(kinds, { error: `type must be one of ${kinds.join(', ')}` }),
    name: z.string(),
  })
  .transform(({ type, name }, context) => {
    const field = `${type}_id` as const
    const checked = ownerFields[field].safeParse(name)
    if (checked.success) return { type, name, scope: scopeOf({ [field]: checked.data }) }
    for (const { message } of checked.error.issues)
      context.addIssue({ code: 'custom', path: ['name'], message })
    return z.NEVER
  })

/** DELETE /v2/entities/{type}/{name}/ */
export const deleteEntity = defineRoute({
  method: 'DELETE',
  path: '/compat/mem0/v2/entities/{type}/{name}/',
  auth: 'key',
  operationId: 'mem0DeleteEntity',
  summary: 'Forget all of a user, an agent, an app or a run',
  cost: 1,
  params: entity,
  query: null,
  body: null,
  reply: z.object({ message: z.string() }),
  handle: async ({ params: { type, scope } }, { memory, namespace }) => {
    const all = everythingOf(scope)
    const { chunks, relations } =
      all === null ? { chunks: 0, relations: 0 } : await memory.forget(namespace, all)
    if (chunks + relations === 0) {
      throw new ServiceError('not_found', { detail: `There is no ${type} of this name.` })
    }
    return { message: 'Entity deleted successfully!' }
  },
})
