import type { Namespace } from '../../../core/ids.ts'
import type { Source } from '../../../memory/model.ts'
import type { FactDraft, ItemWrite } from '../../../memory/ports.ts'
import { type Settlement, type SlotFact, settle, trust } from '../../../memory/slots.ts'
import type { Row } from './connection.ts'
import { metadataText, uid, vectorBytes } from './rows.ts'
import { number, text } from './values.ts'

interface CurrentFact extends SlotFact {
  readonly base: number
  readonly extraction: number
  /** Uids of the chunks that state it. */
  readonly mentions: readonly string[]
}

/** What the facts of an item do to the graph, worked out before anything is written. */
export interface FactChanges {
  readonly created: readonly CreatedFact[]
  readonly confirmed: readonly Readonly<Record<string, unknown>>[]
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
  readonly mentions: readonly string[]
}

/** The slots whose current facts have to be known before the facts of an item can settle. */
export function slotsOf(namespace: Namespace, item: ItemWrite) {
  const slots = item.facts.map(({ subjectKey, slot }) => ({ subject: uid(namespace, subjectKey), slot }))
  return [...new Map(slots.map((slot) => [JSON.stringify(slot), slot])).values()]
}

/** Facts of one item settle in their order: a later one sees what an earlier one did. */
export function settleFacts(rows: readonly Row[], namespace: Namespace, item: ItemWrite): FactChanges {
  const current = new Map<string, CurrentFact[]>()
  for (const row of rows) {
    const place = JSON.stringify({ subject: text(row, 'subject'), slot: text(row, 'slot') })
    current.set(place, [...(current.get(place) ?? []), currentOf(row)])
  }
  const created: CreatedFact[] = []
  const confirmed: Readonly<Record<string, unknown>>[] = []
  const closings: ClosedFact[] = []
  item.facts.forEach((fact, position) => {
    const place = JSON.stringify({ subject: uid(namespace, fact.subjectKey), slot: fact.slot })
    const held = current.get(place) ?? []
    const settlement = settle(held, { ...fact, source: item.source })
    if (settlement.kind === 'confirm') {
      const same = held.find(({ id }) => id === settlement.id)
      if (same !== undefined) confirmed.push(confirmation(namespace, item, fact, same))
      return
    }
    const by = settlement.kind === 'store' ? fact.id : null
    for (const { id, mentions } of held.filter((other) => settlement.closes.includes(other.id)))
      closings.push({ id, by, mentions })
    const left = held.filter(({ id }) => !settlement.closes.includes(id))
    const isHistory = settlement.kind !== 'store'
    const mentions = [uid(namespace, fact.chunkId)]
    current.set(place, isHistory ? left : [...left, { ...fact, source: item.source, mentions }])
    created.push({ id: fact.id, isHistory, row: factRow(namespace, item, { fact, settlement, position }) })
  })
  return { created, confirmed, closings }
}

function currentOf(row: Row): CurrentFact {
  return {
    id: text(row, 'id'),
    relation: text(row, 'relation'),
    objectKey: text(row, 'objectKey'),
    negated: row.negated === true,
    source: text(row, 'source') as Source,
    base: number(row, 'base'),
    extraction: number(row, 'extraction'),
    mentions: Array.isArray(row.mentions) ? row.mentions.map(String) : [],
  }
}

/** A more trusted source lifts the fact that it repeats. */
function confirmation(namespace: Namespace, item: ItemWrite, fact: FactDraft, same: CurrentFact) {
  const rises = trust[item.source] > trust[same.source]
  return {
    uid: uid(namespace, same.id),
    chunk: uid(namespace, fact.chunkId),
    source: rises ? item.source : same.source,
    base: rises ? Math.max(same.base, fact.base) : same.base,
    extraction: rises ? Math.max(same.extraction, fact.extraction) : same.extraction,
  }
}

interface NewFact {
  readonly fact: FactDraft
  readonly settlement: Exclude<Settlement, { kind: 'confirm' }>
  readonly position: number
}

function factRow(namespace: Namespace, item: ItemWrite, { fact, settlement, position }: NewFact) {
  const isHistory = settlement.kind === 'history'
  // A text that tells of an end is not outdated by it; one that a more trusted fact contradicts is.
  const outdated = isHistory && !fact.ended
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
    last_access_at: item.createdAt,
    access_count: 0,
    closed_at: isHistory ? item.createdAt : null,
    closed_by: isHistory ? settlement.closedBy : null,
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
