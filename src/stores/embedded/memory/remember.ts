import { createHash } from 'node:crypto'
import { analyze } from '../../../core/analyze.ts'
import {
  asChunkId,
  asRelationshipId,
  type ChunkId,
  type Namespace,
  type RelationshipId,
} from '../../../core/ids.ts'
import { refinedType } from '../../../memory/entity-type.ts'
import type { EntityType, Source } from '../../../memory/model.ts'
import type { ChunkDraft, EntityDraft, FactDraft, ItemReceipt, ItemWrite } from '../../../memory/ports.ts'
import { certain } from '../../../memory/relation/certainty.ts'
import { settleAt, type TimedFact, type TimedSettlement, toldTime, trust } from '../../../memory/slots.ts'
import type { EngineContext } from '../engine/context.ts'
import { roundVector } from '../vector-scan/rounded.ts'
import type { TextKind } from './index/entries.ts'
import { keyedItem, putDocument, removeKeyed } from './keyed.ts'
import { metadataText, type Row } from './rows.ts'
import { setAside } from './set-aside.ts'
import { storeTokens } from './tokens.ts'
import { trimChanges } from './trim-changes.ts'
import { undoClosings } from './undo-closings.ts'

interface Remember {
  readonly namespace: Namespace
  readonly item: ItemWrite
}

/** Writes one item, or says that its text is there already. The engine makes it one transaction. */
export function remember(context: EngineContext, { namespace, item }: Remember): ItemReceipt {
  const duplicate = duplicateOf(context, namespace, item)
  if (duplicate !== null) return { outcome: 'duplicate', chunkId: duplicate }
  const { persona, key } = item
  const removed = key === undefined ? [] : removeKeyed(context, { namespace, persona, key })
  const undone = item.undoes === undefined ? null : undoClosings(context, namespace, item.undoes, 'judged')
  const ids = new Map<string, string>()
  for (const draft of item.entities)
    ids.set(draft.key, mergeEntity(context, namespace, draft, item.createdAt))
  // Before the facts, whose triggers count themselves into their chunk; nothing is visible before the commit.
  for (const chunk of item.chunks) insertChunk(context, namespace, item, chunk)
  const [first] = item.chunks
  if (first !== undefined && undone !== null) setAside(context, namespace, first.id, undone)
  const entityId = (key: string, { vector }: FactDraft) => {
    const known = ids.get(key)
    if (known !== undefined) return known
    const draft: EntityDraft = { key, name: key, type: 'concept', aliases: [], vector }
    const id = mergeEntity(context, namespace, draft, item.createdAt)
    ids.set(key, id)
    return id
  }
  const closed: RelationshipId[] = []
  const confirmed = new Set<string>()
  for (const fact of item.facts) {
    const ends = { subject: entityId(fact.subjectKey, fact), object: entityId(fact.objectKey, fact) }
    const settled = addFact(context, namespace, { item, fact, ...ends })
    closed.push(...settled.closed)
    if (settled.confirmed !== null) confirmed.add(settled.confirmed)
  }
  for (const link of item.links) {
    const closes = link.closes.filter((id) => !confirmed.has(id))
    closed.push(...addLink(context, namespace, item, { ...link, closes }))
  }
  if (item.document !== undefined) putDocument(context, namespace, persona, item.document)
  if (closed.length > 0) trimChanges(context)
  const stored = { outcome: 'stored', entities: ids.size, facts: item.facts.length, closed } as const
  return {
    ...stored,
    ...(confirmed.size === 0 ? {} : { confirmed: [...confirmed].map(asRelationshipId) }),
    ...(removed.length === 0 ? {} : { removed }),
  }
}

/** The chunk that holds the very text already; of an item with a key, under that key. */
function duplicateOf(context: EngineContext, namespace: Namespace, item: ItemWrite): ChunkId | null {
  const { persona, textHash, key } = item
  if (key !== undefined) {
    const known = keyedItem(context, { namespace, persona, key })
    return known?.textHash === textHash ? (known.chunks[0] ?? null) : null
  }
  const row = context.prepare(findByTextHash).get(namespace, persona, textHash)
  return row === undefined ? null : asChunkId(String(row.id))
}

