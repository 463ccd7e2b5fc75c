import { z } from 'zod'

export const count = z.int().min(0)
export const milliseconds = z.number().min(0).describe('total processing time in milliseconds')
export const unixSeconds = z.number().describe('Unix time in seconds')
export const unit = z.number().min(0).max(1)
const ownMetadata = z.record(z.string(), z.unknown()).nullable().describe('as it was sent with the text')
export const source = z
  .enum(['user', 'assistant', 'document'])
  .meta({ id: 'Source' })
  .describe('who said it; the user is believed most')
export const memoryType = z
  .enum(['episodic', 'semantic'])
  .meta({ id: 'MemoryType' })
  .describe('`episodic`: a text as it was told; `semantic`: a fact read from one')
export const memoryId = z.string().describe('of the memory, for `/brain/memories/{id}`')
export const factText = z.string().describe('what it says, for people and prompts')
export const ownPersona = z.string().describe('the sub-namespace it belongs to')
export const confidence = unit.describe('1 for what the user said; less for documents and the assistant')
const accesses = count.describe('how often it was returned')
const retention = unit.describe('confidence after decay')
const replacedMark = z.boolean().describe('something told later took its place')

export const triple = z
  .object({
    subject: z.string().describe('whom or what it is about'),
    relation: z.string().describe('how the two stand to each other'),
    object: z.string().describe('what is said of the subject'),
    negated: z.boolean().describe('true: it says that this does not hold'),
  })
  .meta({ id: 'Triple' })

const rankingRule = z
  .enum([
    ...['replaced', 'replaces', 'text', 'folded', 'session', 'path'],
    ...['contradicted', 'copy', 'floor', 'k'],
  ] as const)
  .meta({ id: 'RankingRule' })
const otherMemory = z.string().nullable().describe('the id of the memory that the rule is about')

const feature = z
  .object({
    name: z.string().describe('the feature'),
    value: z.number().describe('its value for this memory'),
    weight: z.number().describe('its fitted weight'),
    contribution: z.number().describe('value times weight'),
  })
  .meta({ id: 'ScoreFeature' })
const ruleStep = z
  .object({ rule: rankingRule.describe('the rule'), by: otherMemory })
  .meta({ id: 'ScoreRule' })

const explanation = z
  .object({
    features: z.array(feature).describe('those that are not 0; the contributions add up to `linear`'),
    linear: z.number().describe('the sum of the contributions'),
    answerable: unit.describe('the chance that the memory holds an answer'),
    probability: unit.describe(
      'that chance times the chance that it is this one over that of the best candidate',
    ),
    calibrated: unit.describe('the probability on the scale of scores'),
    rules: z.array(ruleStep).describe('what changed the score or the place afterwards, in order'),
    score: unit.describe('the score in the reply'),
  })
  .meta({ id: 'ScoreExplanation' })

const cutMemory = z
  .object({
    id: memoryId,
    fact: factText,
    score: unit.describe('what it scored'),
    rule: rankingRule.describe('the rule that left it out'),
    by: otherMemory,
  })
  .meta({ id: 'CutMemory' })

const memoryExplanation = z
  .object({
    id: memoryId,
    outcome: z
      .enum(['returned', ...rankingRule.options, 'unknown', 'persona', 'outside', 'closed', 'not_found'])
      .describe(
        '`returned`, the rule that left it out, or why it was not looked at: `unknown` id, other `persona`, `outside` of the times or the filter, `closed` fact, `not_found` near the question by words or meaning',
      ),
    by: otherMemory,
    explanation: explanation.nullable().describe('null when it was not scored'),
  })
  .meta({ id: 'MemoryExplanation' })

const retrieveExplanation = z
  .object({
    cut: z.array(cutMemory).describe('what was found and left out, best first'),
    memory: memoryExplanation.nullable().describe('with `explain: {"id": …}`'),
  })
  .meta({ id: 'RetrieveExplanation' })

