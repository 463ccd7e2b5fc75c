import type { Seconds } from '../../core/clock.ts'
import type { ChunkId, EntityId, Namespace, RelationshipId } from '../../core/ids.ts'
import type { Vector } from '../../core/vectors.ts'
import type { Entity, Relationship } from '../model.ts'
import type { FadedQuery, ListFilter, ListPage, Selection } from './selection.ts'

/** A current relationship with the names of both ends. */
export interface Fact extends Relationship {
  readonly subjectName: string
  readonly objectName: string
}

/** A fact without its vector: a traversal brings thousands, and their cosines say what the vectors would. */
export type FoundFact = Omit<Fact, 'vector'>

export interface FactQuery {
  readonly vector: Vector
  readonly terms: readonly string[]
  readonly personas: readonly string[] | null
  readonly limit: number
}

export interface FactHit {
  readonly fact: FoundFact
  readonly cosine: number
  /** BM25 of the fact's text over the searched personas' facts. */
  readonly bm25: number
}

export interface EntityHit {
  readonly entity: Entity
  readonly cosine: number
}

export interface Expansion {
  /** Current edges that touch a given entity, best confidence first, ties by id. */
  readonly edges: readonly FoundFact[]
  /** Of every edge with the question; empty when none was given. */
  readonly cosines: readonly number[]
  /** More edges were there than the cap. */
  readonly truncated: boolean
}

export interface ExpandQuery {
  readonly entities: readonly EntityId[]
  readonly personas: readonly string[] | null
  /** At most this many edges come back. */
  readonly limit: number
  /** The question that the edges are compared with. */
  readonly vector?: Vector
}

export interface RelationQuery {
  readonly persona: string
  /** The subject's key. */
  readonly subject: string
  readonly relation: string
  readonly limit: number
}

export interface DecayOutcome {
  /** Relationships whose confidence fell, and rose, since the last run. */
  readonly decayed: number
  readonly reinforced: number
}

/** The knowledge graph of a namespace. Rules GS1 to GS15 in docs/ports/memory.md. */
export interface GraphStore {
  nearestEntities(namespace: Namespace, vector: Vector, limit: number): Promise<readonly EntityHit[]>
  /** Entities whose key or alias is one of these, for names that a question spells out. */
  entitiesNamed(namespace: Namespace, keys: readonly string[]): Promise<readonly Entity[]>
  /** Current facts by meaning and by words: the best `limit` of each. */
  searchFacts(namespace: Namespace, query: FactQuery): Promise<readonly FactHit[]>
  expand(namespace: Namespace, query: ExpandQuery): Promise<Expansion>
  /** Closed ones too; unknown ids are left out. */
  get(namespace: Namespace, ids: readonly RelationshipId[]): Promise<readonly Fact[]>
  /** Every fact, current and closed, of the slot that this fact belongs to, oldest first. */
  slotHistory(namespace: Namespace, id: RelationshipId): Promise<readonly Fact[]>
  /** Facts read from these chunks, current and closed. */
  factsOf(namespace: Namespace, chunks: readonly ChunkId[]): Promise<readonly Fact[]>
  list(namespace: Namespace, filter: ListFilter, page: ListPage): Promise<readonly Fact[]>
  /** What holds of a subject by a relation that may have several values, newest first. */
  ofRelation(namespace: Namespace, query: RelationQuery): Promise<readonly Fact[]>
  touch(namespace: Namespace, ids: readonly RelationshipId[], now: Seconds): Promise<void>
  /** Recomputes every current relationship's confidence from its base. */
  decay(namespace: Namespace, query: Omit<FadedQuery, 'threshold'>): Promise<DecayOutcome>
  countRelationships(namespace: Namespace, persona: string | null): Promise<number>
  /** For a persona: the entities that take part in its current relationships. */
  countEntities(namespace: Namespace, persona: string | null): Promise<number>
  countFaded(namespace: Namespace, query: FadedQuery): Promise<number>
  removeFaded(namespace: Namespace, query: FadedQuery): Promise<number>
  /** Removes relationships, closed ones included. */
  remove(namespace: Namespace, selection: Selection): Promise<number>
  /** Removes an entity and every relationship that touches it; the chunks those were read from are returned. */
  removeEntity(
    namespace: Namespace,
    key: string,
  ): Promise<{ relationships: number; chunks: readonly ChunkId[] }>
  /** With `faded`: as if what has faded were gone already. */
  countOrphans(namespace: Namespace, faded?: FadedQuery): Promise<number>
  /** Removes entities that no relationship, closed ones included, touches. */
  removeOrphans(namespace: Namespace): Promise<number>
  /** Every namespace that holds anything. */
  namespaces(): Promise<readonly Namespace[]>
}
