import { asChunkId, asRelationshipId, type Namespace } from '../../../core/ids.ts'
import type { Vector } from '../../../core/vectors.ts'
import { refinedType } from '../../../memory/entity-type.ts'
import type { EntityType } from '../../../memory/model.ts'
import type { ChunkDraft, EntityDraft, ItemReceipt, ItemWrite } from '../../../memory/ports.ts'
import { certain } from '../../../memory/relation/certainty.ts'
import { toldTime } from '../../../memory/slots.ts'
import type { PlacedChunk } from '../qdrant/chunks.ts'
import type { Row, RunQuery } from './connection.ts'
import { keyedChunks, keyProperties, lockNamespace, putDocument, removeKeyedInGraph } from './keyed.ts'
import { draftedLinks, linkRow } from './links.ts'
import type { Marker } from './pending.ts'
import { rememberQueries as queries } from './remember-queries.ts'
import { chunkOf, entityId, idOf, metadataText, uid, vectorBytes } from './rows.ts'
import { asideText } from './set-aside.ts'
import { linkClosings, settleFacts, slotsOf } from './settle-facts.ts'
import { undoClosings } from './undo-closings.ts'
import { number, rows, text, textOrNull } from './values.ts'

interface NewFact {
  readonly id: string
  readonly persona: string
  readonly fact: string
  readonly vector: Vector
  readonly createdAt: number
}

interface NewEntity {
  readonly id: string
  readonly name: string
  readonly vector: Vector
  readonly createdAt: number
}

/** What an item left in Neo4j, as its points in Qdrant have to say it. */
export interface Written {
  readonly marker: Marker
  readonly chunks: readonly PlacedChunk[]
  readonly facts: readonly NewFact[]
  readonly entities: readonly NewEntity[]
}

/** What became of an item in Neo4j. A duplicate may name the marker of a first try whose points are still to come. */
export type Remembered =
  | { readonly receipt: ItemReceipt; readonly written: Written }
  | { readonly receipt: ItemReceipt; readonly unfinished: string | null }

/**
 * Writes one item into the graph, with the marker that its points are still to come. Two statements in one
 * transaction: what has to be known, and everything that changes.
 */
export async function rememberInGraph(
  run: RunQuery,
  namespace: Namespace,
  item: ItemWrite,
): Promise<Remembered> {
  const replaced = await makeWay(run, namespace, item)
  if (replaced.receipt !== undefined) return replaced
  const drafts = entityDrafts(item)
  const hashKey = JSON.stringify([namespace, item.persona, item.textHash])
  const [known] = await run(queries.begin, {
    item: {
      namespace,
      count: item.chunks.length,
      // Of an item with a key it has been asked above.
      hashKey: item.key === undefined ? hashKey : null,
      uids: [...drafts.keys()].map((key) => uid(namespace, key)),
      slots: slotsOf(namespace, item),
      persona: item.persona,
      told: toldTime(item),
      closes: item.links.flatMap(({ closes, at = item.createdAt }) =>
        closes.map((id) => ({ uid: uid(namespace, id), at })),
      ),
    },
  })
  if (known === undefined) throw new Error('Neo4j did not answer with the namespace.')
  const [duplicate] = rows(known, 'duplicates')
  if (duplicate !== undefined) {
    // Its points may still be on their way, or were lost with the process that wrote it: the caller waits for them.
    return {
      receipt: { outcome: 'duplicate', chunkId: asChunkId(text(duplicate, 'id')) },
      unfinished: textOrNull(duplicate, 'marker'),
    }
  }
  const entities = entityRows(namespace, drafts, rows(known, 'entities'))
  const first = number(known, 'last') - item.chunks.length
  const chunks = item.chunks.map((chunk, place) =>
    chunkRow(namespace, item, chunk, {
      ...{ hashKey, order: first + place, aside: place === 0 ? replaced.aside : null },
    }),
  )
  const settled = settleFacts(rows(known, 'facts'), namespace, item)
  const { created, confirmed } = settled
  const closings = [...settled.closings, ...linkClosings(rows(known, 'closable'), namespace, item, settled)]
  const links = draftedLinks(item.links, item.createdAt)
  const chunkUids = [
    ...new Set([
      ...chunks.map((chunk) => chunk.uid),
      ...item.facts.map(({ chunkId }) => uid(namespace, chunkId)),
      ...closings.flatMap(({ mentions }) => mentions),
      ...links.map(({ older }) => uid(namespace, older)),
    ]),
  ]
  const fresh = entities.filter(({ isNew }) => isNew).map(({ id }) => id)
  const marked = {
    chunks: [...new Set([...replaced.marked.chunks, ...chunkUids.map(idOf)])],
    facts: [...new Set([...replaced.marked.facts, ...[...created, ...closings].map(({ id }) => id)])],
    entities: fresh,
  }
  const itemUid = uid(namespace, item.itemId)
  const changes = {
    namespace,
    id: item.itemId,
    now: item.createdAt,
    storedAt: item.storedAt ?? item.createdAt,
    certain,
    entities: entities.map(({ isNew: _isNew, ...entity }) => entity),
    chunks,
    facts: created.map(({ row }) => row),
    confirmed,
    closings: closings.map(({ id, by, closer, at }) => ({ uid: uid(namespace, id), by, closer, at })),
    links: links.map((link) => linkRow(namespace, link)),
    uid: itemUid,
    marked: JSON.stringify(marked),
    chunkUids,
  }
  const [written] = await run(queries.write, { item: changes })
  if (written === undefined) throw new Error('Neo4j did not answer with what was written.')
  if (item.document !== undefined) await putDocument(run, namespace, item.persona, item.document)
  const closed = new Set(closings.map(({ id }) => id))
  const open = new Set(
    created.filter(({ id, isHistory }) => !isHistory && !closed.has(id)).map(({ id }) => id),
  )
  const { persona, createdAt } = item
  return {
    receipt: {
      outcome: 'stored',
      entities: drafts.size,
      facts: item.facts.length,
      closed: closings.map(({ id }) => asRelationshipId(id)),
      ...(confirmed.length === 0
        ? {}
        : { confirmed: [...new Set(confirmed.map((same) => asRelationshipId(idOf(same.uid))))] }),
      ...(replaced.gone.length === 0 ? {} : { removed: replaced.gone }),
    },
    written: {
      marker: { uid: itemUid, namespace, marked },
      chunks: rows(written, 'chunks').map(chunkOf),
      facts: item.facts
        .filter(({ id }) => open.has(id))
        .map(({ id, fact, vector }) => ({ id, persona, fact, vector, createdAt })),
      entities: [...drafts.values()]
        .map(({ key, name, vector }) => ({ id: entityId(namespace, key), name, vector, createdAt }))
        .filter(({ id }) => fresh.includes(id)),
    },
  }
}

