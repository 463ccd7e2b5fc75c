import type { Namespace } from '../../../core/ids.ts'
import type { Source } from '../../../memory/model.ts'
import type { FactDraft, ItemWrite } from '../../../memory/ports.ts'
import { settleAt, type TimedFact, type TimedSettlement, toldTime, trust } from '../../../memory/slots.ts'
import type { Row } from './connection.ts'
import { metadataText, uid, vectorBytes } from './rows.ts'
import { number, text } from './values.ts'

interface KnownFact extends TimedFact {
  readonly isOpen: boolean
  readonly base: number
  readonly extraction: number
  /** Uids of the chunks that state it. */
  readonly mentions: readonly string[]
}

/** What the facts of an item do to the graph, worked out before anything is written. */
export interface FactChanges {
  readonly created: readonly CreatedFact[]
  readonly confirmed: readonly ReturnType<typeof confirmation>[]
  readonly closings: readonly ClosedFact[]
}

interface CreatedFact {
  readonly id: string
  /** It never was current. */
  readonly isHistory: boolean
  readonly row: Readonly<Record<string, unknown>>
}

interface ClosedFact {
  readonly id: string
  readonly by: string | null
  readonly closer: string
  readonly at: number
  readonly mentions: readonly string[]
}

/** The slots whose facts have to be known before the facts of an item can settle. */
export function slotsOf(namespace: Namespace, item: ItemWrite) {
  const slots = item.facts.map(({ subjectKey, slot }) => ({ subject: uid(namespace, subjectKey), slot }))
  return [...new Map(slots.map((slot) => [JSON.stringify(slot), slot])).values()]
}

/** Facts of one item settle in their order: a later one sees what an earlier one did. */
export function settleFacts(rows: readonly Row[], namespace: Namespace, item: ItemWrite): FactChanges {
  const current = new Map<string, KnownFact[]>()
  for (const row of rows) {
    const place = JSON.stringify({ subject: text(row, 'subject'), slot: text(row, 'slot') })
    current.set(place, [...(current.get(place) ?? []), currentOf(row)])
  }
  const created: CreatedFact[] = []
  const confirmed: ReturnType<typeof confirmation>[] = []
  const closings: ClosedFact[] = []
  const { source, createdAt } = item
  const time = { told: toldTime(item), at: createdAt }
  const ends = endsByLinks(item)
  item.facts.forEach((fact, position) => {
    const place = JSON.stringify({ subject: uid(namespace, fact.subjectKey), slot: fact.slot })
    const held = current.get(place) ?? []
    const settlement = settleAt(held, { ...fact, source }, time)
    const isConfirmed = settlement.kind === 'confirm'
    const same = isConfirmed ? held.find(({ id }) => id === settlement.id) : undefined
    if (same !== undefined) confirmed.push(confirmation(namespace, item, fact, same))
    const closer = isConfirmed ? settlement.id : fact.id
    const closes = new Map(settlement.closes.map(({ id, at }) => [id, at]))
    for (const { id, mentions } of held) {
      const at = closes.get(id)
      if (at !== undefined) closings.push({ id, by: fact.ended ? null : closer, closer, at, mentions })
    }
    const left = held.filter(({ id }) => !closes.has(id))
    current.set(place, left)
    if (isConfirmed) return
    const end = ends.get(fact.id)
    const closed = end !== undefined && end.at < (settlement.closed?.at ?? Infinity) ? end : settlement.closed
    const mentions = [uid(namespace, fact.chunkId)]
    const known = { ...fact, source, mentions, createdAt, toldAt: createdAt, isOpen: true, ended: false }
    if (closed === null) current.set(place, [...left, known])
    created.push({
      ...{ id: fact.id, isHistory: closed !== null },
      row: factRow(namespace, item, { fact, closed, position }),
    })
  })
  return { created, confirmed, closings }
}

