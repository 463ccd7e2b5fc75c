import type { SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'
import { asChunkId, asEntityId, asItemId, asRelationshipId } from '../../../core/ids.ts'
import type { Entity, EntityType, Metadata, Source } from '../../../memory/model.ts'
import type {
  Fact,
  FoundChunk,
  FoundEntity,
  FoundFact,
  HotFact,
  ListFilter,
  ListPage,
  Replacement,
  StoredChunk,
  StoredLink,
} from '../../../memory/ports.ts'
import { certain } from '../../../memory/relation/certainty.ts'
import { vectorOf } from './index/entries.ts'
import { filterText, metadataCondition } from './metadata-matches.ts'

export type Row = Record<string, SQLOutputValue>

/** Gives values the names of their columns, in one row that the next values overwrite: a new one for each is much garbage. */
export function rowReader(names: readonly string[]): (values: readonly SQLOutputValue[]) => Row {
  const row: Row = {}
  return (values) => {
    for (let at = 0; at < names.length; at++) row[names[at] ?? ''] = values[at] ?? null
    return row
  }
}

export const textOrNull = (value: SQLOutputValue | undefined) => (value == null ? null : String(value))
export const numberOrNull = (value: SQLOutputValue | undefined) => (value == null ? null : Number(value))

export function metadataOf(value: SQLOutputValue | undefined): Metadata | null {
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
c.end_at, c.metadata, c.base, c.created_at, c.last_access_at, c.access_count, c.fact_count, c.closed_fact_count, c.pinned,
c.replaced_by, c.replaced_kind, c.replaced_probability, c.replaced_at, c.told_at, c.item_key`

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
    pinned: row.pinned === 1,
    replaced: replacementOf(row),
    ...toldAtOf(row),
    ...(row.item_key == null ? {} : { key: String(row.item_key) }),
  }
}

const toldAtOf = ({ told_at }: Row) => (told_at == null ? {} : { toldAt: Number(told_at) })

export const linkOf = (row: Row): StoredLink => ({
  newer: asChunkId(String(row.newer)),
  older: asChunkId(String(row.older)),
  kind: row.kind as StoredLink['kind'],
  probability: Number(row.probability),
  at: Number(row.created_at),
})

export function replacementOf(row: Row): Replacement | null {
  const by = textOrNull(row.replaced_by)
  if (by === null) return null
  return {
    by: asChunkId(by),
    kind: row.replaced_kind as Replacement['kind'],
    probability: Number(row.replaced_probability),
    at: Number(row.replaced_at),
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
    closer: textOrNull(row.closer),
    pinned: row.pinned === 1,
    ...toldAtOf(row),
  }
}

/** An entity with its vector; a condition on `e` follows. */
export const selectEntities = `SELECT e.*, ${exactVector('e')} FROM entity e`

export function entityOf(row: Row): Entity {
  return { ...foundEntityOf(row), vector: vectorOf(row.vector) }
}

export function foundEntityOf(row: Row): FoundEntity {
  return {
    id: asEntityId(String(row.id)),
    key: String(row.key),
    name: String(row.name),
    type: row.type as EntityType,
    aliases: JSON.parse(String(row.aliases)),
    createdAt: Number(row.created_at),
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

/** As `isSuperseded` of the domain says it. */
const chunkSuperseded = `(coalesce(c.replaced_probability, 0) = 1 OR CASE WHEN c.fact_count > 0
THEN c.closed_fact_count >= c.fact_count ELSE coalesce(c.replaced_probability, 0) >= ${certain} END)`

const ofList = {
  c: { text: 'c.text', superseded: `(:superseded IS NULL OR ${chunkSuperseded} = :superseded)` },
  r: { text: 'r.fact', superseded: '(r.closed_at IS NOT NULL) = coalesce(:superseded, 0)' },
} as const

/** Conditions of a list, newest first, on a table named `r` or `c`; its parameters come from `listParameters`. */
export const listConditions = (table: 'c' | 'r') => `${table}.namespace = :namespace
AND (:persona IS NULL OR ${table}.persona = :persona)
AND (:sessionId IS NULL OR ${table}.session_id = :sessionId)
AND (:source IS NULL OR ${table}.source = :source)
AND ${table}.created_at >= :since AND ${table}.created_at < :until
AND (:pinned IS NULL OR ${table}.pinned = :pinned)
AND ${ofList[table].superseded}
AND (:text IS NULL OR has_text(${ofList[table].text}, :text))
AND ${metadataCondition(`${table}.metadata`)}
AND (${table}.created_at, ${table}.id) < (:afterAt, :afterId)
ORDER BY ${table}.created_at DESC, ${table}.id DESC LIMIT :limit`

const flagOrNull = (flag: boolean | null | undefined) => (flag == null ? null : Number(flag))

export function listParameters(namespace: string, filter: ListFilter, page: ListPage) {
  return {
    namespace,
    persona: filter.persona,
    sessionId: filter.sessionId,
    source: filter.source,
    since: filter.since ?? Number.NEGATIVE_INFINITY,
    until: filter.until ?? Number.POSITIVE_INFINITY,
    filter: filterText(filter.filter),
    text: filter.text?.toLowerCase() ?? null,
    pinned: flagOrNull(filter.pinned),
    superseded: flagOrNull(filter.superseded),
    afterAt: page.after?.createdAt ?? Number.POSITIVE_INFINITY,
    afterId: page.after?.id ?? '',
    limit: page.limit,
  }
}

/** Rows with vectors on their way between threads: values without names, and the vectors in one piece, cost less than objects. */
export interface Packed {
  readonly names: readonly string[]
  /** In the place of a vector the bytes that it takes. */
  readonly rows: readonly (readonly SQLOutputValue[])[]
  readonly vectors: Float32Array<ArrayBuffer>
}

/** What a statement finds, with the column `vector`. */
export function packRows(statement: StatementSync, parameters: Record<string, SQLInputValue>): Packed {
  statement.setReturnArrays(true)
  const rows = statement.all(parameters) as unknown as SQLOutputValue[][]
  const names = statement.columns().map(({ name }) => name)
  const column = names.indexOf('vector')
  const found = rows.map((row) => vectorOf(row[column]))
  const vectors = new Float32Array(found.reduce((sum, { length }) => sum + length, 0))
  let end = 0
  rows.forEach((row, at) => {
    const vector = found[at] ?? new Float32Array()
    vectors.set(vector, end)
    end += vector.length
    row[column] = vector.byteLength
  })
  return { names, rows, vectors }
}

/** The rows that `packRows` took apart, each read as what it is. */
export function unpackRows<T>({ names, rows, vectors }: Packed, read: (row: Row) => T): T[] {
  const named = rowReader(names)
  const bytes = new Uint8Array(vectors.buffer, vectors.byteOffset, vectors.byteLength)
  let end = 0
  return rows.map((values) => {
    const row = named(values)
    const start = end
    end += Number(row.vector)
    row.vector = bytes.subarray(start, end)
    return read(row)
  })
}
