import type { Seconds } from '../core/clock.ts'
import type { Namespace } from '../core/ids.ts'
import type { DocumentList, DocumentListRequest, PutDocumentRequest } from './documents/requests.ts'
import type { Explanation, RetrieveExplanation } from './explanation.ts'
import type { LearnedFact, Message, ReplacedMemory } from './learned.ts'
import type { Metadata, Source, StatementLink } from './model.ts'
import type { Document, DocumentInfo, LifecycleRun, MetadataFilter } from './ports.ts'
import type {
  EntitiesReply,
  EntitiesRequest,
  ExtractReply,
  GraphReply,
  GraphRequest,
  ProfileReply,
  ProfileRequest,
} from './views.ts'

/** One text to remember, checked and with its defaults filled in. */
export interface IngestItem {
  readonly text: string
  readonly persona: string
  readonly source: Source
  readonly sessionId: string | null
  readonly useLlmExtraction: boolean
  readonly metadata: Metadata | null
  /** False: the text is kept as it is, and no facts are read from it. */
  readonly readFacts?: boolean
  /** When it was said; absent or null: now. */
  readonly occurredAt?: Seconds | null
  /** Who said it, where the text itself does not. */
  readonly speaker?: string | null
  /** The caller's name for it: another text under the same one takes its place. */
  readonly externalId?: string | null
  /** What was said before it in the same conversation. Absent: what its session was told last. */
  readonly before?: string | null
}

/** Several texts to remember, one after the other: another form of an item. */
export interface Conversation extends Omit<IngestItem, 'text' | 'source' | 'speaker'> {
  readonly messages: readonly Message[]
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
  /** The memories that hold the text: its chunks, in order. Absent in sums. */
  readonly ids?: readonly string[]
  /** What it told, new or known. */
  readonly facts?: readonly LearnedFact[]
  /** What it made out of date. */
  readonly replaced?: readonly ReplacedMemory[]
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
  /** Of a given persona: false leaves out what is shared. */
  readonly includeShared?: boolean
  /** True: how every score came about. An id: why that memory came back, or did not. */
  readonly explain?: boolean | { readonly id: string }
  /** Only what was told at or after, and before. */
  readonly since?: Seconds | null
  readonly until?: Seconds | null
  /** The memory as it stood then. */
  readonly asOf?: Seconds | null
  readonly filter?: MetadataFilter | null
  /** How long the context may be, by the estimate of core/tokens.ts. */
  readonly maxTokens?: number | null
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
  /** When it stopped to hold; null while it does, or when that is not known. */
  readonly until: Seconds | null
  /** When a part of a text stopped to hold, while the rest does; null otherwise. */
  readonly changedAt: Seconds | null
  /** How sure the extractor was of a fact; 1 for a text. */
  readonly certainty: number
  /** Only where it was asked for. */
  readonly explanation?: Explanation
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
  /** The chance that the memory holds the answer, 0 to 1. */
  readonly answerable: number
  /** Only where it was asked for. */
  readonly explanation?: RetrieveExplanation
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
  /** Of a dry run: as it would be in so many days when nobody asks for anything until then. Absent: now. */
  readonly inDays?: number
  /** Of a dry run: so many of those that would go are shown. Absent: none. */
  readonly limit?: number
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
  /** The most faded first. */
  readonly memories: readonly MemoryRecord[]
}

/** How memories fade, and what the last runs did to them, newest first. */
export interface LifecycleReply {
  readonly halfLifeDays: number
  /** 0: nothing is deleted. */
  readonly pruneThreshold: number
  readonly runs: readonly LifecycleRun[]
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
  readonly filter?: MetadataFilter | null
  readonly text?: string | null
  readonly pinned?: boolean | null
  /** Null: every text, and the facts that hold. */
  readonly superseded?: boolean | null
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
  /** It neither fades nor is pruned. */
  readonly pinned: boolean
  /** The memory that took its place or said that it ended, and when; null while it holds. */
  readonly replacedBy: string | null
  readonly replacedAt: Seconds | null
  /** Semantic memories only. `negated`: it says that this does not hold. */
  readonly triple: {
    readonly subject: string
    readonly relation: string
    readonly object: string
    readonly negated: boolean
  } | null
}

export interface CorrectRequest {
  readonly id: string
  readonly text: string
  /** Null: as the corrected memory is. */
  readonly pinned: boolean | null
  /** When it was said; absent or null: now. */
  readonly occurredAt?: Seconds | null
}

