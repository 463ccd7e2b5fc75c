import type { z } from 'zod'
import type { Seconds } from '../core/clock.ts'
import type { ChunkId, EntityId, ItemId, Namespace, RelationshipId } from '../core/ids.ts'
import type { Vector } from '../core/vectors.ts'
import type { Chunk, Entity, EntityType, Relationship, Source } from './model.ts'

/* ---------------------------------------------------------------- models */

/** Which model made a vector. Vectors of different identities must never be compared. */
export interface EmbeddingIdentity {
  readonly model: string
  /** sha256 of the weights; the address of the endpoint for a remote model. */
  readonly weights: string
  /** Version of the mapping to the common scale. */
  readonly scale: string
  readonly dimensions: number
}

/** Text to vectors on the common scale: unit length, unrelated texts near 0, cosine 0.92 and more is near-identical. */
export interface Embedder {
  readonly identity: EmbeddingIdentity
  /** One vector a text, in order. A text's vector never depends on its neighbours. Long texts are embedded whole. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Vector[]>
}

export interface ExtractionInput {
  readonly text: string
  readonly source: Source
  /** Who is speaking, when the text does not say it itself with a `Name:` prefix. */
  readonly speaker: string | null
  /** When the text was said: relative dates are read against it. */
  readonly now: Seconds
}

export interface ExtractedFact {
  /** Names as they stand in the text; the user is `user`. */
  readonly subject: string
  /** snake_case, from the relation table. */
  readonly relation: string
  readonly object: string
  readonly confidence: number
  readonly negated: boolean
  readonly ended: boolean
  readonly hypothetical: boolean
  readonly when: string | null
  /** The sentence, as offsets into the text, end exclusive. */
  readonly start: number
  readonly end: number
}

export interface ExtractedEntity {
  readonly name: string
  readonly type: EntityType
  /** Other names of it in this text (`my sister` for Maria). */
  readonly aliases: readonly string[]
}

export interface Extraction {
  readonly facts: readonly ExtractedFact[]
  /** Every subject and object of the facts, and the named entities beside them. */
  readonly entities: readonly ExtractedEntity[]
  /** What the caller should know, for example that a fallback ran; null mostly. */
  readonly notice: string | null
}

/** Entities and facts of texts. A text it cannot read gives empty lists, never a rejection. */
export interface Extractor {
  extract(inputs: readonly ExtractionInput[], signal?: AbortSignal): Promise<readonly Extraction[]>
}

export interface LlmRequest {
  readonly system: string
  readonly prompt: string
  readonly maxTokens: number
  readonly signal?: AbortSignal
}

/** A language model. Rejects with ServiceError `llm_unavailable` when it cannot answer in time or in form. */
export interface Llm {
  text(request: LlmRequest): Promise<string>
  object<T>(schema: z.ZodType<T>, request: LlmRequest): Promise<T>
}

/* ---------------------------------------------------------------- stores */

/** A chunk as stored: with its place in the conversation and what became of its facts. */
export interface StoredChunk extends Chunk {
  /** How many facts were read from it, and how many of those are closed. */
  readonly factCount: number
  readonly closedFactCount: number
}

export interface EpisodicQuery {
  readonly vector: Vector
  /** Analysed terms of the question (core/analyze.ts), repeats kept. Empty: no lexical search. */
  readonly terms: readonly string[]
  /** Null: every persona of the namespace. */
  readonly personas: readonly string[] | null
  /** How many best chunks by cosine, and by BM25, become candidates. Their neighbours come on top. */
  readonly nearest: number
  readonly lexical: number
}

/** A chunk without its vector: a search brings hundreds, and their cosines say what the vectors would. */
export type FoundChunk = Omit<StoredChunk, 'vector'>

export interface EpisodicHit {
  readonly chunk: FoundChunk
  readonly cosine: number
  /** BM25 over the searched personas of this namespace alone (k1 0.9, b 0.4); 0 without a shared term. */
  readonly bm25: number
  /** Up to two chunks before and one after it in its session and persona, nearest first. */
  readonly previous: readonly ChunkId[]
  readonly next: readonly ChunkId[]
}