const findByTextHash = `SELECT c.id FROM chunk c WHERE c.namespace = ? AND c.persona = ? AND c.text_hash = ?
AND NOT EXISTS (
  SELECT 1 FROM chunk o WHERE o.namespace = c.namespace AND o.item_id = c.item_id
  AND (o.closed_fact_count > 0 OR o.replaced_by IS NOT NULL)
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

function insertChunk(context: EngineContext, namespace: Namespace, item: ItemWrite, chunk: ChunkDraft): void {
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
    ...{ pinned: chunk.pinned ? 1 : 0, toldAt: null, key: item.key ?? null },
  })
  if (chunk.tokens) storeTokens(context, seq, chunk.tokens.codes)
}

/** Notes that an older text is out of date and closes the facts that go with it; gives those that were current. */
function addLink(
  { prepare }: EngineContext,
  namespace: Namespace,
  { createdAt }: ItemWrite,
  { newer, older, kind, probability, closes, at = createdAt }: ItemWrite['links'][number],
): RelationshipId[] {
  if (older !== null) prepare(insertLink).run({ namespace, older, newer, kind, probability, createdAt: at })
  const close = prepare(closeFact)
  const closed = closes.filter(
    (id) => close.run({ at, by: null, closer: newer, namespace, id }).changes === 1,
  )
  if (older !== null && probability >= certain) prepare(dropLaterLinks).run({ namespace, older, at })
  return closed
}

/** What was out of date already needed nothing newer to say so, unless that closed a fact of it. */
const dropLaterLinks = `DELETE FROM link WHERE namespace = :namespace AND older = :older AND created_at > :at
AND NOT EXISTS (
  SELECT 1 FROM relationship r WHERE r.namespace = link.namespace AND r.chunk_id = link.older AND (r.closer = link.newer
  OR r.closer IN (SELECT f.id FROM relationship f WHERE f.namespace = link.namespace AND f.chunk_id = link.newer))
)`

/** An older text that was removed meanwhile needs no link. */
export const insertLink = `INSERT OR IGNORE INTO link (namespace, older, newer, kind, probability, created_at)
SELECT :namespace, :older, :newer, :kind, :probability, :createdAt
WHERE EXISTS (SELECT 1 FROM chunk WHERE namespace = :namespace AND id = :older)`

export const insertChunkRow = `INSERT INTO chunk (seq, namespace, id, item_id, persona, session_id, source, speaker, text,
  start_at, end_at, metadata, base, created_at, last_access_at, access_count, text_hash, pinned, told_at,
  item_key)
VALUES (:seq, :namespace, :id, :itemId, :persona, :sessionId, :source, :speaker, :text,
  :start, :end, :metadata, :base, :createdAt, :lastAccessAt, :accessCount, :textHash, :pinned, :toldAt, :key)`

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

/** What a fact did to the current ones of its slot. */
interface Settled {
  readonly closed: readonly RelationshipId[]
  readonly confirmed: string | null
}

function addFact(context: EngineContext, namespace: Namespace, added: NewFact): Settled {
  const { item, fact, subject } = added
  const { createdAt, persona } = item
  const told = toldTime(item)
  const known = context
    .prepare(knownOfSlot)
    .all({ namespace, persona, subject, slot: fact.slot, told })
    .map(timedFact)
  const { id, relation, objectKey, negated, ended } = fact
  const incoming = { id, relation, objectKey, negated, ended, source: item.source }
  const settlement = settleAt(known, incoming, { told, at: createdAt })
  const isConfirmed = settlement.kind === 'confirm'
  if (isConfirmed) confirm(context, namespace, settlement.id, added)
  const close = context.prepare(closeFact)
  const holder = isConfirmed ? settlement.id : id
  const closed = settlement.closes.filter(
    ({ id: old, at }) =>
      close.run({ at, by: ended ? null : holder, closer: holder, namespace, id: old }).changes === 1,
  )
  const keep = context.prepare(keepOwnText)
  for (const old of closed) keep.run(namespace, old.id, namespace, item.itemId)
  if (!isConfirmed) insertFact(context, namespace, added, settlement)
  return {
    closed: closed.map((old) => asRelationshipId(old.id)),
    confirmed: isConfirmed ? settlement.id : null,
  }
}

/** Those that are current, that were closed since the item was told, or that were told as an end since. */
const knownOfSlot = `SELECT r.id, r.relation, e.key AS object_key, r.negated, r.source, r.created_at,
  coalesce(r.told_at, r.created_at) AS told_at, r.closed_at = r.created_at AND r.closer IS NULL AS ended
