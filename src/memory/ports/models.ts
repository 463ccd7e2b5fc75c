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

/**
 * One vector a word piece of a text, for late interaction: `count` rows of signed bytes, each row a unit vector in steps
 * of 1/127. Punctuation has no row, so there may be none. A chunk of a conversation, 35 tokens of which 26 are words,
 * takes 1.7 kB.
 */
export interface TokenVectors {
  readonly count: number
  readonly codes: Int8Array
}

/** Token vectors of a text that may be a question: also how much each row decides, 0 to 1. */
export interface WeightedTokens extends TokenVectors {
  readonly importance: Float32Array
}

/** All that one pass of the model says of a text. */
export interface Encoding {
  readonly vector: Vector
  /** Null: this model gives one vector a text and nothing more. */
  readonly tokens: WeightedTokens | null
}

/** Text to vectors on the common scale: unit length, unrelated texts near 0, cosine 0.92 and more is near-identical. */
export interface Embedder {
  readonly identity: EmbeddingIdentity
  /** One vector a text, in order; rejects rather than give fewer, and when the signal aborts. A text's vector never depends on its neighbours. Long texts are embedded whole. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Vector[]>
  /** The same vectors, and the token vectors of the same pass. Either they are there for every text or for none. */
  encode(texts: readonly string[], signal?: AbortSignal): Promise<readonly Encoding[]>
  /** Why it cannot be used right now, as far as is known; null while it can. Absent: it always can. */
  problem?(): string | null
}

export interface ExtractionInput {
  readonly text: string
  readonly source: Source
  /** Who is speaking, when the text does not say it itself with a `Name:` prefix. */
  readonly speaker: string | null
  /** When the text was said: relative dates are read against it. */
  readonly now: Seconds
  /** What was told just before in the same conversation: it may say who `she` is. No facts are read from it. */
  readonly before?: string
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
  /** It is to come, and takes the place of nothing that holds now. */
  readonly future?: boolean
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
  /** What this text says it is called: it is nobody of another name. */
  readonly called?: readonly string[]
}

export interface Extraction {
  readonly facts: readonly ExtractedFact[]
  /** Every subject and object of the facts, and the named entities beside them. */
  readonly entities: readonly ExtractedEntity[]
  /** What the caller should know, for example that a fallback ran; null mostly. */
  readonly notice: string | null
}

/**
 * Entities and facts of texts, one extraction a text, in order. A text without facts gives empty lists, and so does one
 * that no retry would read better, with a notice. Everything else rejects: an abort with the signal's reason, a model
 * that failed or could not answer. What was not read must never look like a text without facts, because it would be
 * stored that way for good.
 */
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

/** Two statements; the older one is stored, the newer one was told later. */
export interface StatementPair {
  readonly older: string
  readonly newer: string
}

/** How the newer statement relates to the older one, as chances that add up to 1. */
export interface RelationChances {
  /** It tells nothing that the older one does not. */
  readonly same: number
  /** It gives another value for something that the older one states, so that the older one no longer holds. */
  readonly replaces: number
  /** It says that what the older one states no longer holds, without saying what does. */
  readonly ends: number
  /** Both hold, or the newer one says nothing certain about the older one. */
  readonly beside: number
}

/** Reads which of some texts answers a question. Rules AR1 to AR7 in docs/ports/models.md. */
export interface AnswerReader {
  /**
   * For each of at most six texts, in the order in which they were told, the chance that it is the answer as far as they
   * tell: what a later one took the place of is none. It depends on these alone. Rejects when it cannot say.
   */
  answers(question: string, texts: readonly string[], signal?: AbortSignal): Promise<readonly number[]>
  /**
   * The chance of each text alone, as `answers` gives it, up to the first that answers as surely as this: what is behind
   * that one is not read. Others have their turn between two texts.
   */
  answersUntil(
    surely: number,
    question: string,
    texts: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly number[]>
  /** The chance that the newer statement makes the older one out of date, as a relation says it, but ahead of those that wait. */
  outdates(pair: StatementPair, signal?: AbortSignal): Promise<number>
}

/** Judges pairs of statements. Rules SR1 to SR4 in docs/ports/models.md. */
export interface StatementRelation {
  /** One judgement a pair, in order. A pair's judgement never depends on its neighbours. Rejects when it cannot judge. */
  judge(pairs: readonly StatementPair[], signal?: AbortSignal): Promise<readonly RelationChances[]>
}
