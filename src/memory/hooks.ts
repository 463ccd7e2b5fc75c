import type { Seconds } from '../core/clock.ts'
import type { Namespace } from '../core/ids.ts'

export interface CompressionRequest {
  readonly query: string
  /** The texts of the facts, best first. */
  readonly facts: readonly string[]
  readonly signal?: AbortSignal
}

/**
 * Shortens facts to what bears on the question: one entry a fact, in order, null for one that can be left out.
 * Rejects with ServiceError `llm_unavailable` when the model cannot answer; retrieve then answers uncompressed.
 */
export type ContextCompressor = (request: CompressionRequest) => Promise<readonly (string | null)[]>

export interface ClusterCompressionRequest {
  /** Null: every persona. */
  readonly persona: string | null
  readonly now: Seconds
  readonly signal?: AbortSignal
}

export interface ClusterCompressionOutcome {
  /** Facts merged into abstractions. */
  readonly compressed: number
  readonly abstractions: number
}

/** Merges densely connected facts of a namespace into abstraction nodes; a failing model gives zeros, never a rejection. */
export type ClusterCompressor = (
  namespace: Namespace,
  request: ClusterCompressionRequest,
) => Promise<ClusterCompressionOutcome>
