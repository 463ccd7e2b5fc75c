import { z } from 'zod'
import { abstractionsPerRun } from '../../memory/lifecycle/abstractions.ts'
import { between, flag, optional, persona, personaOrAll, requiredString, whole } from '../fields.ts'
import { defineRoute } from '../route.ts'
import { consolidateReply, lifecycleReply, pruneReply, statsReply } from './replies.ts'

/** POST /brain/consolidate */
export const consolidate = defineRoute({
  method: 'POST',
  path: '/brain/consolidate',
  auth: 'key',
  operationId: 'consolidate',
  summary: 'Run decay, pruning and compression',
  description:
    'Runs every hour by itself. A run within the last 10 minutes answers `skipped: true` and costs nothing, unless `force` is true; so does one that is going on.',
  cost: 3,
  params: null,
  query: null,
  body: z.object(
    {
      persona: optional(persona, null).describe('that persona alone; null: every persona'),
      force: optional(flag('force'), false).describe('run even when a run was recent'),
    },
    { error: 'the body must be a JSON object' },
  ),
  mayBeEmpty: true,
  deadlineMs: 300_000,
  reply: consolidateReply,
  example: {},
  llmCalls: () => abstractionsPerRun,
  free: ({ body }, { memory, namespace }) => memory.skippedRun(namespace, body),
  handle: ({ body }, { memory, namespace }) => memory.consolidate(namespace, body),
  isIdle: ({ skipped }) => skipped,
})

/** POST /brain/prune */
export const prune = defineRoute({
  method: 'POST',
  path: '/brain/prune',
  auth: 'key',
  operationId: 'prune',
  summary: 'Remove low-confidence memories, or count them',
  description:
    'Counts only, unless `dry_run` is false. With `in_days` it counts what would be below the threshold by then if nobody asked for any of it; with `limit` it also shows it.',
  cost: 1,
  params: null,
  query: null,
  body: z
    .object(
      {
        threshold: optional(between('threshold', 0, 1), 0.05).describe('what has less confidence goes'),
        dry_run: optional(flag('dry_run'), true).describe('count alone; false: remove'),
        persona: optional(persona, null).describe('that persona alone; null: every persona'),
        in_days: optional(between('in_days', 0, 3_650), 0).describe(
          'of a dry run: as it would be in so many days',
        ),
        limit: optional(whole('limit', 0, 100), 0).describe(
          'of a dry run: so many of those that would go are shown',
        ),
      },
      { error: 'the body must be a JSON object' },
    )
    .refine(({ dry_run: dryRun, in_days: inDays }) => dryRun || inDays === 0, {
      path: ['in_days'],
      error: 'in_days needs dry_run',
    }),
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
  operationId: 'stats',
  summary: 'Count memories',
  description:
    'Counts one persona (default `shared`); `*` counts the whole namespace. `user_id` is required and its value ignored: the key decides.',
  cost: 0,
  params: null,
  query: null,
  body: z.object(
    {
      user_id: requiredString('user_id').describe('required and ignored: the key decides'),
      persona: personaOrAll.describe('that persona alone; `*`: the whole namespace'),
    },
    { error: 'the body must be a JSON object' },
  ),
  reply: statsReply,
  example: { user_id: 'me', persona: '*' },
  handle: async ({ body }, { memory, modelsLoaded, namespace }) => ({
    ...(await memory.stats(namespace, body.persona === '*' ? null : body.persona)),
    modelsLoaded,
  }),
})

/** GET /brain/lifecycle */
export const lifecycle = defineRoute({
  method: 'GET',
  path: '/brain/lifecycle',
  auth: 'key',
  operationId: 'lifecycle',
  summary: 'Show how memories fade, and what the last runs did',
  description:
    'The confidence of a memory is its own times 2^(−days since it was returned last / `half_life_days`); a pinned one keeps its own.',
  cost: 0,
  params: null,
  query: z.object({
    persona: optional(persona, null).describe('runs for that persona alone; null: those for every persona'),
  }),
  body: null,
  reply: lifecycleReply,
  handle: ({ query }, { memory, namespace }) => memory.lifecycle(namespace, query.persona),
})
