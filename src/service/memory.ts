import type { Config } from '../config.ts'
import type { Clock } from '../core/clock.ts'
import { randomId } from '../core/ids.ts'
import { createMemory, type MemoryParts } from '../memory/create-memory.ts'
import { createGraphQa } from '../memory/graph-qa/graph-qa.ts'
import { createLlmExtractor } from '../memory/ingest/llm-extraction.ts'
import { createClusterCompressor } from '../memory/lifecycle/compress.ts'
import {
  type ScheduleParts,
  type SweepReport,
  startSchedule,
  systemTimer,
} from '../memory/lifecycle/schedule.ts'
import type { Memory } from '../memory/memory.ts'
import type { EmbeddingIdentity, MemoryStores, VectorMaintenance } from '../memory/ports.ts'
import { createFactCompressor } from '../memory/retrieve/compress.ts'
import { errorFacts, type Log } from '../observe/log.ts'
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
  readonly log: Log
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
export async function joinMemory({ models, stores, config, clock, log }: MemoryJoint): Promise<JoinedMemory> {
  await requireSameModel(stores.vectors, models.embedder.identity)
  const report = (error: unknown) => log.error(errorFacts(error), 'background work failed')
  const memory = createMemory({
    stores,
    embedder: models.embedder,
    extractor: models.extractor,
    knowsWord: models.knowsWord,
    ...llmParts(models, stores),
    clock,
    newId: randomId,
    settings: { halfLifeDays: config.decayHalfLifeDays, pruneThreshold: config.pruneThreshold },
    report,
  })
  const schedule = startSchedule({
    lifecycle: stores.lifecycle,
    namespaces: () => stores.graph.namespaces(),
    run: (namespace) => memory.consolidateAutomatically(namespace),
    clock,
    timer: systemTimer,
    random: Math.random,
    report: reportSweeps(log),
  })
  return {
    memory,
    close: async () => {
      await schedule.stop()
      await memory.close().catch(report)
    },
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
  if (described(stored) !== described(configured)) throw new ModelMismatch(stored, configured)
}

function described({ model, weights, scale, dimensions }: EmbeddingIdentity): string {
  return `${model} (weights ${weights.slice(0, 80)}, scale ${scale}, ${dimensions} dimensions)`
}

function reportSweeps(log: Log): ScheduleParts['report'] {
  return (outcome) => {
    if ('error' in outcome)
      return log.error(errorFacts(outcome.error), 'the hourly consolidation could not begin')
    reportSweep(log, outcome)
  }
}

function reportSweep(log: Log, { held, ran, recent, refused, failed }: SweepReport): void {
  if (held) log.info({ ran, recent, refused: refused.length, failed: failed.length }, 'hourly consolidation')
  for (const { namespace, faded, total } of refused) {
    log.warn(
      { namespace, faded, total },
      'refused to prune so much at once by itself: check the clock; an explicit consolidate is obeyed',
    )
  }
  for (const { namespace, error } of failed)
    log.error({ namespace, ...errorFacts(error) }, 'consolidation failed')
}