/** The facts of the item itself that something told later has ended. */
function endsByLinks({ links, facts, createdAt }: ItemWrite) {
  const own = new Set<string>(facts.map(({ id }) => id))
  const ends = new Map<string, Closed>()
  for (const { closes, newer, at = createdAt } of links)
    for (const id of closes.filter((closed) => own.has(closed))) {
      if (at < (ends.get(id)?.at ?? Infinity)) ends.set(id, { at, by: null, closer: newer })
    }
  return ends
}

/** The facts that links close: those that are current, and that the item itself neither tells again nor closed. */
export function linkClosings(
  current: readonly Row[],
  namespace: Namespace,
  item: ItemWrite,
  { confirmed, closings }: Pick<FactChanges, 'confirmed' | 'closings'>,
): ClosedFact[] {
  const mentions = new Map(current.map((row) => [text(row, 'id'), mentionsOf(row)]))
  for (const { id } of closings) mentions.delete(id)
  const told = new Set(confirmed.map((same) => same.uid))
  return item.links.flatMap(({ newer, closes, at = item.createdAt }) =>
    closes.flatMap((id): ClosedFact[] => {
      const stated = mentions.get(id)
      if (stated === undefined || told.has(uid(namespace, id))) return []
      mentions.delete(id)
      return [{ id, by: null, closer: newer, at, mentions: stated }]
    }),
  )
}

const mentionsOf = (row: Row) => (Array.isArray(row.mentions) ? row.mentions.map(String) : [])

function currentOf(row: Row): KnownFact {
  return {
    id: text(row, 'id'),
    relation: text(row, 'relation'),
    objectKey: text(row, 'objectKey'),
    negated: row.negated === true,
    source: text(row, 'source') as Source,
    base: number(row, 'base'),
    extraction: number(row, 'extraction'),
    mentions: mentionsOf(row),
    createdAt: number(row, 'createdAt'),
    toldAt: number(row, 'toldAt'),
    isOpen: row.isOpen === true,
    ended: row.ended === true,
  }
}

/** A more trusted source lifts the fact that it repeats. */
function confirmation(namespace: Namespace, item: ItemWrite, fact: FactDraft, same: KnownFact) {
  const rises = trust[item.source] > trust[same.source]
  return {
    uid: uid(namespace, same.id),
    chunk: uid(namespace, fact.chunkId),
    outdated: same.isOpen ? 0 : 1,
    source: rises ? item.source : same.source,
    base: rises ? Math.max(same.base, fact.base) : same.base,
    extraction: rises ? Math.max(same.extraction, fact.extraction) : same.extraction,
  }
}

type Closed = NonNullable<Extract<TimedSettlement, { kind: 'store' }>['closed']>

interface NewFact {
  readonly fact: FactDraft
  readonly closed: Closed | null
  readonly position: number
}

function factRow(namespace: Namespace, item: ItemWrite, { fact, closed, position }: NewFact) {
  // A text that tells of an end is not outdated by it; one that another fact contradicts is.
  const outdated = closed !== null && !fact.ended
  const properties = {
    uid: uid(namespace, fact.id),
    id: fact.id,
    namespace,
    item_id: item.itemId,
    chunk_id: fact.chunkId,
    mentions: [uid(namespace, fact.chunkId)],
    outdated,
    persona: item.persona,
    session_id: item.sessionId,
    source: item.source,
    relation: fact.relation,
    slot: fact.slot,
    negated: fact.negated,
    fact: fact.fact,
    evidence: fact.evidence,
    extraction: fact.extraction,
    when_text: fact.when,
    metadata: metadataText(item.metadata),
    base: fact.base,
    confidence: fact.base,
    created_at: item.createdAt,
    last_access_at: item.storedAt ?? item.createdAt,
    access_count: 0,
    closed_at: closed?.at ?? null,
    closed_by: closed?.by ?? null,
    closer: closed?.closer ?? null,
    pinned: false,
    order: position,
    vector: vectorBytes(fact.vector),
  }
  return {
    subjectUid: uid(namespace, fact.subjectKey),
    objectUid: uid(namespace, fact.objectKey),
    chunkUid: uid(namespace, fact.chunkId),
    outdated: outdated ? 1 : 0,
    properties,
  }
}
