import type { Seconds } from '../../core/clock.ts'
import type { ChunkId, Namespace } from '../../core/ids.ts'
import type { LateInteraction } from '../../core/late-interaction/late-interaction.ts'
import type { Vector } from '../../core/vectors.ts'
import type { Chunk, Source, StatementLink } from '../model.ts'
import type { WeightedTokens } from './models.ts'
import type { FadedQuery, ListFilter, ListPage, Selection, Within } from './selection.ts'

/** A chunk as stored: with its place in the conversation and what became of its facts. */
export interface StoredChunk extends Chunk {
  /** How many facts were read from it, and how many of those are closed. */
  readonly factCount: number
  readonly closedFactCount: number
  /** The surest link to a newer statement that makes it out of date; null: there is none. */
  readonly replaced: Replacement | null
  /** The key of its item; absent: it has none. */
  readonly key?: string
}

/** The item of a key. */
export interface KeyedItem {
  /** In the order of the text. */
  readonly chunks: readonly ChunkId[]
  /** Null when something of it was removed since. */
  readonly textHash: string | null
}

/** What made a text out of date, and when. */
export interface Replacement extends Omit<StatementLink, 'newer' | 'older'> {
  readonly by: ChunkId
  readonly at: Seconds
}

/** A link as stored. */
export interface StoredLink extends StatementLink {
  readonly at: Seconds
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
  /** The question's token vectors. Absent or null: no hit carries late interaction. */
  readonly tokens?: WeightedTokens | null
  /** Absent: every text. */
  readonly within?: Within
}

/** What had become of a chunk at a time. */
export type Standing = Pick<StoredChunk, 'id' | 'closedFactCount' | 'replaced'>

/** A chunk without its vector: a search brings hundreds, and their cosines say what the vectors would. */
export type FoundChunk = Omit<StoredChunk, 'vector'>

export interface NearChunk {
  readonly chunk: FoundChunk
  readonly cosine: number
}

export interface EpisodicHit extends NearChunk {
  /** BM25 over the searched personas of this namespace alone (k1 0.9, b 0.4); 0 without a shared term. */
  readonly bm25: number
  /** How its token vectors meet the question's; null where either has none. */
  readonly late: LateInteraction | null
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

/** Chunks of a namespace, found by meaning and by words. Rules ES1 to ES20 in docs/ports/memory.md. */
export interface EpisodicStore {
  /** The candidates for a question. Exact: no approximate neighbour is ever missed. */
  search(namespace: Namespace, query: EpisodicQuery): Promise<EpisodicMatches>
  /** The nearest chunks of exactly these personas by cosine, best first, ties by id: what a new text is compared with. */
  nearest(
    namespace: Namespace,
    personas: readonly string[],
    vector: Vector,
    limit: number,
  ): Promise<readonly NearChunk[]>
  /** In no order; unknown ids are left out. */
  get(namespace: Namespace, ids: readonly ChunkId[]): Promise<readonly StoredChunk[]>
  /** What had become of these chunks at that time; in no order, unknown ids are left out. */
  standing(namespace: Namespace, ids: readonly ChunkId[], asOf: Seconds): Promise<readonly Standing[]>
  /** The item of this key; null: there is none. */
  keyed(namespace: Namespace, persona: string, key: string): Promise<KeyedItem | null>
  list(namespace: Namespace, filter: ListFilter, page: ListPage): Promise<readonly StoredChunk[]>
  /**
   * Access count + 1 for every time that an id is named, and the clock reset; unknown ids are ignored. `told`: they were
   * told again at that time.
   */
  touch(namespace: Namespace, ids: readonly ChunkId[], now: Seconds, told?: Seconds): Promise<void>
  /** A more trusted source said the same: source and base confidence rise, the clock is reset. */
  upgrade(namespace: Namespace, id: ChunkId, source: Source, base: number, now: Seconds): Promise<void>
  /** The links of a chunk, to newer and to older statements, oldest first. */
  links(namespace: Namespace, id: ChunkId): Promise<readonly StoredLink[]>
  /** Exempts a chunk from fading, or no longer. False when there is none with this id. */
  pin(namespace: Namespace, id: ChunkId, pinned: boolean): Promise<boolean>
  count(namespace: Namespace, selection: Selection): Promise<number>
  countFaded(namespace: Namespace, query: FadedQuery): Promise<number>
  /** Those that a removal would take, the most faded first. */
  faded(namespace: Namespace, query: FadedQuery): Promise<readonly ChunkId[]>
  removeFaded(namespace: Namespace, query: FadedQuery): Promise<number>
  /** Unknown ids are ignored, so a retried delete succeeds. Says how many were removed. Undoes what they replaced. */
  remove(namespace: Namespace, selection: Selection): Promise<number>
}
