import type { Seconds } from '../core/clock.ts'
import type { ChunkId, EntityId, ItemId, RelationshipId } from '../core/ids.ts'
import type { Vector } from '../core/vectors.ts'

/** Who said it. Trust falls from left to right: user, document, assistant. */
export type Source = 'user' | 'assistant' | 'document'

export const sharedPersona = 'shared'

/** What a persona sees: its own memories and those of all. */
export const withShared = (persona: string): readonly string[] => [...new Set([persona, sharedPersona])]

export type Metadata = Readonly<Record<string, unknown>>

/** What decay works on: `base` never changes by itself, the current confidence is computed from it. */
export interface Retained {
  /** Confidence when stored or last upgraded, 0 to 1. */
  readonly base: number
  /** When it was told first. */
  readonly createdAt: Seconds
  /** When it was told last. Absent: when it was created. */
  readonly toldAt?: Seconds
  /** When it was stored, or asked for since. */
  readonly lastAccessAt: Seconds
  readonly accessCount: number
  /** The user keeps it: it neither fades nor is pruned. */
  readonly pinned: boolean
}

/** A piece of an ingested text, as episodic memory keeps it. */
export interface Chunk extends Retained {
  readonly id: ChunkId
  readonly itemId: ItemId
  readonly persona: string
  readonly sessionId: string | null
  readonly source: Source
  /** The name before the colon when the text starts with `Name:`. */
  readonly speaker: string | null
  readonly text: string
  /** Offsets into the item's text, in UTF-16 code units, end exclusive. */
  readonly start: number
  readonly end: number
  readonly metadata: Metadata | null
  readonly vector: Vector
}

export type EntityType = 'person' | 'organization' | 'place' | 'date' | 'thing' | 'concept' | 'abstraction'

/** A node of the graph. `key` is its canonical name: unique per namespace. */
export interface Entity {
  readonly id: EntityId
  readonly key: string
  readonly name: string
  readonly type: EntityType
  readonly aliases: readonly string[]
  readonly vector: Vector
  readonly createdAt: Seconds
}

/** An edge of the graph: subject, relation, object, with everything the specification asks of it. */
export interface Relationship extends Retained {
  readonly id: RelationshipId
  readonly itemId: ItemId
  /** The chunk that holds the sentence it was read from. */
  readonly chunkId: ChunkId
  readonly persona: string
  readonly sessionId: string | null
  readonly source: Source
  readonly subject: EntityId
  readonly relation: string
  readonly object: EntityId
  /** Facts of one subject and persona with the same slot compete: one of them is current (memory/slots.ts). */
  readonly slot: string
  /** It states that the relation does not hold: `user does not eat meat`. */
  readonly negated: boolean
  /** The readable fact, as `user lives in Lisbon`. */
  readonly fact: string
  /** The sentence it was read from. */
  readonly evidence: string
  /** The extractor's own confidence, before the source's trust. */
  readonly extraction: number
  /** When it holds, as the text says it (`since 2021`); null when it does not say. */
  readonly when: string | null
  readonly metadata: Metadata | null
  readonly vector: Vector
  /** Null while it is current. */
  readonly closedAt: Seconds | null
  /** What took its place; null when it is current, or was ended without a successor. */
  readonly closedBy: RelationshipId | null
  /** The memory that closed it: a fact, or the chunk of a statement that replaced its text. Removing that reopens it. */
  readonly closer: string | null
}

/** How a newer statement relates to an older one that it makes out of date. */
export interface StatementLink {
  readonly newer: ChunkId
  readonly older: ChunkId
  /** `replaces`: it says what holds instead. `ends`: it says only that the older one no longer holds. */
  readonly kind: 'replaces' | 'ends'
  /** How sure the judge was, 0 to 1. */
  readonly probability: number
}