const retrievedFact = z
  .object({
    id: memoryId,
    fact: factText,
    score: unit.describe('0.7 and more: directly relevant; 0.4: probably; 0.2: tangential'),
    source_type: z
      .enum(['episodic', 'semantic', 'working'])
      .describe('the memory it came from: a text, a fact, or the session'),
    created_at: unixSeconds.describe('when it was told, in Unix seconds'),
    access_count: accesses,
    confidence,
    metadata: ownMetadata,
    persona: ownPersona,
    rank: z.int().min(1).describe('1 is the best, whatever the place in the list'),
    retention,
    superseded: replacedMark,
    until: unixSeconds
      .nullable()
      .describe('when it stopped to hold; null while it does, or when that is not known'),
    changed_at: unixSeconds
      .nullable()
      .describe('when a part of a text stopped to hold, while the rest does; null otherwise'),
    certainty: unit.describe('how sure the extractor was of a fact; 1 for a text'),
    explanation: explanation.optional().describe('with `explain: true`'),
  })
  .meta({ id: 'RetrievedFact' })

const reasoningStep = z
  .object({
    hop: z.int().min(1).describe('how many steps from the question'),
    from: z.string().describe('the entity it starts at'),
    relation: z.string().describe('the relation followed'),
    to: z.string().describe('the entity it leads to'),
    fact: factText,
    confidence,
  })
  .meta({ id: 'ReasoningStep' })

export const retrieveReply = z.object({
  context: z.string().describe('one line per fact, ready for a system prompt'),
  facts: z.array(retrievedFact).describe('best at both ends: models read the middle worst'),
  episodic_count: count.describe('facts from the texts'),
  semantic_count: count.describe('facts from the graph'),
  working_count: count.describe('facts from the session'),
  reasoning_chain: z
    .array(reasoningStep)
    .nullable()
    .describe('the steps of the traversal with `max_hops` above 1; null otherwise'),
  truncated: z.boolean().describe('a cap was reached: the traversal is partial'),
  degraded: z
    .array(z.enum(['neo4j', 'qdrant', 'redis']))
    .describe('stores that could not answer; mostly empty'),
  latency_ms: milliseconds,
  answerable: unit.describe('the chance that the memory holds the answer'),
  explanation: retrieveExplanation.optional().describe('with `explain`'),
})

export const graphQaReply = z.object({
  answer: z.string().describe('grounded in the facts, which it cites as `[n]`'),
  facts_used: count.describe('graph facts that the model was given'),
  facts: z.array(z.string()).optional().describe('the numbered facts that the answer cites'),
  error: z.string().optional().describe('`LLM not available` when the server has none'),
})

export const consolidateReply = z.object({
  memories_reinforced: count.describe('relationships whose confidence rose since the last run'),
  memories_decayed: count.describe('relationships whose confidence was reduced'),
  memories_pruned: count.describe('relationships and chunks deleted'),
  memories_compressed: count.describe('facts merged into abstractions'),
  abstractions_created: count.describe('new summaries'),
  latency_ms: milliseconds,
  skipped: z.boolean().describe('it ran recently: nothing was done or charged'),
  last_run_at: unixSeconds
    .nullable()
    .describe('of the run before, in Unix seconds; null when there was none'),
})

export const statsReply = z.object({
  episodic_count: count.describe('chunks stored'),
  semantic_entities: count.describe('entities in the graph'),
  semantic_relations: count.describe('relationships in the graph'),
  models_loaded: z.boolean().describe('whether the models are loaded'),
})

const storeState = z.string().describe('`connected`, or `error: <reason>`')

export const healthReply = z.object({
  ready: z.boolean().describe('models are loaded and every store is connected: it can be used'),
  models_loaded: z.boolean().describe('whether the models are loaded'),
  models: z.string().describe('`loaded`, `loading`, or `error: <reason>`'),
  neo4j: storeState,
  redis: storeState,
  qdrant: storeState,
  version: z.string().describe('of the service'),
  embedder: z.string().describe('the model that turns texts into vectors'),
  mode: z
    .enum(['embedded', 'server'])
    .describe('where memories are kept: in a file of its own, or on servers'),
})

export const memoryRecord = z
  .object({
    id: memoryId,
    type: memoryType,
    fact: factText,
    persona: ownPersona,
    session_id: z.string().nullable().describe('the conversation it was told in'),
    source,
    confidence,
    retention,
    access_count: accesses,
    created_at: unixSeconds.describe('when it was told, in Unix seconds'),
    last_access_at: unixSeconds.describe('when it was returned last, in Unix seconds'),
    metadata: ownMetadata,
    superseded: replacedMark,
    pinned: z.boolean().describe('it neither fades nor is pruned'),
    replaced_by: z
      .string()
      .nullable()
      .describe('the memory that took its place or said that it ended; null while it holds'),
    replaced_at: unixSeconds.nullable().describe('when that was said, in Unix seconds'),
    triple: triple.nullable().describe('of a fact; null for a text'),
  })
  .meta({ id: 'Memory' })

