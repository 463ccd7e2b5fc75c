import { createHash } from 'node:crypto'
import { asChunkId, asEntityId, asItemId, asRelationshipId, type Namespace } from '../../../core/ids.ts'
import type { Vector } from '../../../core/vectors.ts'
import type { Entity, EntityType, Metadata, Source } from '../../../memory/model.ts'
import type { Fact, Replacement } from '../../../memory/ports.ts'
import type { PlacedChunk } from '../qdrant/chunks.ts'
import type { Row } from './connection.ts'
import { number, numberOrNull, text, textOrNull, unfit } from './values.ts'

/** Names a node or edge across namespaces: equal ids of two namespaces never meet. */
export const uid = (namespace: Namespace, id: string) => JSON.stringify([namespace, id])

/** The id inside a uid. */
export const idOf = (known: string): string => JSON.parse(known)[1]

/** The id of the entity with this key: the same in every process and every retry. */
export function entityId(namespace: Namespace, key: string): string {
  return createHash('sha256')
    .update(JSON.stringify([namespace, key]))
    .digest('hex')
    .slice(0, 32)
}

/** Vectors are byte strings in Neo4j: half the size of its number lists. */
export function vectorBytes(vector: Vector): Int8Array {
  return new Int8Array(vector.slice().buffer)
}

export function vectorOf(row: Row): Vector {
  const bytes = row.vector
  if (!(bytes instanceof Int8Array)) throw unfit(bytes, 'Neo4j holds a vector that is no byte string.')
  return new Float32Array(bytes.slice().buffer)
}

export const metadataText = (metadata: Metadata | null) =>
  metadata === null ? null : JSON.stringify(metadata)

export function metadata(row: Row): Metadata | null {
  const value = textOrNull(row, 'metadata')
  return value === null ? null : JSON.parse(value)
}

/** Properties of a node or edge that came back as a map under `column`. */
export function properties(row: Row, column: string): Row {
  const value = row[column]
  if (typeof value !== 'object' || value === null) throw unfit(value, `Neo4j column ${column} is not a map.`)
  return value as Row
}

const retained = (row: Row) => ({
  base: number(row, 'base'),
  createdAt: number(row, 'created_at'),
  lastAccessAt: number(row, 'last_access_at'),
  accessCount: number(row, 'access_count'),
  pinned: row.pinned === true,
  ...(typeof row.told_at === 'number' ? { toldAt: row.told_at } : {}),
})

function replacementOf(row: Row): Replacement | null {
  const by = textOrNull(row, 'replaced_by')
  if (by === null) return null
  return {
    by: asChunkId(by),
    kind: text(row, 'replaced_kind') as Replacement['kind'],
    probability: number(row, 'replaced_probability'),
    at: number(row, 'replaced_at'),
  }
}

export function chunkOf(row: Row): PlacedChunk {
  return {
    ...retained(row),
    id: asChunkId(text(row, 'id')),
    itemId: asItemId(text(row, 'item_id')),
    persona: text(row, 'persona'),
    sessionId: textOrNull(row, 'session_id'),
    source: text(row, 'source') as Source,
    speaker: textOrNull(row, 'speaker'),
    text: text(row, 'text'),
    start: number(row, 'start_at'),
    end: number(row, 'end_at'),
    metadata: metadata(row),
    factCount: number(row, 'fact_count'),
    closedFactCount: number(row, 'closed_fact_count'),
    replaced: replacementOf(row),
    ...(typeof row.key === 'string' ? { key: row.key } : {}),
    thread: textOrNull(row, 'thread'),
    tokens: row.tokens instanceof Int8Array ? row.tokens : null,
    order: number(row, 'order'),
    vector: vectorOf(row),
  }
}

/** An edge `fact` and its ends: what every query that returns facts has as columns. */
export const factColumns = `f {.*} AS fact, s.id AS subject, s.name AS subjectName, o.id AS object, o.name AS objectName`

export function factOf(row: Row): Fact {
  const fact = properties(row, 'fact')
  const closedBy = textOrNull(fact, 'closed_by')
  return {
    ...retained(fact),
    id: asRelationshipId(text(fact, 'id')),
    itemId: asItemId(text(fact, 'item_id')),
    chunkId: asChunkId(text(fact, 'chunk_id')),
    persona: text(fact, 'persona'),
    sessionId: textOrNull(fact, 'session_id'),
    source: text(fact, 'source') as Source,
    subject: asEntityId(text(row, 'subject')),
    subjectName: text(row, 'subjectName'),
    relation: text(fact, 'relation'),
    object: asEntityId(text(row, 'object')),
    objectName: text(row, 'objectName'),
    slot: text(fact, 'slot'),
    negated: fact.negated === true,
    fact: text(fact, 'fact'),
    evidence: text(fact, 'evidence'),
    extraction: number(fact, 'extraction'),
    when: textOrNull(fact, 'when_text'),
    metadata: metadata(fact),
    closedAt: numberOrNull(fact, 'closed_at'),
    closedBy: closedBy === null ? null : asRelationshipId(closedBy),
    closer: textOrNull(fact, 'closer') ?? closedBy,
    vector: vectorOf(fact),
  }
}

export function entityOf(row: Row): Entity {
  const aliases = row.aliases
  return {
    id: asEntityId(text(row, 'id')),
    key: text(row, 'key'),
    name: text(row, 'name'),
    type: text(row, 'type') as EntityType,
    aliases: Array.isArray(aliases) ? aliases.map(String) : [],
    createdAt: number(row, 'created_at'),
    vector: vectorOf(row),
  }
}
