import type { Seconds } from '../core/clock.ts'
import type { Namespace } from '../core/ids.ts'
import type { Metadata, Source } from './model.ts'

/** One text to remember, checked and with its defaults filled in. */
export interface IngestItem {
  readonly text: string
  readonly persona: string
  readonly source: Source
  readonly sessionId: string | null
  readonly useLlmExtraction: boolean
  readonly metadata: Metadata | null
}

export interface IngestReply {
  readonly factsIngested: number
  readonly episodicChunks: number
  readonly entitiesExtracted: number
  readonly triplesExtracted: number
  readonly workingMemoryUpdated: boolean
  readonly msg: string
  readonly latencyMs: number
  /** True when the text was skipped, or upgraded an already stored one. */
  readonly deduplicated: boolean
}

export type BatchResult = IngestReply | { readonly error: string; readonly detail: string }

export interface BatchReply extends IngestReply {
  /** One per item, in order. */
  readonly results: readonly BatchResult[]
  readonly succeeded: number
  readonly failed: number
}

export interface RetrieveRequest {
  readonly query: string
  readonly k: number
  readonly persona: string | null
  readonly sessionId: string | null
  readonly includeEpisodic: boolean
  readonly includeSemantic: boolean
  readonly includeWorking: boolean
  readonly maxHops: number | null
  readonly minScore: number | null
  readonly useCompression: boolean
}

export type SourceType = 'episodic' | 'semantic' | 'working'

export interface RetrievedFact {
  readonly id: string
  readonly fact: string
  readonly score: number
  readonly sourceType: SourceType
  readonly createdAt: Seconds
  readonly accessCount: number
  readonly confidence: number
  readonly metadata: Metadata | null
  readonly persona: string
  /** 1 is the best, whatever the position in the list. */
  readonly rank: number
  /** The confidence after decay. */
  readonly retention: number
  readonly superseded: boolean
}

export interface ReasoningStep {
  readonly hop: number
  readonly from: string
  readonly relation: string
  readonly to: string
  readonly fact: string
  readonly confidence: number
}

export interface RetrieveReply {
  readonly context: string
  readonly facts: readonly RetrievedFact[]
  readonly episodicCount: number
  readonly semanticCount: number
  readonly workingCount: number
  readonly reasoningChain: readonly ReasoningStep[] | null
  /** A traversal cap was reached: the chain is partial. */
  readonly truncated: boolean
  /** Stores that were asked for and could not answer; the rest answered. */
  readonly degraded: readonly StoreName[]
  readonly latencyMs: number
}

/** The specification's names of the three stores, in health and in `X-Degraded`. */
export type StoreName = 'neo4j' | 'qdrant' | 'redis'

export interface GraphQaRequest {
  readonly query: string
  readonly maxHops: number
  readonly k: number
  readonly persona: string | null
}

export interface GraphQaReply {
  readonly answer: string
  readonly factsUsed: number
  /** The numbered facts, in the order of their numbers. */
  readonly facts: readonly string[]
}

export interface ConsolidateRequest {
  readonly persona: string | null
  readonly force: boolean
}

export interface ConsolidateReply {
  readonly memoriesReinforced: number
  readonly memoriesDecayed: number
  readonly memoriesPruned: number
  readonly memoriesCompressed: number
  readonly abstractionsCreated: number
  readonly latencyMs: number
  /** True when it ran recently and nothing was done; then `lastRunAt` says when. */
  readonly skipped: boolean
  readonly lastRunAt: Seconds | null
}

export interface PruneRequest {
  readonly threshold: number
  readonly dryRun: boolean
  readonly persona: string | null
}

export interface PruneReply {
  /** Relationships and chunks below the threshold. */
  readonly candidates: number
  readonly pruned: number
  readonly threshold: number
  readonly dryRun: boolean
  readonly relations: number
  readonly chunks: number
  readonly orphanedEntities: number
}

