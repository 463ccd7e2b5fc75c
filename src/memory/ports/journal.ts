import type { Seconds } from '../../core/clock.ts'
import type { ChunkId, ItemId, Namespace, RelationshipId } from '../../core/ids.ts'
import type { Vector } from '../../core/vectors.ts'
import type { Chunk, EntityType, Source } from '../model.ts'

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
