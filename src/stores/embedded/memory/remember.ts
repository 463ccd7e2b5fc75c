import { createHash } from 'node:crypto'
import { analyze } from '../../../core/analyze.ts'
import { asChunkId, asRelationshipId, type Namespace, type RelationshipId } from '../../../core/ids.ts'
import { refinedType } from '../../../memory/entity-type.ts'
import type { Chunk, EntityType, Source } from '../../../memory/model.ts'
import type { EntityDraft, FactDraft, ItemReceipt, ItemWrite } from '../../../memory/ports.ts'
import { type Settlement, type SlotFact, settle, trust } from '../../../memory/slots.ts'
import type { EngineContext } from '../engine/context.ts'
import { roundVector } from '../vector-scan/rounded.ts'
import type { TextKind } from './index/indexes.ts'
import { metadataText } from './rows.ts'
import { trimChanges } from './trim-changes.ts'

interface Remember {
  readonly namespace: Namespace
  readonly item: ItemWrite
}

/** Writes one item, or says that its text is there already. The engine makes it one transaction. */
export function remember(context: EngineContext, { namespace, item }: Remember): ItemReceipt {
  const twin = context.prepare(findTwin).get(namespace, item.persona, item.textHash)
  if (twin !== undefined) return { outcome: 'duplicate', chunkId: asChunkId(String(twin.id)) }
  const ids = new Map<string, string>()
  for (const draft of item.entities)
    ids.set(draft.key, mergeEntity(context, namespace, draft, item.createdAt))
  // Before the facts, whose triggers count themselves into their chunk; nothing is visible before the commit.
  for (const chunk of item.chunks) insertChunk(context, namespace, item, chunk)
  const entityId = (key: string, { vector }: FactDraft) => {
    const known = ids.get(key)
    if (known !== undefined) return known
    const draft: EntityDraft = { key, name: key, type: 'concept', aliases: [], vector }
    const id = mergeEntity(context, namespace, draft, item.createdAt)
    ids.set(key, id)
    return id
  }
  const closed: RelationshipId[] = []
  for (const fact of item.facts) {
    const ends = { subject: entityId(fact.subjectKey, fact), object: entityId(fact.objectKey, fact) }
    closed.push(...addFact(context, namespace, { item, fact, ...ends }))
  }
  if (closed.length > 0) trimChanges(context)
  return { outcome: 'stored', entities: ids.size, facts: item.facts.length, closed }
}

const findTwin = `SELECT c.id FROM chunk c WHERE c.namespace = ? AND c.persona = ? AND c.text_hash = ?
AND NOT EXISTS (
  SELECT 1 FROM chunk o WHERE o.namespace = c.namespace AND o.item_id = c.item_id AND o.closed_fact_count > 0
) ORDER BY c.seq LIMIT 1`

interface NewText {
  readonly kind: TextKind
  readonly id: string
  readonly persona: string
  readonly thread: string | null
  readonly live: boolean
  readonly text: string
  readonly vector: Float32Array
}

/** The row number that the text and what it belongs to share. */
export function insertText({ prepare }: EngineContext, namespace: Namespace, text: NewText): number {
  const insert = `INSERT INTO memory_text (namespace, kind, id, persona, thread, live, terms, rounded)
VALUES (:namespace, :kind, :id, :persona, :thread, :live, :terms, :rounded)`
  const { kind, id, persona, thread, vector } = text
  const terms = kind === 'entity' ? '' : analyze(text.text).join(' ')
  const live = text.live ? 1 : 0
  const values = { namespace, kind, id, persona, thread, live, terms, rounded: roundVector(vector) }
  const seq = Number(prepare(insert).run(values).lastInsertRowid)
  prepare('INSERT INTO memory_vector (seq, vector) VALUES (?, ?)').run(seq, vector)
  return seq
}