export const pruneReply = z.object({
  candidates: count.describe('relationships and chunks below the threshold'),
  pruned: count.describe('of these, removed'),
  threshold: unit.describe('as asked for'),
  dry_run: z.boolean().describe('true: counted, nothing removed'),
  relations: count.describe('relationships among them'),
  chunks: count.describe('chunks among them'),
  orphaned_entities: count.describe('entities that lose their last relationship'),
  memories: z
    .array(memoryRecord)
    .describe(
      'of a dry run: what would go, the most faded first, at most `limit`; `retention` is that of now',
    ),
})

const lifecycleRun = z
  .object({
    at: unixSeconds.describe('when it ended, in Unix seconds'),
    automatic: z.boolean().describe('the hourly one; false: somebody asked for it'),
    reinforced: count.describe('relationships whose confidence rose since the run before'),
    decayed: count.describe('relationships whose confidence was reduced'),
    pruned: count.describe('relationships and chunks deleted'),
    held_back: count.describe('faded memories that it left for the runs after it'),
    compressed: count.describe('facts merged into abstractions'),
    abstractions: count.describe('new summaries'),
  })
  .meta({ id: 'LifecycleRun' })

export const lifecycleReply = z.object({
  half_life_days: z.number().describe('confidence halves in so many days without an access'),
  prune_threshold: unit.describe('what has less confidence is deleted by the next run; 0: nothing is'),
  runs: z.array(lifecycleRun).describe('the last 20, newest first'),
})

export const listReply = z.object({
  memories: z.array(memoryRecord).describe('newest first'),
  next_cursor: z.string().nullable().describe('null on the last page'),
})

const statement = z
  .object({
    id: memoryId,
    fact: z.string().nullable().describe('what it says; null when it has faded since'),
  })
  .meta({ id: 'Statement' })

const historyEntry = z
  .object({
    id: memoryId,
    fact: factText,
    source,
    created_at: unixSeconds.describe('when it was told, in Unix seconds'),
    closed_at: unixSeconds.nullable().describe('when it stopped to hold; null while it does'),
    replaces: z.array(z.string()).describe('ids in this history whose place it took'),
    replaced_by: z.string().nullable().describe('the id that took its place; null while it holds'),
    evidence: z.string().describe('the sentence it was read from'),
    current: z.boolean().describe('it holds'),
  })
  .meta({ id: 'HistoryEntry' })

const historyLink = z
  .object({
    newer: statement.describe('the statement that makes the older one out of date'),
    older: statement.describe('the statement that is out of date'),
    kind: z.enum(['replaces', 'ends']).describe('it says what holds instead, or only that it no longer does'),
    probability: unit.describe('how sure that is; 1 for a correction'),
    at: unixSeconds.describe('when the newer one was told, in Unix seconds'),
  })
  .meta({ id: 'HistoryLink' })

export const historyReply = z.object({
  id: memoryId,
  history: z.array(historyEntry).describe('oldest first'),
  links: z
    .array(historyLink)
    .describe('newer and older statements that this text is linked with, oldest first'),
})

export const correctReply = z.object({
  id: z.string().describe('the memory that holds now: the new one after a correction'),
  replaced: z
    .string()
    .nullable()
    .describe('the memory that was corrected and is history now; null without `text`'),
  memory: memoryRecord.describe('the memory that holds now'),
})

const forgottenMemory = z
  .object({ id: memoryId, type: memoryType, fact: factText })
  .meta({ id: 'ForgottenMemory' })

export const forgetReply = z
  .object({
    chunks: count.describe('texts removed'),
    relations: count.describe('facts removed'),
    entities: count.describe('entities of which nothing is left'),
    sessions: count.nullable().describe('sessions that were cleared; null in a dry run'),
    remaining: count
      .nullable()
      .describe('counted again after the removal: 0 is the proof; null in a dry run'),
    dry_run: z.boolean().describe('true: nothing was removed'),
    memories: z
      .array(forgottenMemory)
      .nullable()
      .describe('what a dry run would remove, at most 100 texts and 100 facts; null when it was removed'),
    latency_ms: milliseconds,
  })
  .meta({ id: 'ForgetReply' })
