import type { z } from 'zod'
import type { Seconds } from '../../core/clock.ts'
import type { Vector } from '../../core/vectors.ts'
import type { EntityType, Source } from '../model.ts'

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

/**
 * What a text says of something told before without telling it again: `sold the Yamaha`, `actually it's May 4`.
 * Which facts it means is found when it is stored.
 */
export interface ExtractedChange {
  /**
   * `ended`: what the words name is over. `soured`: the liking of it is. `replaced`: of this relation, this holds now in
   * the place of what held. `corrected`: the value told last is this one.
   */
  readonly kind: 'ended' | 'soured' | 'replaced' | 'corrected'
  /** Whose facts it is about, as facts name their subjects. */
  readonly subject: string
  /** Empty except for a replacement. */
  readonly relation: string
  /** What is over, in the text's own words, or the value that holds now. */
  readonly words: string
  /** The words around it up to the end of the clause, where they may belong to it: `my account at Barclays`. */
  readonly around: string
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
  /** Absent when the text changes nothing that it does not tell itself. */
  readonly changes?: readonly ExtractedChange[]
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
