import type { Seconds } from '../../core/clock.ts'
import type { ChunkId, EntityId, Namespace, RelationshipId } from '../../core/ids.ts'
import type { Vector } from '../../core/vectors.ts'
import type { Entity, Relationship } from '../model.ts'
import type { FadedQuery, ListFilter, ListPage, Selection, Within } from './selection.ts'

/** A current relationship with the names of both ends. */
export interface Fact extends Relationship {
  readonly subjectName: string
  readonly objectName: string
}

/** A fact without its vector: its cosine says what the vector would. */
export type FoundFact = Omit<Fact, 'vector'>

export interface FactQuery {
  readonly vector: Vector
  readonly terms: readonly string[]
  readonly personas: readonly string[] | null
  readonly limit: number
  /** Absent: every current fact. */
  readonly within?: Within
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
  /** Of every edge how many of those that were looked at leave the same given entity. */
  readonly crowds: readonly number[]
  /** More edges were there than were looked at, or came back. */
  readonly truncated: boolean
}

export interface ExpandQuery {
  readonly entities: readonly EntityId[]
  readonly personas: readonly string[] | null
  /** At most this many edges are looked at. */
  readonly limit: number
  /** The question that the edges are compared with. */
  readonly vector?: Vector
  /** Of the edges looked at so many come back, the nearest to the question. Absent: all. */
  readonly nearest?: number
  /** Edges that are known already and not looked at again. */
  readonly without?: readonly RelationshipId[]
  /** Absent: every current edge. */
  readonly within?: Within
}

export interface RivalQuery {
  readonly persona: string
  /** The subject's key. */
  readonly subject: string
  /** The slot, without the value that some slots end in. */
  readonly slot: string
  readonly limit: number
  /** Facts that held at this time. Absent: those that hold now. */
  readonly at?: Seconds
  /** Instead those told after `at`, oldest first: what held then for a while, and what was told as an end. */
  readonly later?: boolean
  /** As if these chunks and facts had never been told. */
  readonly without?: readonly string[]
}

export interface DecayOutcome {
  /** Relationships whose confidence fell, and rose, since the last run. */
  readonly decayed: number
  readonly reinforced: number
}

/** What hangs on an entity. */
export interface Links {
  readonly relationships: readonly RelationshipId[]
  readonly chunks: readonly ChunkId[]
}

/** The knowledge graph of a namespace. Rules GS1 to GS20 in docs/ports/memory.md. */
export interface GraphStore {
  /** With a time: of those that were known then. */
  nearestEntities(
    namespace: Namespace,
    vector: Vector,
    limit: number,
    asOf?: Seconds,
  ): Promise<readonly EntityHit[]>
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
  /** Facts of a subject in this slot, and in `slot|value` beside it: those that hold, newest first. */
  rivals(namespace: Namespace, query: RivalQuery): Promise<readonly Fact[]>
  /** `told`: they were told again at that time. */
  touch(namespace: Namespace, ids: readonly RelationshipId[], now: Seconds, told?: Seconds): Promise<void>
  /** Exempts a fact from fading, or no longer. False when there is none with this id. */
  pin(namespace: Namespace, id: RelationshipId, pinned: boolean): Promise<boolean>
  /** Recomputes every current relationship's confidence from its base. */
  decay(namespace: Namespace, query: Omit<FadedQuery, 'threshold'>): Promise<DecayOutcome>
  countRelationships(namespace: Namespace, persona: string | null): Promise<number>
  /** For a persona: the entities that take part in its current relationships. */
  countEntities(namespace: Namespace, persona: string | null): Promise<number>
  countFaded(namespace: Namespace, query: FadedQuery): Promise<number>
  /** Those that a removal would take, the most faded first. */
  faded(namespace: Namespace, query: FadedQuery): Promise<readonly RelationshipId[]>
  removeFaded(namespace: Namespace, query: FadedQuery): Promise<number>
  /** Relationships that a selection names, closed ones included. */
  count(namespace: Namespace, selection: Selection): Promise<number>
  /** Removes relationships, closed ones included. What they had closed is reopened, or closed by what closed them. */
  remove(namespace: Namespace, selection: Selection): Promise<number>
  /** Every relationship, current and closed, that touches an entity, and the chunks that told or confirmed those. */
  linkedTo(namespace: Namespace, key: string): Promise<Links>
  /** The facts read from these chunks that another chunk told, too. */
  toldElsewhere(namespace: Namespace, chunks: readonly ChunkId[]): Promise<readonly RelationshipId[]>
  /** Makes those facts of that other chunk, so that they outlive these. */
  passOn(namespace: Namespace, chunks: readonly ChunkId[]): Promise<void>
  /** These facts quote no sentence any longer: what they say takes its place. */
  dropEvidence(namespace: Namespace, ids: readonly RelationshipId[]): Promise<void>
  /** With `gone`: as if what has faded, or what is selected, were gone already. */
  countOrphans(namespace: Namespace, gone?: FadedQuery | Selection): Promise<number>
  /** Removes entities that no relationship, closed ones included, touches. */
  removeOrphans(namespace: Namespace): Promise<number>
  /** Takes from entities the names by which no current fact calls them any more: `user's sister`. How many entities had one. */
  dropRoles(namespace: Namespace): Promise<number>
  /** Every namespace that holds anything. */
  namespaces(): Promise<readonly Namespace[]>
}