export interface StatsReply {
  readonly episodicCount: number
  readonly semanticEntities: number
  readonly semanticRelations: number
}

export type MemoryType = 'episodic' | 'semantic'

export interface ListRequest {
  readonly persona: string | null
  readonly type: MemoryType | null
  readonly sessionId: string | null
  readonly source: Source | null
  readonly since: Seconds | null
  readonly until: Seconds | null
  readonly limit: number
  /** Opaque, from the page before. */
  readonly cursor: string | null
}

export interface MemoryRecord {
  readonly id: string
  readonly type: MemoryType
  readonly fact: string
  readonly persona: string
  readonly sessionId: string | null
  readonly source: Source
  readonly confidence: number
  readonly retention: number
  readonly accessCount: number
  readonly createdAt: Seconds
  readonly lastAccessAt: Seconds
  readonly metadata: Metadata | null
  readonly superseded: boolean
  /** Semantic memories only. */
  readonly triple: { readonly subject: string; readonly relation: string; readonly object: string } | null
}

export interface ListReply {
  readonly memories: readonly MemoryRecord[]
  /** Null on the last page. */
  readonly nextCursor: string | null
}

/** Exactly one way of naming what to forget. */
export type ForgetRequest =
  | { readonly by: 'ids'; readonly ids: readonly string[] }
  | { readonly by: 'entity'; readonly entity: string }
  | { readonly by: 'session'; readonly sessionId: string }
  | { readonly by: 'persona'; readonly persona: string }
  | { readonly by: 'everything' }

export interface ForgetReply {
  readonly chunks: number
  readonly relations: number
  readonly entities: number
  readonly sessions: number
  /** Counted again after the removal: what still matches. 0 is the proof. */
  readonly remaining: number
  readonly latencyMs: number
}

export interface HistoryEntry {
  readonly id: string
  readonly fact: string
  readonly source: Source
  readonly createdAt: Seconds
  readonly closedAt: Seconds | null
  /** Ids within this history. */
  readonly replaces: readonly string[]
  readonly replacedBy: string | null
  /** The sentence it was read from. */
  readonly evidence: string
  readonly current: boolean
}

export interface HistoryReply {
  readonly id: string
  /** Oldest first. */
  readonly history: readonly HistoryEntry[]
}

/** What the surfaces (HTTP, command line) may ask of a namespace's memory. */
export interface Memory {
  ingest(namespace: Namespace, item: IngestItem, signal?: AbortSignal): Promise<IngestReply>
  /** Items are independent: one that fails does not touch the others. */
  ingestBatch(namespace: Namespace, items: readonly IngestItem[], signal?: AbortSignal): Promise<BatchReply>
  retrieve(namespace: Namespace, request: RetrieveRequest, signal?: AbortSignal): Promise<RetrieveReply>
  /** Null when no LLM is configured: asked before anything is charged. */
  readonly graphQa:
    | ((namespace: Namespace, request: GraphQaRequest, signal?: AbortSignal) => Promise<GraphQaReply>)
    | null
  /** The reply of a run that is skipped because one was recent; null when it would work. Asked before anything is charged. */
  skippedRun(namespace: Namespace, request: ConsolidateRequest): Promise<ConsolidateReply | null>
  consolidate(namespace: Namespace, request: ConsolidateRequest): Promise<ConsolidateReply>
  prune(namespace: Namespace, request: PruneRequest): Promise<PruneReply>
  /** Null persona: the whole namespace. */
  stats(namespace: Namespace, persona: string | null): Promise<StatsReply>
  list(namespace: Namespace, request: ListRequest): Promise<ListReply>
  /** Null when there is none with this id. */
  get(namespace: Namespace, id: string): Promise<MemoryRecord | null>
  history(namespace: Namespace, id: string): Promise<HistoryReply | null>
  forget(namespace: Namespace, request: ForgetRequest): Promise<ForgetReply>
}
