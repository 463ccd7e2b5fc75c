import type { Config } from '../config.ts'
import type { Clock } from '../core/clock.ts'
import { type Namespace, randomId } from '../core/ids.ts'
import { createMemory, type MemoryParts } from '../memory/create-memory.ts'
import { createFactCompressor } from '../memory/graph-qa/compress.ts'
import { createGraphQa } from '../memory/graph-qa/graph-qa.ts'
import { createLlmExtractor } from '../memory/ingest/llm-extraction.ts'
import { createClusterCompressor } from '../memory/lifecycle/compress.ts'
import {
  type PrunedNamespace,
  type ScheduleParts,
  startSchedule,
  systemTimer,
} from '../memory/lifecycle/schedule.ts'
import type { Memory } from '../memory/memory.ts'
import type { EmbeddingIdentity, MemoryStores, VectorMaintenance } from '../memory/ports.ts'
import { errorFacts, type Log } from '../observe/log.ts'
import type { Metrics } from '../observe/metrics.ts'
import { timed, timedEach } from '../observe/stages.ts'
import type { Models } from './models.ts'

/** The memory at work, with its background runs. */
export interface JoinedMemory {
  readonly memory: Memory
  /** Ends the background runs and writes what is waiting. Models and stores stay the caller's to close. */
  close(): Promise<void>
}

export interface MemoryJoint {
  readonly models: Models
  readonly stores: MemoryStores
  readonly config: Config
  readonly clock: Clock
  readonly metrics: Metrics
  readonly log: Log
  /** Whose namespace it is; null when nobody has it. For the log. */
  readonly accountOf: (namespace: Namespace) => Promise<string | null>
}

/** The stored vectors are another model's: comparing them would be nonsense, so the service does not start. */
export class ModelMismatch extends Error {
  constructor(stored: EmbeddingIdentity, configured: EmbeddingIdentity) {
    super(
      `The stored vectors were made by ${described(stored)}, but ${described(configured)} is configured. ` +
        'Configure the former again, or run "memoryd reembed" to make all vectors anew.',
    )
    this.name = 'ModelMismatch'
  }
}

/** Joins stores and models to the memory and starts its hourly run. Rejects with ModelMismatch. */
export async function joinMemory({
  config,
  clock,
  metrics,
  log,
  accountOf,
  ...joint
}: MemoryJoint): Promise<JoinedMemory> {
  await requireSameModel(joint.stores.vectors, joint.models.embedder.identity)
  const models = timedModels(joint.models, metrics)
  const stores = timedEach(joint.stores, metrics)
  const report = (error: unknown) => log.error(errorFacts(error), 'background work failed')
  const memory = createMemory({
    stores,
    embedder: models.embedder,
    extractor: models.extractor,
    relation: models.relation,
    ...(models.answerReader && { answerReader: models.answerReader }),
    ...llmParts(models, stores),
    clock,
    newId: randomId,
    settings: { halfLifeDays: config.decayHalfLifeDays, pruneThreshold: config.pruneThreshold },
    report,
    countPruned: metrics.pruned,
  })
  const schedule = startSchedule({
    lifecycle: stores.lifecycle,
    namespaces: () => stores.graph.namespaces(),
    run: (namespace) => memory.consolidateAutomatically(namespace),
    clock,
    timer: systemTimer,
    random: Math.random,
    report: reportSweeps(log, accountOf),
  })
  return {
    memory,
    close: async () => {
      await schedule.stop()
      await memory.close().catch(report)
    },
  }
}

function timedModels(models: Models, metrics: Metrics): Models {
  const { embedder, extractor, relation, answerReader, llm, ...rest } = models
  return {
    ...rest,
    embedder: timed(embedder, 'embed', metrics),
    extractor: timed(extractor, 'extract', metrics),
    relation: timed(relation, 'relate', metrics),
    ...(answerReader && { answerReader: timed(answerReader, 'read_answer', metrics) }),
    llm: llm && timed(llm, 'llm', metrics),
  }
}

/** What only an LLM can do; all null without one. */
function llmParts(
  { llm, embedder, extractor }: Models,
  { graph, journal }: MemoryStores,
): Pick<MemoryParts, 'llmExtractor' | 'graphQa' | 'compressContext' | 'compressClusters'> {
  if (llm === null)
    return { llmExtractor: null, graphQa: null, compressContext: null, compressClusters: null }
  const shared = { llm, newId: randomId }
  return {
    llmExtractor: createLlmExtractor({ ...shared, fallback: extractor }),
    graphQa: createGraphQa({ ...shared, graph, embedder, milliseconds: () => performance.now() }),
    compressContext: createFactCompressor(shared),
    compressClusters: createClusterCompressor({ ...shared, graph, journal, embedder }),
  }
}

async function requireSameModel(vectors: VectorMaintenance, configured: EmbeddingIdentity): Promise<void> {
  const stored = await vectors.identity()
  if (stored === null) return vectors.setIdentity(configured)
  const mismatch = mismatchOf(stored, configured)
  if (mismatch !== null) throw mismatch
}

/** Null when the vectors can be compared. */
export function mismatchOf(stored: EmbeddingIdentity, configured: EmbeddingIdentity): ModelMismatch | null {
  return described(stored) === described(configured) ? null : new ModelMismatch(stored, configured)
}

function described({ model, weights, scale, dimensions }: EmbeddingIdentity): string {
  return `${model} (weights ${weights.slice(0, 80)}, scale ${scale}, ${dimensions} dimensions)`
}

/** Says what the hourly run did, above all what it deleted and of whom. */
export function reportSweeps(
  log: Log,
  accountOf: (namespace: Namespace) => Promise<string | null>,
): ScheduleParts['report'] {
  return async (outcome) => {
    if ('error' in outcome)
      return log.error(errorFacts(outcome.error), 'the hourly consolidation could not begin')
    const { held, ran, recent, pruned, failed } = outcome
    if (held) {
      const facts = { ran, recent, failed: failed.length, pruned_namespaces: pruned.length }
      log.info(facts, 'hourly consolidation')
    }
    for (const run of pruned) reportPruned(log, run, await accountOf(run.namespace).catch(() => null))
    for (const { namespace, error } of failed)
      log.error({ namespace, ...errorFacts(error) }, 'consolidation failed')
  }
}

function reportPruned(log: Log, run: PrunedNamespace, account: string | null): void {
  const { namespace, relations, chunks, orphanedEntities, heldBack } = run
  const facts = { account, namespace, relations, chunks, orphaned_entities: orphanedEntities }
  log.info(facts, 'pruned memories that faded unused')
  if (heldBack === 0) return
  log.warn(
    { account, namespace, held_back: heldBack },
    'more has faded than one run deletes: the next runs go on; check the clock if that is unexpected',
  )
}
