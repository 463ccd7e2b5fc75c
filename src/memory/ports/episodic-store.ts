import type { Seconds } from '../../core/clock.ts'
import type { ChunkId, Namespace } from '../../core/ids.ts'
import type { Vector } from '../../core/vectors.ts'
import type { Chunk, Source } from '../model.ts'
import type { FadedQuery, ListFilter, ListPage, Selection } from './selection.ts'

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