/** Undoes what the memories that it corrects had closed; takes the item away that has the key of this one, unless it is the same. */
async function makeWay(run: RunQuery, namespace: Namespace, { persona, key, textHash, undoes }: ItemWrite) {
  const { undone, ...touched } = await undoClosings(run, namespace, undoes ?? [], 'judged')
  const aside = asideText(undone)
  if (key === undefined) return { gone: [], marked: { ...touched, entities: [] }, aside }
  await lockNamespace(run, namespace)
  const known = await keyedChunks(run, { namespace, persona, key })
  const [first] = known?.chunks ?? []
  if (known !== null && first !== undefined && known.textHash === textHash) {
    return { receipt: { outcome: 'duplicate', chunkId: first } as const, unfinished: known.marker }
  }
  const { gone, marked } = await removeKeyedInGraph(run, { namespace, persona, key })
  return { gone, marked, aside }
}

/** Every key that the item names, with or without a draft of its own. */
function entityDrafts(item: ItemWrite): ReadonlyMap<string, EntityDraft> {
  const drafts = new Map<string, EntityDraft>(item.entities.map((draft) => [draft.key, draft]))
  for (const { subjectKey, objectKey, vector } of item.facts) {
    for (const key of [subjectKey, objectKey]) {
      if (!drafts.has(key)) drafts.set(key, { key, name: key, type: 'concept', aliases: [], vector })
    }
  }
  return drafts
}

function entityRows(namespace: Namespace, drafts: ReadonlyMap<string, EntityDraft>, found: readonly Row[]) {
  const known = new Map(found.map((row) => [text(row, 'key'), row]))
  return [...drafts.values()].map((draft) => {
    const before = known.get(draft.key)
    const held = Array.isArray(before?.aliases) ? before.aliases.map(String) : []
    const aliases = [...new Set([...held, ...draft.aliases])]
    return {
      uid: uid(namespace, draft.key),
      id: entityId(namespace, draft.key),
      key: draft.key,
      name: draft.name,
      type: before === undefined ? draft.type : refinedType(text(before, 'type') as EntityType, draft.type),
      aliases,
      names: [...new Set([draft.key, ...aliases.map((alias) => alias.toLowerCase())])].map((name) =>
        uid(namespace, name),
      ),
      vector: vectorBytes(draft.vector),
      isNew: before === undefined,
    }
  })
}

function chunkRow(
  namespace: Namespace,
  item: ItemWrite,
  chunk: ChunkDraft,
  { hashKey, order, aside }: { hashKey: string; order: number; aside: string | null },
) {
  const ofItem = item.chunks.length > 1 ? `item:${item.itemId}` : null
  return {
    uid: uid(namespace, chunk.id),
    id: chunk.id,
    namespace,
    item_id: chunk.itemId,
    item_uid: uid(namespace, chunk.itemId),
    persona: chunk.persona,
    session_id: chunk.sessionId,
    source: chunk.source,
    speaker: chunk.speaker,
    text: chunk.text,
    start_at: chunk.start,
    end_at: chunk.end,
    metadata: metadataText(chunk.metadata),
    base: chunk.base,
    created_at: chunk.createdAt,
    last_access_at: chunk.lastAccessAt,
    access_count: chunk.accessCount,
    pinned: chunk.pinned,
    fact_count: 0,
    closed_fact_count: 0,
    hash_key: hashKey,
    thread: chunk.sessionId === null ? ofItem : `session:${chunk.sessionId}`,
    order,
    vector: vectorBytes(chunk.vector),
    tokens: chunk.tokens?.codes ?? null,
    set_aside: aside,
    ...keyProperties({ namespace, persona: chunk.persona, key: item.key }),
  }
}
