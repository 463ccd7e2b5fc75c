import type { SQLOutputValue } from 'node:sqlite'
import { asChunkId, asEntityId, asItemId, asRelationshipId } from '../../../core/ids.ts'
import type { Vector } from '../../../core/vectors.ts'
import type { Entity, EntityType, Metadata, Source } from '../../../memory/model.ts'
import type {
  Fact,
  FoundChunk,
  FoundFact,
  HotFact,
  ListFilter,
  ListPage,
  StoredChunk,
} from '../../../memory/ports.ts'
import { vectorOf } from './index/indexes.ts'

export type Row = Record<string, SQLOutputValue>

const textOrNull = (value: SQLOutputValue | undefined) => (value == null ? null : String(value))
const numberOrNull = (value: SQLOutputValue | undefined) => (value == null ? null : Number(value))

function metadataOf(value: SQLOutputValue | undefined): Metadata | null {
  return value == null ? null : JSON.parse(String(value))
}

/** Metadata as its column keeps it. */
export function metadataText(metadata: Metadata | null): string | null {
  return metadata === null ? null : JSON.stringify(metadata)
}

/** The exact vector of what has this row number. */
const exactVector = (table: string) =>
  `(SELECT v.vector FROM memory_vector v WHERE v.seq = ${table}.seq) AS vector`

/** The columns of a chunk `c` without its vector. */
export const foundColumns = `c.seq, c.id, c.item_id, c.persona, c.session_id, c.source, c.speaker, c.text, c.start_at,
c.end_at, c.metadata, c.base, c.created_at, c.last_access_at, c.access_count, c.fact_count, c.closed_fact_count`

/** The columns of a chunk `c`. */
export const chunkColumns = `${foundColumns}, ${exactVector('c')}`

export function chunkOf(row: Row): StoredChunk {
  return { ...foundChunkOf(row), vector: vectorOf(row.vector) }
}

export function foundChunkOf(row: Row): FoundChunk {
  return {
    id: asChunkId(String(row.id)),
    itemId: asItemId(String(row.item_id)),
    persona: String(row.persona),
    sessionId: textOrNull(row.session_id),
    source: row.source as Source,
    speaker: textOrNull(row.speaker),
    text: String(row.text),
    start: Number(row.start_at),
    end: Number(row.end_at),
    metadata: metadataOf(row.metadata),
    base: Number(row.base),
    createdAt: Number(row.created_at),
    lastAccessAt: Number(row.last_access_at),
    accessCount: Number(row.access_count),
    factCount: Number(row.fact_count),
    closedFactCount: Number(row.closed_fact_count),
  }
}

/** A fact with the names of both ends and its vector; a condition on `r` follows. */
export const selectFacts = `SELECT r.*, ${exactVector('r')}, s.name AS subject_name, o.name AS object_name FROM relationship r
JOIN entity s ON s.namespace = r.namespace AND s.id = r.subject_id
JOIN entity o ON o.namespace = r.namespace AND o.id = r.object_id`

export function factOf(row: Row): Fact {
  return { ...foundFactOf(row), vector: vectorOf(row.vector) }
}

export function foundFactOf(row: Row): FoundFact {
  const closedBy = textOrNull(row.closed_by)
  return {
    id: asRelationshipId(String(row.id)),
    itemId: asItemId(String(row.item_id)),
    chunkId: asChunkId(String(row.chunk_id)),
    persona: String(row.persona),
    sessionId: textOrNull(row.session_id),
    source: row.source as Source,
    subject: asEntityId(String(row.subject_id)),
    subjectName: String(row.subject_name),
    relation: String(row.relation),
    object: asEntityId(String(row.object_id)),
    objectName: String(row.object_name),
    slot: String(row.slot),
    negated: row.negated === 1,
    fact: String(row.fact),
    evidence: String(row.evidence),
    extraction: Number(row.extraction),
    when: textOrNull(row.when_text),
    metadata: metadataOf(row.metadata),
    base: Number(row.base),
    createdAt: Number(row.created_at),
    lastAccessAt: Number(row.last_access_at),
    accessCount: Number(row.access_count),
    closedAt: numberOrNull(row.closed_at),
    closedBy: closedBy === null ? null : asRelationshipId(closedBy),
  }
}

/** An entity with its vector; a condition on `e` follows. */
export const selectEntities = `SELECT e.*, ${exactVector('e')} FROM entity e`

export function entityOf(row: Row): Entity {
  return {
    id: asEntityId(String(row.id)),
    key: String(row.key),
    name: String(row.name),
    type: row.type as EntityType,
    aliases: JSON.parse(String(row.aliases)),
    createdAt: Number(row.created_at),
    vector: vectorOf(row.vector),
  }
}

export function hotFactOf(row: Row): HotFact {
  return {
    id: String(row.id),
    fact: String(row.fact),
    persona: String(row.persona),
    source: row.source as Source,
    confidence: Number(row.confidence),
    createdAt: Number(row.created_at),
    metadata: metadataOf(row.metadata),
    vector: vectorOf(row.vector),
  }
}

/** Conditions of a list, newest first, on a table named `r` or `c`; its parameters come from `listParameters`. */
export const listConditions = (table: 'c' | 'r') => `${table}.namespace = :namespace
AND (:persona IS NULL OR ${table}.persona = :persona)
AND (:sessionId IS NULL OR ${table}.session_id = :sessionId)
AND (:source IS NULL OR ${table}.source = :source)
AND ${table}.created_at >= :since AND ${table}.created_at < :until
AND (${table}.created_at, ${table}.id) < (:afterAt, :afterId)
ORDER BY ${table}.created_at DESC, ${table}.id DESC LIMIT :limit`

export function listParameters(namespace: string, filter: ListFilter, page: ListPage) {
  return {
    namespace,
    persona: filter.persona,
    sessionId: filter.sessionId,
    source: filter.source,
    since: filter.since ?? Number.NEGATIVE_INFINITY,
    until: filter.until ?? Number.POSITIVE_INFINITY,
    afterAt: page.after?.createdAt ?? Number.POSITIVE_INFINITY,
    afterId: page.after?.id ?? '',
    limit: page.limit,
  }
}

/** Things with vectors, the vectors in one piece: a thread passes one array faster than hundreds. */
export interface Packed<T extends { readonly vector: Vector }> {
  readonly items: readonly Omit<T, 'vector'>[]
  readonly vectors: Float32Array
  /** Where each item's vector ends. */
  readonly ends: Uint32Array
}

export function pack<T extends { readonly vector: Vector }>(things: readonly T[]): Packed<T> {
  const ends = new Uint32Array(things.length)
  let length = 0
  things.forEach(({ vector }, at) => {
    length += vector.length
    ends[at] = length
  })
  const vectors = new Float32Array(length)
  const items = things.map(({ vector, ...item }, at) => {
    vectors.set(vector, (ends[at] ?? 0) - vector.length)
    return item
  })
  return { items, vectors, ends }
}

export function unpack<T extends { readonly vector: Vector }>({ items, vectors, ends }: Packed<T>): T[] {
  return items.map((item, at) => {
    const vector = vectors.subarray(at === 0 ? 0 : ends[at - 1], ends[at])
    // What `pack` took apart is put together again.
    return { ...item, vector } as unknown as T
  })
}
