import type { Clock } from '../core/clock.ts'
import type { Namespace, NewId } from '../core/ids.ts'
import { inTurn } from '../core/in-turn.ts'
import { correct, pin } from './correct.ts'
import { deleteDocument, listDocuments, putDocument } from './documents/documents.ts'
import { createEntityResolver } from './entities.ts'
import { forget, previewForget } from './forget.ts'
import { graphAround, listEntities } from './graph.ts'
import { history } from './history.ts'
import type { ClusterCompressor, ContextCompressor } from './hooks.ts'
import { ingestItem, ingestItems, knownItems } from './ingest/conversation.ts'
import type { IngestParts } from './ingest/ingest.ts'
import { previewIngest } from './ingest/preview.ts'
import { createTimeStamps } from './ingest/time-stamps.ts'
import {
  type AutomaticRun,
  type ConsolidateParts,
  consolidate,
  consolidateAutomatically,
  lifecycleOf,
  skippedRun,
} from './lifecycle/consolidate.ts'
import { prune, type RemovedCounts } from './lifecycle/prune.ts'
import { systemTimer, type Timer } from './lifecycle/schedule.ts'
import { get, list } from './list.ts'
import type { Memory } from './memory.ts'
import type { AnswerReader, Embedder, Extractor, MemoryStores, StatementRelation } from './ports.ts'
import { profile } from './profile.ts'
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
  readonly relation: StatementRelation
  /** Absent: whether there is an answer is judged by the ranking alone. */
  readonly answerReader?: AnswerReader
  /** The four below are null when no LLM is configured. */
  readonly llmExtractor: Extractor | null
  readonly graphQa: Memory['graphQa']
  readonly compressContext: ContextCompressor | null
  readonly compressClusters: ClusterCompressor | null
  readonly clock: Clock
  readonly newId: NewId
  readonly settings: MemorySettings
  /** Hears of failures in the background, such as access counts that could not be written. */
  readonly report?: (error: unknown) => void
  /** Hears what pruning deleted. */
  readonly countPruned?: (removed: RemovedCounts) => void
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
  const { graph, episodic, working, lifecycle, documents } = stores
  const report = parts.report ?? (() => {})
  const resolver = createEntityResolver(graph, clock)
  const access = createAccessRecorder({ graph, episodic, clock, timer, report })
  const kept = {
    graph,
    episodic,
    working,
    documents,
    clock,
    resolver,
    milliseconds,
    halfLifeDays: settings.halfLifeDays,
    ...(parts.countPruned && { countPruned: parts.countPruned }),
  }
  const ingestion: IngestParts = {
    ...{ stores, embedder: parts.embedder, extractor: parts.extractor, llmExtractor: parts.llmExtractor },
    relation: parts.relation,
    ...{ resolver, clock, milliseconds, newId: parts.newId },
    stamps: createTimeStamps(clock),
  }
  const corrections = inTurn<Namespace>()
  const retrieval: RetrieveParts = {
    ...kept,
    access,
    ...{
      embedder: parts.embedder,
      answerReader: parts.answerReader ?? null,
      compress: parts.compressContext,
    },
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
      const reply = await ingestItem(ingestion, namespace, item, signal)
      return { ...reply, latencyMs: milliseconds() - started }
    },
    ingestBatch: (namespace, items, signal) => ingestItems(ingestion, namespace, items, signal),
    known: (namespace, items) => knownItems(stores, namespace, items),
    extract: (namespace, item, signal) => previewIngest(ingestion, namespace, item, signal),
    putDocument: (namespace, request, signal) => putDocument(ingestion, namespace, request, signal),
    getDocument: (namespace, persona, path) => stores.documents.get(namespace, persona, path),
    listDocuments: (namespace, request) => listDocuments(stores.documents, namespace, request),
    deleteDocument: (namespace, persona, path) => deleteDocument(ingestion, namespace, persona, path),
    retrieve: (namespace, request, signal) => retrieve(retrieval, namespace, request, signal),
    graphQa: parts.graphQa,
    skippedRun: (namespace, request) => skippedRun(cycle, namespace, request),
    consolidate: (namespace, request) => afterAccesses(() => consolidate(cycle, namespace, request)),
    prune: (namespace, request) => afterAccesses(() => prune(cycle, namespace, request)),
    lifecycle: (namespace, persona) => lifecycleOf(cycle, namespace, persona),
    stats: (namespace, persona) => stats(stores, namespace, persona),
    list: (namespace, request) => list(kept, namespace, request),
    entities: (namespace, request) => listEntities(stores, namespace, request),
    graph: (namespace, request, signal) =>
      graphAround({ ...stores, embedder: parts.embedder }, namespace, request, signal),
    profile: (namespace, request) => profile(stores, namespace, request),
    get: (namespace, id) => get(kept, namespace, id),
    history: (namespace, id) => history(kept, namespace, id),
    // Two at once would both correct the first edition, and both would hold.
    correct: (namespace, request, signal) =>
      corrections(namespace, () => correct({ ...kept, ingestion }, namespace, request, signal)),
    pin: (namespace, id, pinned) => pin(kept, namespace, id, pinned),
    forget: (namespace, request) => forget(kept, namespace, request),
    previewForget: (namespace, request) => previewForget(kept, namespace, request),
    consolidateAutomatically: (namespace) => afterAccesses(() => consolidateAutomatically(cycle, namespace)),
    close: () => access.flush(),
  }
}