function insertChunk(context: EngineContext, namespace: Namespace, item: ItemWrite, chunk: Chunk): void {
  const { id, persona, vector } = chunk
  const ofItem = item.chunks.length > 1 ? `item:${item.itemId}` : null
  const thread = chunk.sessionId === null ? ofItem : `session:${chunk.sessionId}`
  const seq = insertText(context, namespace, {
    ...{ kind: 'chunk', id, persona, thread, live: true },
    ...{ text: chunk.text, vector },
  })
  context.prepare(insertChunkRow).run({
    ...{ seq, namespace, id, itemId: chunk.itemId, persona, sessionId: chunk.sessionId },
    ...{ source: chunk.source, speaker: chunk.speaker, text: chunk.text, start: chunk.start, end: chunk.end },
    ...{ metadata: metadataText(chunk.metadata), base: chunk.base, createdAt: chunk.createdAt },
    ...{ lastAccessAt: chunk.lastAccessAt, accessCount: chunk.accessCount, textHash: item.textHash },
  })
}

export const insertChunkRow = `INSERT INTO chunk (seq, namespace, id, item_id, persona, session_id, source, speaker, text,
  start_at, end_at, metadata, base, created_at, last_access_at, access_count, text_hash)
VALUES (:seq, :namespace, :id, :itemId, :persona, :sessionId, :source, :speaker, :text,
  :start, :end, :metadata, :base, :createdAt, :lastAccessAt, :accessCount, :textHash)`

/** Finds or makes the node of a key; its aliases are added and its type made more precise. Gives its id. */
function mergeEntity(context: EngineContext, namespace: Namespace, draft: EntityDraft, now: number): string {
  const { prepare } = context
  const known = prepare('SELECT id, type, aliases FROM entity WHERE namespace = ? AND key = ?').get(
    namespace,
    draft.key,
  )
  if (known === undefined) return insertEntity(context, namespace, draft, now)
  const id = String(known.id)
  const before: string[] = JSON.parse(String(known.aliases))
  const aliases = [...new Set([...before, ...draft.aliases])]
  const oldType = known.type as EntityType
  const type = refinedType(oldType, draft.type)
  if (type !== oldType || aliases.length > before.length) {
    prepare('UPDATE entity SET type = ?, aliases = ? WHERE namespace = ? AND id = ?').run(
      ...[type, JSON.stringify(aliases), namespace, id],
    )
    addNames(context, namespace, id, draft)
  }
  return id
}

function insertEntity(context: EngineContext, namespace: Namespace, draft: EntityDraft, now: number): string {
  const { key, name, type, vector } = draft
  const id = createHash('sha256')
    .update(JSON.stringify([namespace, key]))
    .digest('hex')
    .slice(0, 32)
  const seq = insertText(context, namespace, {
    ...{ kind: 'entity', id, persona: '', thread: null, live: true },
    ...{ text: name, vector },
  })
  const insert = `INSERT INTO entity (seq, namespace, id, key, name, type, aliases, created_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)`
  const aliases = JSON.stringify([...new Set(draft.aliases)])
  context.prepare(insert).run(seq, namespace, id, key, name, type, aliases, now)
  addNames(context, namespace, id, draft)
  return id
}

export function addNames(
  { prepare }: EngineContext,
  namespace: Namespace,
  id: string,
  draft: Pick<EntityDraft, 'key' | 'aliases'>,
): void {
  const names = new Set([draft.key, ...draft.aliases.map((alias) => alias.toLowerCase())])
  const insert = 'INSERT OR IGNORE INTO entity_name (namespace, name, entity_id) VALUES (?, ?, ?)'
  for (const name of names) prepare(insert).run(namespace, name, id)
}

interface NewFact {
  readonly item: ItemWrite
  readonly fact: FactDraft
  readonly subject: string
  readonly object: string
}

/** Settles a fact against the current ones of its slot; gives the ids of those that it closed. */
function addFact(context: EngineContext, namespace: Namespace, added: NewFact): RelationshipId[] {
  const { item, fact, subject } = added
  const current = context.prepare(currentOfSlot).all(namespace, item.persona, subject, fact.slot)
  const { id, relation, objectKey, negated, ended } = fact
  const settlement = settle(
    current.map(
      (row): SlotFact => ({
        id: String(row.id),
        relation: String(row.relation),
        objectKey: String(row.object_key),
        negated: row.negated === 1,
        source: row.source as Source,
      }),
    ),
    { id, relation, objectKey, negated, ended, source: item.source },
  )
  if (settlement.kind === 'confirm') {
    confirm(context, namespace, settlement.id, added)
    return []
  }
  const closedBy = settlement.kind === 'store' ? id : null
  const close = context.prepare(closeFact)
  for (const old of settlement.closes) close.run(item.createdAt, closedBy, namespace, old)
  const keep = context.prepare(keepOwnText)
  for (const old of settlement.closes) keep.run(namespace, old, namespace, item.itemId)
  insertFact(context, namespace, added, settlement)
  return settlement.closes.map(asRelationshipId)
}

