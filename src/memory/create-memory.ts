import type { Clock } from '../core/clock.ts'
import type { Namespace, NewId } from '../core/ids.ts'
import { createEntityResolver } from './entities.ts'
import { forget } from './forget.ts'
import { history } from './history.ts'
import type { ClusterCompressor, ContextCompressor } from './hooks.ts'
import { ingestBatch } from './ingest/batch.ts'
import { createComparison, type KnowsWord } from './ingest/dedupe/same-statement.ts'
import { type IngestParts, ingestPassage, readPassage } from './ingest/ingest.ts'
import { createTimeStamps } from './ingest/time-stamps.ts'
import {
  type AutomaticRun,
  type ConsolidateParts,
  consolidate,
  consolidateAutomatically,
  skippedRun,
} from './lifecycle/consolidate.ts'
import { prune } from './lifecycle/prune.ts'
import { systemTimer, type Timer } from './lifecycle/schedule.ts'
import { get, list } from './list.ts'
import type { Memory } from './memory.ts'
import type { Embedder, Extractor, MemoryStores } from './ports.ts'
import { createAccessRecorder } from './retrieve/access.ts'
import { type RetrieveParts, retrieve } from './retrieve/retrieve.ts'
import { stats } from './stats.ts'

export interface MemorySettings {
  readonly halfLifeDays: number
  readonly pruneThreshold: number
}

export interface MemoryParts {
  readonly stores: MemoryStores
  readonly embedder: Embedder
  readonly extractor: Extractor
  /** The four below are null when no LLM is configured. */
  readonly llmExtractor: Extractor | null
  readonly graphQa: Memory['graphQa']
  readonly compressContext: ContextCompressor | null
  readonly compressClusters: ClusterCompressor | null
  readonly clock: Clock
  readonly newId: NewId
  readonly settings: MemorySettings
  /** The embedding model's vocabulary, by which deduplication sees misspellings; null: none are seen. */
  readonly knowsWord?: KnowsWord | null
  /** Hears of failures in the background, such as access counts that could not be written. */
  readonly report?: (error: unknown) => void
  readonly timer?: Timer
  /** Monotonic, for latencies and the traversal's deadline. */
  readonly milliseconds?: () => number
}

/** The memory with what only its owner may do. */
export interface OwnedMemory extends Memory {
  /** The hourly run of one namespace, with its safety valve; schedule.ts calls it. */
  consolidateAutomatically(namespace: Namespace): Promise<AutomaticRun>
  /** Writes the access counts that are waiting. Stores and models stay the caller's to close. */
  close(): Promise<void>
}

/** Joins stores and models to the memory of every namespace. */
export function createMemory(parts: MemoryParts): OwnedMemory {
  const { stores, clock, settings, milliseconds = () => performance.now(), timer = systemTimer } = parts
  const { graph, episodic, working, lifecycle } = stores
  const report = parts.report ?? (() => {})
  const resolver = createEntityResolver(graph, clock)
  const access = createAccessRecorder({ graph, episodic, clock, timer, report })
  const kept = {
    graph,
    episodic,
    working,
    clock,
    resolver,
    milliseconds,
    halfLifeDays: settings.halfLifeDays,
  }
  const ingestion: IngestParts = {
    ...{ stores, embedder: parts.embedder, extractor: parts.extractor, llmExtractor: parts.llmExtractor },
    ...{ resolver, clock, milliseconds, newId: parts.newId },
    compare: createComparison(parts.knowsWord ?? null),
    stamps: createTimeStamps(clock),
  }
  const retrieval: RetrieveParts = {
    ...kept,
    access,
    embedder: parts.embedder,
    compress: parts.compressContext,
  }
  const cycle: ConsolidateParts = {
    ...{ ...kept, lifecycle, compress: parts.compressClusters, pruneThreshold: settings.pruneThreshold },
  }

  /** What was read counts before anything is judged by when it was last read. */
  const afterAccesses = async <T>(work: () => Promise<T>): Promise<T> => {
    await access.flush()
    return work()
  }

  return {
    ingest: async (namespace, item, signal) => {
      const started = milliseconds()
      const passage = await readPassage(ingestion, namespace, item, signal)
      const { reply } = await ingestPassage(ingestion, namespace, passage)
      return { ...reply, latencyMs: milliseconds() - started }
    },
    ingestBatch: (namespace, items, signal) => ingestBatch(ingestion, namespace, items, signal),
    retrieve: (namespace, request, signal) => retrieve(retrieval, namespace, request, signal),
    graphQa: parts.graphQa,
    skippedRun: (namespace, request) => skippedRun(cycle, namespace, request),
    consolidate: (namespace, request) => afterAccesses(() => consolidate(cycle, namespace, request)),
    prune: (namespace, request) => afterAccesses(() => prune(cycle, namespace, request)),
    stats: (namespace, persona) => stats(stores, namespace, persona),
    list: (namespace, request) => list(kept, namespace, request),
    get: (namespace, id) => get(kept, namespace, id),
    history: (namespace, id) => history(kept, namespace, id),
    forget: (namespace, request) => forget(kept, namespace, request),
    consolidateAutomatically: (namespace) => afterAccesses(() => consolidateAutomatically(cycle, namespace)),
    close: () => access.flush(),
  }
}