export interface EpisodicMatches {
  /** Candidates and their neighbours, each once, by id; unordered otherwise. */
  readonly hits: readonly EpisodicHit[]
  /** Sum of the idf of the question's distinct terms, over the searched personas. */
  readonly idfSum: number
}

export interface ListFilter {
  readonly persona: string | null
  readonly sessionId: string | null
  readonly source: Source | null
  /** Facts of this relation alone; chunks have none and ignore it. Absent: every relation. */
  readonly relation?: string
  /** Created at or after, and before. */
  readonly since: Seconds | null
  readonly until: Seconds | null
}

/** Newest first by (createdAt, id); the page after that position. */
export interface ListPage {
  readonly after: { readonly createdAt: Seconds; readonly id: string } | null
  readonly limit: number
}

/** What to remove or to count. Several fields narrow it together; all null is everything. */
export interface Selection {
  readonly ids: readonly string[] | null
  readonly persona: string | null
  readonly sessionId: string | null
}

/** Which memories count as faded: those whose retained confidence now is strictly below the threshold. */
export interface FadedQuery {
  readonly persona: string | null
  readonly threshold: number
  readonly halfLifeDays: number
  readonly now: Seconds
  /** Of the run that asks. A write is refused, nothing changed, once somebody else has acquired it since. */
  readonly lease?: Lease
}

/** Chunks of a namespace, found by meaning and by words. Rules ES1 to ES10 in docs/ports/memory.md. */
export interface EpisodicStore {
  /** The candidates for a question. Exact: no approximate neighbour is ever missed. */
  search(namespace: Namespace, query: EpisodicQuery): Promise<EpisodicMatches>
  /** The nearest chunks of exactly this persona by cosine, best first, ties by id: what deduplication looks at. */
  nearest(
    namespace: Namespace,
    persona: string,
    vector: Vector,
    limit: number,
  ): Promise<readonly EpisodicHit[]>
  /** In no order; unknown ids are left out. */
  get(namespace: Namespace, ids: readonly ChunkId[]): Promise<readonly StoredChunk[]>
  list(namespace: Namespace, filter: ListFilter, page: ListPage): Promise<readonly StoredChunk[]>
  /** Access count + 1 and the clock reset; unknown ids are ignored. */
  touch(namespace: Namespace, ids: readonly ChunkId[], now: Seconds): Promise<void>
  /** A more trusted source said the same: source and base confidence rise, the clock is reset. */
  upgrade(namespace: Namespace, id: ChunkId, source: Source, base: number, now: Seconds): Promise<void>
  count(namespace: Namespace, selection: Selection): Promise<number>
  countFaded(namespace: Namespace, query: FadedQuery): Promise<number>
  removeFaded(namespace: Namespace, query: FadedQuery): Promise<number>
  /** Unknown ids are ignored, so a retried delete succeeds. Says how many were removed. */
  remove(namespace: Namespace, selection: Selection): Promise<number>
}

export interface EntityDraft {
  readonly key: string
  readonly name: string
  readonly type: EntityType
  readonly aliases: readonly string[]
  readonly vector: Vector
}

/** A fact to store. Subject and object are entity keys; the store finds or makes the nodes. */
export interface FactDraft {
  readonly id: RelationshipId
  readonly chunkId: ChunkId
  readonly subjectKey: string
  readonly relation: string
  readonly objectKey: string
  readonly slot: string
  readonly negated: boolean
  /** It no longer holds: closes the matching fact and is kept as history only. */
  readonly ended: boolean
  readonly fact: string
  readonly evidence: string
  readonly extraction: number
  readonly base: number
  readonly when: string | null
  readonly vector: Vector
}

/** Everything one ingested text adds, written together or not at all. */
export interface ItemWrite {
  readonly itemId: ItemId
  readonly persona: string
  readonly sessionId: string | null
  readonly source: Source
  readonly metadata: Chunk['metadata']
  readonly createdAt: Seconds
  /** sha256 of the normalised text: an item is stored once per persona while none of its facts are closed. */
  readonly textHash: string
  readonly entities: readonly EntityDraft[]
  readonly facts: readonly FactDraft[]
  readonly chunks: readonly Chunk[]
}

