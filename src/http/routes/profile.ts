import { z } from 'zod'
import { digits, optional, persona } from '../fields.ts'
import { defineRoute } from '../route.ts'
import { profileReply } from './graph-replies.ts'

/** GET /brain/profile */
export const profile = defineRoute({
  method: 'GET',
  path: '/brain/profile',
  auth: 'key',
  operationId: 'profile',
  summary: 'Show what is known of the user',
  description:
    'For the start of a prompt: what is pinned, then what there is one of (a name, a home), then the newest of the rest, as far as `max_tokens` goes. Tokens are estimated, rather too many than too few. Unlike a retrieve it counts as no access.',
  cost: 1,
  params: null,
  query: z.object({
    persona: optional(persona, null).describe('that persona and `shared`; null: every persona'),
    max_tokens: optional(digits('max_tokens', 1, 100_000, 'integer'), 500).describe('how long `text` may be'),
  }),
  body: null,
  reply: profileReply,
  handle: ({ query }, { memory, namespace }) => memory.profile(namespace, query),
})
