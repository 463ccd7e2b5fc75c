import type { EntityId, Namespace } from '../../core/ids.ts'
import type { Entity, EntityType } from '../model.ts'
import type { FoundChunk } from './episodic-store.ts'
import type { FoundFact } from './graph-store.ts'

export type FoundEntity = Omit<Entity, 'vector'>

/** An entity, and how many facts touch it. */
export interface CountedEntity {
  readonly entity: FoundEntity
  readonly facts: number
}

export interface EntityQuery {
  /** Lower case: how its key or an alias begins, and what stands anywhere in one. Null: any. */
  readonly prefix: string | null
  readonly text: string | null
  readonly type: EntityType | null
  /** The key of the last one of the page before. */
  readonly after: string | null
  readonly limit: number
}

/** Which facts are looked at. */
export interface EdgeScope {
  /** Null: every persona of the namespace. */
  readonly personas: readonly string[] | null
  /** Closed ones too. */
  readonly closed: boolean
}

export interface EdgeQuery extends EdgeScope {
  readonly entities: readonly EntityId[]
  /** At most so many of each entity, however many it has. */
  readonly perEntity: number
}

/** What the user keeps from fading, the newest first. */
export interface Pinned {
  readonly chunks: readonly FoundChunk[]
  /** Those that hold. */
  readonly facts: readonly FoundFact[]
}

/** The graph to be looked at. Rules GV1 to GV6 in docs/ports/memory.md. */
export interface GraphView {
  /** By key, each with the number of current facts that touch it. */
  entities(namespace: Namespace, query: EntityQuery): Promise<readonly CountedEntity[]>
  /** These entities, by id, with the number of facts in scope; unknown ids are left out. */
  nodes(namespace: Namespace, ids: readonly EntityId[], scope: EdgeScope): Promise<readonly CountedEntity[]>
  /** Facts that touch one of the entities, each once: current ones first, then what was closed last; by confidence, ties by id. */
  edges(namespace: Namespace, query: EdgeQuery): Promise<readonly FoundFact[]>
  /** At most so many of each kind. */
  pinned(namespace: Namespace, personas: readonly string[] | null, limit: number): Promise<Pinned>
}