export type ItemReceipt =
  | {
      readonly outcome: 'stored'
      readonly entities: number
      /** Facts stored or confirmed; history entries count too. */
      readonly facts: number
      /** Facts that were closed by this item. */
      readonly closed: readonly RelationshipId[]
    }
  /** The same text is already there. */
  | { readonly outcome: 'duplicate'; readonly chunkId: ChunkId }

/**
 * Writes one item into graph and vectors: both or neither, durable when it resolves. Vectors become visible
 * last. Facts are settled against the current ones of their slot by `settle` of memory/slots.ts, atomically.
 * Rules J1 to J10 in docs/ports/memory.md.
 */
export interface Journal {
  remember(namespace: Namespace, item: ItemWrite): Promise<ItemReceipt>
}

/** A current relationship with the names of both ends. */
export interface Fact extends Relationship {
  readonly subjectName: string
  readonly objectName: string
}

/** A fact without its vector: a traversal brings thousands, and their cosines say what the vectors would. */
export type FoundFact = Omit<Fact, 'vector'>

export interface FactQuery {
  readonly vector: Vector
  readonly terms: readonly string[]
  readonly personas: readonly string[] | null
  readonly limit: number
}

export interface FactHit {
  readonly fact: FoundFact
  readonly cosine: number
  /** BM25 of the fact's text over the searched personas' facts. */
  readonly bm25: number
}

export interface EntityHit {
  readonly entity: Entity
  readonly cosine: number
}

export interface Expansion {
  /** Current edges that touch a given entity, best confidence first, ties by id. */
  readonly edges: readonly FoundFact[]
  /** Of every edge with the question; empty when none was given. */
  readonly cosines: readonly number[]
  /** More edges were there than the cap. */
  readonly truncated: boolean
}

export interface ExpandQuery {
  readonly entities: readonly EntityId[]
  readonly personas: readonly string[] | null
  /** At most this many edges come back. */
  readonly limit: number
  /** The question that the edges are compared with. */
  readonly vector?: Vector
}

export interface DecayOutcome {
  /** Relationships whose confidence fell, and rose, since the last run. */
  readonly decayed: number
  readonly reinforced: number
}

/** The knowledge graph of a namespace. Rules GS1 to GS14 in docs/ports/memory.md. */
export interface GraphStore {
  nearestEntities(namespace: Namespace, vector: Vector, limit: number): Promise<readonly EntityHit[]>
  /** Entities whose key or alias is one of these, for names that a question spells out. */
  entitiesNamed(namespace: Namespace, keys: readonly string[]): Promise<readonly Entity[]>
  /** Current facts by meaning and by words: the best `limit` of each. */
  searchFacts(namespace: Namespace, query: FactQuery): Promise<readonly FactHit[]>
  expand(namespace: Namespace, query: ExpandQuery): Promise<Expansion>
  /** Closed ones too; unknown ids are left out. */
  get(namespace: Namespace, ids: readonly RelationshipId[]): Promise<readonly Fact[]>
  /** Every fact, current and closed, of the slot that this fact belongs to, oldest first. */
  slotHistory(namespace: Namespace, id: RelationshipId): Promise<readonly Fact[]>
  /** Facts read from these chunks, current and closed. */
  factsOf(namespace: Namespace, chunks: readonly ChunkId[]): Promise<readonly Fact[]>
  list(namespace: Namespace, filter: ListFilter, page: ListPage): Promise<readonly Fact[]>
  touch(namespace: Namespace, ids: readonly RelationshipId[], now: Seconds): Promise<void>
  /** Recomputes every current relationship's confidence from its base. */
  decay(namespace: Namespace, query: Omit<FadedQuery, 'threshold'>): Promise<DecayOutcome>
  countRelationships(namespace: Namespace, persona: string | null): Promise<number>
  /** For a persona: the entities that take part in its current relationships. */
  countEntities(namespace: Namespace, persona: string | null): Promise<number>
  countFaded(namespace: Namespace, query: FadedQuery): Promise<number>
  removeFaded(namespace: Namespace, query: FadedQuery): Promise<number>
  /** Removes relationships, closed ones included. */
  remove(namespace: Namespace, selection: Selection): Promise<number>
  /** Removes an entity and every relationship that touches it; the chunks those were read from are returned. */
  removeEntity(
    namespace: Namespace,
    key: string,
  ): Promise<{ relationships: number; chunks: readonly ChunkId[] }>
  /** With `faded`: as if what has faded were gone already. */
  countOrphans(namespace: Namespace, faded?: FadedQuery): Promise<number>
  /** Removes entities that no relationship, closed ones included, touches. */
  removeOrphans(namespace: Namespace): Promise<number>
  /** Every namespace that holds anything. */
  namespaces(): Promise<readonly Namespace[]>
}