export interface Correction {
  /** The memory that holds now. */
  readonly id: string
  /** The one that it took the place of; null when nothing was corrected. */
  readonly replaced: string | null
  readonly memory: MemoryRecord
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
  /** What else is given narrows it. */
  | {
      readonly by: 'filter'
      readonly filter: MetadataFilter
      readonly persona: string | null
      readonly sessionId: string | null
    }
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

/** What forgetting would remove. */
export interface ForgetPreview {
  readonly chunks: number
  readonly relations: number
  readonly entities: number
  /** The newest of them, a bounded number. */
  readonly memories: readonly { readonly id: string; readonly type: MemoryType; readonly fact: string }[]
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

/** Two statements of which the newer makes the older out of date. */
export interface HistoryLink {
  /** `fact` is what it says; null when it has faded since. */
  readonly newer: { readonly id: string; readonly fact: string | null }
  readonly older: { readonly id: string; readonly fact: string | null }
  readonly kind: StatementLink['kind']
  readonly probability: number
  readonly at: Seconds
}

export interface HistoryReply {
  readonly id: string
  /** Oldest first. */
  readonly history: readonly HistoryEntry[]
  readonly links: readonly HistoryLink[]
}

export interface PutDocumentReply {
  readonly document: DocumentInfo
  /** False when a document at this path was replaced, or is the same. */
  readonly created: boolean
  readonly indexed: IngestReply
}

/** What the surfaces (HTTP, command line) may ask of a namespace's memory. */
export interface Memory {
  ingest(namespace: Namespace, item: IngestItem | Conversation, signal?: AbortSignal): Promise<IngestReply>
  /** Items are independent: one that fails does not touch the others. */
  ingestBatch(
    namespace: Namespace,
    items: readonly (IngestItem | Conversation)[],
    signal?: AbortSignal,
  ): Promise<BatchReply>
  /** The chunks that hold each item as it is under its external id; null where it is not kept so. */
  known(
    namespace: Namespace,
    items: readonly (IngestItem | Conversation)[],
  ): Promise<readonly (readonly string[] | null)[]>
  /** Keeps a document as it is, and what it says as memories, both in the place of the version before. */
  putDocument(
    namespace: Namespace,
    request: PutDocumentRequest,
    signal?: AbortSignal,
  ): Promise<PutDocumentReply>
  getDocument(namespace: Namespace, persona: string, path: string): Promise<Document | null>
  listDocuments(namespace: Namespace, request: DocumentListRequest): Promise<DocumentList>
  /** Removes a document and its memories. Null when there is none; otherwise how many memories. */
  deleteDocument(namespace: Namespace, persona: string, path: string): Promise<number | null>
  /** What ingest would make of a text; stores nothing. */
  extract(namespace: Namespace, item: IngestItem, signal?: AbortSignal): Promise<ExtractReply>
  retrieve(namespace: Namespace, request: RetrieveRequest, signal?: AbortSignal): Promise<RetrieveReply>
  /** Null when no LLM is configured: asked before anything is charged. */
  readonly graphQa:
    | ((namespace: Namespace, request: GraphQaRequest, signal?: AbortSignal) => Promise<GraphQaReply>)
    | null
  /** The reply of a run that is skipped because one was recent; null when it would work. Asked before anything is charged. */
  skippedRun(namespace: Namespace, request: ConsolidateRequest): Promise<ConsolidateReply | null>
  consolidate(namespace: Namespace, request: ConsolidateRequest): Promise<ConsolidateReply>
  prune(namespace: Namespace, request: PruneRequest): Promise<PruneReply>
  /** Null persona: runs for the whole account. */
  lifecycle(namespace: Namespace, persona: string | null): Promise<LifecycleReply>
  /** Null persona: the whole namespace. */
  stats(namespace: Namespace, persona: string | null): Promise<StatsReply>
  list(namespace: Namespace, request: ListRequest): Promise<ListReply>
  entities(namespace: Namespace, request: EntitiesRequest): Promise<EntitiesReply>
  /** Null when there is no such entity. */
  graph(namespace: Namespace, request: GraphRequest, signal?: AbortSignal): Promise<GraphReply | null>
  /** What is known of the user, for the start of a prompt. */
  profile(namespace: Namespace, request: ProfileRequest): Promise<ProfileReply>
  /** Null when there is none with this id. */
  get(namespace: Namespace, id: string): Promise<MemoryRecord | null>
  history(namespace: Namespace, id: string): Promise<HistoryReply | null>
  /** Replaces a memory by what the user says instead. Null when there is none with this id. */
  correct(namespace: Namespace, request: CorrectRequest, signal?: AbortSignal): Promise<Correction | null>
  /** Keeps a memory from fading, or no longer. Null when there is none with this id. */
  pin(namespace: Namespace, id: string, pinned: boolean): Promise<MemoryRecord | null>
  forget(namespace: Namespace, request: ForgetRequest): Promise<ForgetReply>
  /** What `forget` would remove; changes nothing. */
  previewForget(namespace: Namespace, request: ForgetRequest): Promise<ForgetPreview>
}
