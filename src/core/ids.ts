import { randomUUID } from 'node:crypto'

/** A string that cannot be mistaken for another kind of string. */
type Branded<Name extends string> = string & { readonly __brand: Name }

/** One account's memory. The first argument of every store method, so that it cannot be forgotten. */
export type Namespace = Branded<'Namespace'>
export type ChunkId = Branded<'ChunkId'>
export type EntityId = Branded<'EntityId'>
export type RelationshipId = Branded<'RelationshipId'>
/** One ingested text: its chunks and relationships share it. */
export type ItemId = Branded<'ItemId'>

/** Makes new random ids. Passed in, so that tests can repeat themselves. */
export type NewId = () => string

export const randomId: NewId = () => randomUUID()

export const asNamespace = (value: string): Namespace => value as Namespace
export const asChunkId = (value: string): ChunkId => value as ChunkId
export const asEntityId = (value: string): EntityId => value as EntityId
export const asRelationshipId = (value: string): RelationshipId => value as RelationshipId
export const asItemId = (value: string): ItemId => value as ItemId