export interface HotFact {
  readonly id: string
  readonly fact: string
  readonly persona: string
  readonly source: Source
  readonly confidence: number
  readonly createdAt: Seconds
  readonly metadata: Chunk['metadata']
  readonly vector: Vector
}

export interface Session {
  /** Rolling mean of what the session was about, newer texts weighing more; unit length. */
  readonly topic: Vector
  /** Newest first. */
  readonly facts: readonly HotFact[]
}

export interface Observation {
  readonly sessionId: string
  readonly vector: Vector
  readonly facts: readonly HotFact[]
  readonly now: Seconds
}

/** The session at hand; it expires when nothing is added for a while. Rules WM1 to WM6 in docs/ports/memory.md. */
export interface WorkingMemory {
  observe(namespace: Namespace, observation: Observation): Promise<void>
  /** Null when the session is unknown or expired. */
  session(namespace: Namespace, sessionId: string, now: Seconds): Promise<Session | null>
  /** Drops the hot facts with these ids from every session of the namespace. */
  dropFacts(namespace: Namespace, ids: readonly string[]): Promise<void>
  /** Null: every session. Says how many were removed. */
  forget(namespace: Namespace, sessionId: string | null): Promise<number>
}

/** A right to run alone, for a while. `fence` grows with every holder: late writes of an old one are refused. */
export interface Lease {
  readonly name: string
  readonly fence: number
}

/** When lifecycle runs happened, and who may run now. Rules LS1 to LS4 in docs/ports/memory.md. */
export interface LifecycleStore {
  /** Null persona: runs for the whole account. Null: never ran. */
  lastRun(namespace: Namespace, persona: string | null): Promise<Seconds | null>
  recordRun(namespace: Namespace, persona: string | null, at: Seconds): Promise<void>
  /** Null while somebody else holds it. */
  acquire(name: string, seconds: number, now: Seconds): Promise<Lease | null>
  /** False when it was lost meanwhile. */
  renew(lease: Lease, seconds: number, now: Seconds): Promise<boolean>
  release(lease: Lease): Promise<void>
}

export interface StoredText {
  readonly kind: 'chunk' | 'fact' | 'entity'
  readonly namespace: Namespace
  readonly id: string
  readonly text: string
}

/** What `memoryd reembed` needs: which model the vectors are from, every text behind one, and a way to replace them. Rules VM1 to VM4 in docs/ports/memory.md. */
export interface VectorMaintenance {
  /** Null on a fresh store. */
  identity(): Promise<EmbeddingIdentity | null>
  setIdentity(identity: EmbeddingIdentity): Promise<void>
  /** How many texts there are in all. */
  countTexts(): Promise<number>
  /** In a stable order, after the cursor; empty at the end. */
  texts(after: string | null, limit: number): Promise<{ texts: readonly StoredText[]; cursor: string | null }>
  replace(vectors: readonly { readonly text: StoredText; readonly vector: Vector }[]): Promise<void>
}

/** Everything the memory needs to keep; one backend provides all of it. */
export interface MemoryStores {
  readonly episodic: EpisodicStore
  readonly graph: GraphStore
  readonly working: WorkingMemory
  readonly journal: Journal
  readonly lifecycle: LifecycleStore
  readonly vectors: VectorMaintenance
}