FROM relationship r JOIN entity e ON e.namespace = r.namespace AND e.id = r.object_id
WHERE r.namespace = :namespace AND r.persona = :persona AND r.subject_id = :subject AND r.slot = :slot
AND (r.closed_at IS NULL OR (r.closed_at > :told AND (r.closed_at > r.created_at OR r.closer IS NULL))) ORDER BY r.seq`

const timedFact = (row: Row): TimedFact => ({
  id: String(row.id),
  relation: String(row.relation),
  objectKey: String(row.object_key),
  negated: row.negated === 1,
  source: row.source as Source,
  createdAt: Number(row.created_at),
  toldAt: Number(row.told_at),
  ended: row.ended === 1,
})

/** The earliest end of a fact is its end. */
const closeFact = `UPDATE relationship SET closed_at = :at, closed_by = :by, closer = :closer
WHERE namespace = :namespace AND id = :id AND (closed_at IS NULL OR closed_at > :at)`

/** A text that corrects itself is not outdated by that: told again, it is a repetition. */
const keepOwnText = `UPDATE mention SET closed = 0 WHERE namespace = ? AND relationship_id = ?
AND chunk_id IN (SELECT id FROM chunk WHERE namespace = ? AND item_id = ?)`

/** A statement that was told at `:told`, too. */
export const toldAgain = `created_at = min(created_at, :told), told_at = max(coalesce(told_at, created_at), :told)`

const insertMention =
  'INSERT OR IGNORE INTO mention (namespace, relationship_id, chunk_id, closed) VALUES (?, ?, ?, ?)'

function confirm(
  { prepare }: EngineContext,
  namespace: Namespace,
  id: string,
  { item, fact }: NewFact,
): void {
  prepare(`UPDATE relationship SET last_access_at = max(last_access_at, :now), ${toldAgain}
WHERE namespace = :namespace AND id = :id`).run({
    ...{ now: item.storedAt ?? item.createdAt, told: item.createdAt, namespace, id },
  })
  const known = prepare('SELECT source, closed_at FROM relationship WHERE namespace = ? AND id = ?')
  const row = known.get(namespace, id)
  prepare(insertMention).run(namespace, id, fact.chunkId, row?.closed_at == null ? 0 : 1)
  const source = row?.source as Source
  if (trust[item.source] <= trust[source]) return
  prepare(`UPDATE relationship SET source = ?, base = max(base, ?), extraction = max(extraction, ?)
WHERE namespace = ? AND id = ?`).run(item.source, fact.base, fact.extraction, namespace, id)
}

function insertFact(
  context: EngineContext,
  namespace: Namespace,
  { item, fact, subject, object }: NewFact,
  { closed }: Extract<TimedSettlement, { kind: 'store' }>,
): void {
  const seq = insertText(context, namespace, {
    ...{ kind: 'fact', id: fact.id, persona: item.persona, thread: null, live: closed === null },
    ...{ text: fact.fact, vector: fact.vector },
  })
  context.prepare(insertFactRow).run({
    ...{ seq, namespace, id: fact.id, itemId: item.itemId, chunkId: fact.chunkId, persona: item.persona },
    ...{ sessionId: item.sessionId, source: item.source, subject, relation: fact.relation, object },
    ...{ slot: fact.slot, negated: fact.negated ? 1 : 0, fact: fact.fact, evidence: fact.evidence },
    ...{ extraction: fact.extraction, when: fact.when, metadata: metadataText(item.metadata) },
    ...{ base: fact.base, createdAt: item.createdAt, lastAccessAt: item.storedAt ?? item.createdAt },
    ...{ closedAt: closed?.at ?? null, closedBy: closed?.by ?? null, closer: closed?.closer ?? null },
    ...{ pinned: 0, toldAt: null },
  })
  // A text that tells of an end is not outdated by it; one that another fact contradicts is.
  const isOutdated = closed !== null && !fact.ended
  context.prepare(insertMention).run(namespace, fact.id, fact.chunkId, isOutdated ? 1 : 0)
}

export const insertFactRow = `INSERT INTO relationship (seq, namespace, id, item_id, chunk_id, persona, session_id, source,
  subject_id, relation, object_id, slot, negated, fact, evidence, extraction, when_text, metadata, base, confidence,
  created_at, last_access_at, access_count, closed_at, closed_by, closer, pinned, told_at)
VALUES (:seq, :namespace, :id, :itemId, :chunkId, :persona, :sessionId, :source,
  :subject, :relation, :object, :slot, :negated, :fact, :evidence, :extraction, :when, :metadata, :base, :base,
  :createdAt, :lastAccessAt, 0, :closedAt, :closedBy, :closer, :pinned, :toldAt)`
