import { z } from 'zod'
import { tierNames } from '../../accounts/tiers.ts'

const count = z.int().min(0)
const milliseconds = z.number().min(0).describe('total processing time in milliseconds')
const unixSeconds = z.number().describe('Unix time in seconds')
const unit = z.number().min(0).max(1)
const ownMetadata = z.record(z.string(), z.unknown()).nullable()
const source = z.enum(['user', 'assistant', 'document'])

const ingestCounts = {
  facts_ingested: count.describe('graph relationships stored'),
  episodic_chunks: count.describe('vector chunks stored'),
  entities_extracted: count.describe('entity nodes created or updated'),
  triples_extracted: count.describe('equal to facts_ingested'),
  working_memory_updated: z.boolean().describe('whether the session was updated'),
  msg: z.string().describe('the counts as a sentence'),
  latency_ms: milliseconds,
  deduplicated: z.boolean().describe('the text was already known'),
}

export const ingestReply = z.object(ingestCounts)

export const batchReply = z.object({
  ...ingestCounts,
  results: z.array(z.union([ingestReply, z.object({ error: z.string(), detail: z.string() })])),
  succeeded: count,
  failed: count,
})

const retrievedFact = z.object({
  id: z.string(),
  fact: z.string(),
  score: unit.describe('0.7 and more: directly relevant; 0.4: probably; 0.2: tangential'),
  source_type: z.enum(['episodic', 'semantic', 'working']),
  created_at: unixSeconds,
  access_count: count,
  confidence: unit,
  metadata: ownMetadata,
  persona: z.string(),
  rank: z.int().min(1).describe('1 is the best, whatever the place in the list'),
  retention: unit.describe('confidence after decay'),
  superseded: z.boolean(),
})

const reasoningStep = z.object({
  hop: z.int().min(1),
  from: z.string(),
  relation: z.string(),
  to: z.string(),
  fact: z.string(),
  confidence: unit,
})

export const retrieveReply = z.object({
  context: z.string().describe('one line per fact, ready for a system prompt'),
  facts: z.array(retrievedFact).describe('best at both ends: models read the middle worst'),
  episodic_count: count,
  semantic_count: count,
  working_count: count,
  reasoning_chain: z.array(reasoningStep).nullable(),
  truncated: z.boolean().describe('a cap was reached: the traversal is partial'),
  degraded: z
    .array(z.enum(['neo4j', 'qdrant', 'redis']))
    .describe('stores that could not answer; mostly empty'),
  latency_ms: milliseconds,
})

export const graphQaReply = z.object({
  answer: z.string(),
  facts_used: count,
  facts: z.array(z.string()).optional().describe('the numbered facts that the answer cites'),
  error: z.string().optional().describe('`LLM not available` when the server has none'),
})

export const consolidateReply = z.object({
  memories_reinforced: count,
  memories_decayed: count,
  memories_pruned: count,
  memories_compressed: count,
  abstractions_created: count,
  latency_ms: milliseconds,
  skipped: z.boolean().describe('it ran recently: nothing was done or charged'),
  last_run_at: unixSeconds.nullable(),
})

export const pruneReply = z.object({
  candidates: count.describe('relationships and chunks below the threshold'),
  pruned: count.describe('of these, removed'),
  threshold: unit,
  dry_run: z.boolean(),
  relations: count,
  chunks: count,
  orphaned_entities: count,
})

export const statsReply = z.object({
  episodic_count: count,
  semantic_entities: count,
  semantic_relations: count,
  models_loaded: z.boolean(),
})

const storeState = z.string().describe('`connected`, or `error: <reason>`')

export const healthReply = z.object({
  ready: z.boolean(),
  models_loaded: z.boolean(),
  neo4j: storeState,
  redis: storeState,
  qdrant: storeState,
  version: z.string(),
  mode: z.enum(['embedded', 'server']),
})

export const memoryRecord = z.object({
  id: z.string(),
  type: z.enum(['episodic', 'semantic']),
  fact: z.string(),
  persona: z.string(),
  session_id: z.string().nullable(),
  source,
  confidence: unit,
  retention: unit,
  access_count: count,
  created_at: unixSeconds,
  last_access_at: unixSeconds,
  metadata: ownMetadata,
  superseded: z.boolean(),
  triple: z.object({ subject: z.string(), relation: z.string(), object: z.string() }).nullable(),
})

export const listReply = z.object({
  memories: z.array(memoryRecord),
  next_cursor: z.string().nullable().describe('null on the last page'),
})

export const historyReply = z.object({
  id: z.string(),
  history: z.array(
    z.object({
      id: z.string(),
      fact: z.string(),
      source,
      created_at: unixSeconds,
      closed_at: unixSeconds.nullable(),
      replaces: z.array(z.string()),
      replaced_by: z.string().nullable(),
      evidence: z.string().describe('the sentence it was read from'),
      current: z.boolean(),
    }),
  ),
})

export const forgetReply = z.object({
  chunks: count,
  relations: count,
  entities: count,
  sessions: count,
  remaining: count.describe('counted again after the removal: 0 is the proof'),
  latency_ms: milliseconds,
})

export const issuedKeyReply = z.object({
  key: z.string().describe('shown once: only its hash is kept'),
  id: z.string(),
  account: z.string(),
  tier: z.enum(tierNames),
})

const keyInfo = z.object({
  id: z.string(),
  account: z.string(),
  tier: z.enum(tierNames),
  last_four: z.string(),
  created_at: z.number(),
  expires_at: z.number().nullable().describe('not valid from then on; null: no end'),
  active: z.boolean(),
})

export const accountReply = z.object({
  account: z.string(),
  tier: z.enum(tierNames),
  monthly_ops: z
    .int()
    .min(0)
    .nullable()
    .describe('replaces the budget of the tier; null: the own one of the tier'),
})

export const keysReply = z.object({ keys: z.array(keyInfo), accounts: z.array(accountReply) })

export const revokeReply = z.object({ id: z.string(), revoked: z.boolean() })
