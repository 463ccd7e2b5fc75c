import type { Namespace } from '../../core/ids.ts'
import type { Vector } from '../../core/vectors.ts'
import type { EmbeddingIdentity, TokenVectors } from './models.ts'

export interface StoredText {
  readonly kind: 'chunk' | 'fact' | 'entity'
  readonly namespace: Namespace
  readonly id: string
  /** What its vector is made from. */
  readonly text: string
}

/** What the model now makes of a stored text. Only chunks keep token vectors. */
export interface NewVector {
  readonly text: StoredText
  readonly vector: Vector
  readonly tokens: TokenVectors | null
}

/** What `memoryd reembed` needs: which model the vectors are from, every text behind one, and a way to replace them. Rules VM1 to VM5 in docs/ports/memory.md. */
export interface VectorMaintenance {
  /** Null on a fresh store. */
  identity(): Promise<EmbeddingIdentity | null>
  setIdentity(identity: EmbeddingIdentity): Promise<void>
  /** How many texts there are in all. */
  countTexts(): Promise<number>
  /** In a stable order, after the cursor; empty at the end. */
  texts(after: string | null, limit: number): Promise<{ texts: readonly StoredText[]; cursor: string | null }>
  replace(vectors: readonly NewVector[]): Promise<void>
}
