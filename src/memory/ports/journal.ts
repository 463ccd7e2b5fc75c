import type { Seconds } from '../../core/clock.ts'
import type { ChunkId, ItemId, Namespace, RelationshipId } from '../../core/ids.ts'
import type { Vector } from '../../core/vectors.ts'
import type { Chunk, EntityType, Source, StatementLink } from '../model.ts'
import type { Document } from './document-store.ts'
import type { TokenVectors } from './models.ts'

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

/** A chunk to store, with what is kept beside it for late interaction. */
export interface ChunkDraft extends Chunk {
  /** Absent or null: the model gives none. */
  readonly tokens?: TokenVectors | null
}

/** Everything one ingested text adds, written together or not at all. */
export interface ItemWrite {
  readonly itemId: ItemId
  readonly persona: string
  readonly sessionId: string | null
  readonly source: Source
  readonly metadata: Chunk['metadata']
  /** When it was told: what is older and what newer goes by it. */
  readonly createdAt: Seconds
  /** When it is stored, where that is later: fading counts from then. Absent: it is told now, after all that is stored. */
  readonly storedAt?: Seconds
  /** sha256 of the text as it is, because nobody compares vectors here: an item is stored once per persona while none of its facts are closed. */
  readonly textHash: string
  /** The item's own name among those of its persona: it takes the place of the one that has it, as if that had never been told. */
  readonly key?: string
  /** Kept as it is, under the item's key. */
  readonly document?: Document
  readonly entities: readonly EntityDraft[]
  readonly facts: readonly FactDraft[]
  readonly chunks: readonly ChunkDraft[]
  /** What this item's chunks make out of date, what makes them so, and the facts that are closed with it. */
  readonly links: readonly (LinkDraft | FactClosing)[]
  /** Memories that were wrong: what they had closed is settled first, as if they had never been told. Absent: none. */
  readonly undoes?: readonly string[]
}

export interface LinkDraft extends StatementLink {
  /** When the newer statement was told. Absent: with this item. */
  readonly at?: Seconds
  /** Those that this very item tells again stay open. */
  readonly closes: readonly RelationshipId[]
}

/** No text is out of date, the facts alone are closed. */
export interface FactClosing extends Omit<LinkDraft, 'older'> {
  readonly older: null
}

export type ItemReceipt =
  | {
      readonly outcome: 'stored'
      readonly entities: number
      /** Facts stored or confirmed; history entries count too. */
      readonly facts: number
      /** Facts that were closed by this item. */
      readonly closed: readonly RelationshipId[]
      /** Facts that were known and that this item tells again; absent: none. */
      readonly confirmed?: readonly RelationshipId[]
      /** Chunks and facts of the item whose place it took; absent: of none. */
      readonly removed?: readonly string[]
    }
  /** The same text is already there. */
  | { readonly outcome: 'duplicate'; readonly chunkId: ChunkId }

/**
 * Writes one item into graph and vectors: both or neither, durable when it resolves. Vectors become visible
 * last. Facts are settled against the current ones of their slot by `settle` of memory/slots.ts, atomically.
 * Rules J1 to J16 in docs/ports/memory.md.
 */
export interface Journal {
  remember(namespace: Namespace, item: ItemWrite): Promise<ItemReceipt>
  /** Removes the item of a key and its document, as if it had never been told. Gives the ids of its chunks and facts. */
  removeKeyed(namespace: Namespace, persona: string, key: string): Promise<readonly string[]>
}