const currentOfSlot = `SELECT r.id, r.relation, e.key AS object_key, r.negated, r.source FROM relationship r
JOIN entity e ON e.namespace = r.namespace AND e.id = r.object_id
WHERE r.namespace = ? AND r.persona = ? AND r.subject_id = ? AND r.slot = ? AND r.closed_at IS NULL ORDER BY r.seq`

const closeFact = `UPDATE relationship SET closed_at = ?, closed_by = ?
WHERE namespace = ? AND id = ? AND closed_at IS NULL`

/** A text that corrects itself is not outdated by that: told again, it is a repetition. */
const keepOwnText = `UPDATE mention SET closed = 0 WHERE namespace = ? AND relationship_id = ?
AND chunk_id IN (SELECT id FROM chunk WHERE namespace = ? AND item_id = ?)`

const insertMention =
  'INSERT OR IGNORE INTO mention (namespace, relationship_id, chunk_id, closed) VALUES (?, ?, ?, ?)'

function confirm(
  { prepare }: EngineContext,
  namespace: Namespace,
  id: string,
  { item, fact }: NewFact,
): void {
  prepare(
    'UPDATE relationship SET last_access_at = max(last_access_at, ?) WHERE namespace = ? AND id = ?',
  ).run(item.createdAt, namespace, id)
  prepare(insertMention).run(namespace, id, fact.chunkId, 0)
  const source = prepare('SELECT source FROM relationship WHERE namespace = ? AND id = ?').get(namespace, id)
    ?.source as Source
  if (trust[item.source] <= trust[source]) return
  prepare(`UPDATE relationship SET source = ?, base = max(base, ?), extraction = max(extraction, ?)
WHERE namespace = ? AND id = ?`).run(item.source, fact.base, fact.extraction, namespace, id)
}

function insertFact(
  context: EngineContext,
  namespace: Namespace,
  { item, fact, subject, object }: NewFact,
  settlement: Exclude<Settlement, { kind: 'confirm' }>,
): void {
  const isHistory = settlement.kind === 'history'
  const seq = insertText(context, namespace, {
    ...{ kind: 'fact', id: fact.id, persona: item.persona, thread: null, live: !isHistory },
    ...{ text: fact.fact, vector: fact.vector },
  })
  context.prepare(insertFactRow).run({
    ...{ seq, namespace, id: fact.id, itemId: item.itemId, chunkId: fact.chunkId, persona: item.persona },
    ...{ sessionId: item.sessionId, source: item.source, subject, relation: fact.relation, object },
    ...{ slot: fact.slot, negated: fact.negated ? 1 : 0, fact: fact.fact, evidence: fact.evidence },
    ...{ extraction: fact.extraction, when: fact.when, metadata: metadataText(item.metadata) },
    ...{ base: fact.base, createdAt: item.createdAt, closedAt: isHistory ? item.createdAt : null },
    closedBy: isHistory ? settlement.closedBy : null,
  })
  // A text that tells of an end is not outdated by it; one that a more trusted fact contradicts is.
  const isOutdated = isHistory && !fact.ended
  context.prepare(insertMention).run(namespace, fact.id, fact.chunkId, isOutdated ? 1 : 0)
}

export const insertFactRow = `INSERT INTO relationship (seq, namespace, id, item_id, chunk_id, persona, session_id, source,
  subject_id, relation, object_id, slot, negated, fact, evidence, extraction, when_text, metadata, base, confidence,
  created_at, last_access_at, access_count, closed_at, closed_by)
VALUES (:seq, :namespace, :id, :itemId, :chunkId, :persona, :sessionId, :source,
  :subject, :relation, :object, :slot, :negated, :fact, :evidence, :extraction, :when, :metadata, :base, :base,
  :createdAt, :createdAt, 0, :closedAt, :closedBy)`
