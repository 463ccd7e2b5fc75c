import { z } from 'zod'
import { between, flag, optional, persona, personaOrAll } from '../fields.ts'
import { defineRoute } from '../route.ts'
import { consolidateReply, pruneReply, statsReply } from './replies.ts'

/** POST /brain/consolidate */
export const consolidate = defineRoute({
  method: 'POST',
  path: '/brain/consolidate',
  auth: 'key',
  summary: 'Run decay, pruning and compression',
  description:
    'Runs every hour by itself. A run within the last 10 minutes answers `skipped: true` and costs nothing, unless `force` is true; so does one that is going on.',
  cost: 3,
  params: null,
  query: null,
  body: z.object(
    { persona: optional(persona, null), force: optional(flag('force'), false) },
    { error: 'the body must be a JSON object' },
  ),
  mayBeEmpty: true,
  deadlineMs: 300_000,
  reply: consolidateReply,
  example: {},
  free: ({ body }, { memory, namespace }) => memory.skippedRun(namespace, body),
  handle: ({ body }, { memory, namespace }) => memory.consolidate(namespace, body),
  isIdle: ({ skipped }) => skipped,
})

/** POST /brain/prune */
export const prune = defineRoute({
  method: 'POST',
  path: '/brain/prune',
  auth: 'key',
  summary: 'Remove low-confidence memories, or count them',
  description: 'Counts only, unless `dry_run` is false.',
  cost: 1,
  params: null,
  query: null,
  body: z.object(
    {
      threshold: optional(between('threshold', 0, 1), 0.05),
      dry_run: optional(flag('dry_run'), true),
      persona: optional(persona, null),
    },
    { error: 'the body must be a JSON object' },
  ),
  mayBeEmpty: true,
  reply: pruneReply,
  example: { threshold: 0.05, dry_run: true },
  handle: ({ body }, { memory, namespace }) => memory.prune(namespace, body),
})

/** POST /brain/stats */
export const stats = defineRoute({
  method: 'POST',
  path: '/brain/stats',
  auth: 'key',
  summary: 'Count memories',
  description:
    'Counts one persona (default `shared`); `*` counts the whole namespace. `user_id` is required and its value ignored: the key decides.',
  cost: 0,
  params: null,
  query: null,
  body: z.object(
    { user_id: z.string({ error: 'user_id must be a string' }), persona: personaOrAll },
    { error: 'the body must be a JSON object' },
  ),
  reply: statsReply,
  example: { user_id: 'me', persona: '*' },
  handle: async ({ body }, { memory, modelsLoaded, namespace }) => ({
    ...(await memory.stats(namespace, body.persona === '*' ? null : body.persona)),
    modelsLoaded,
  }),
})
