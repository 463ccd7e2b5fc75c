import { asChunkId, asRelationshipId, type ChunkId, type Namespace } from '../../../core/ids.ts'
import { refinedType } from '../../../memory/entity-type.ts'
import type { Chunk } from '../../../memory/model.ts'
import type { EntityDraft, ItemReceipt, ItemWrite } from '../../../memory/ports.ts'
import type { RunQuery } from './connection.ts'
import { type Marked, mark } from './pending.ts'
import { entityId, entityOf, metadataText, properties, uid, vectorBytes } from './rows.ts'
import { type FactChanges, settleFacts } from './settle-facts.ts'
import { number, text, textOrNull } from './values.ts'

const queries = {
  // Writing to the namespace's node takes its lock: items of one namespace are settled one after the other.
  takeTurn: `
    MERGE (n:Namespace {id: $namespace})
    SET n.sequence = coalesce(n.sequence, 0.0) + $count
    RETURN n.sequence AS last`,
  findTwin: `
    MATCH (c:Chunk {hash_key: $hashKey})
    WHERE NOT EXISTS { MATCH (other:Chunk {item_uid: c.item_uid}) WHERE other.closed_fact_count > 0 }
    OPTIONAL MATCH (p:Pending {uid: c.item_uid})
    RETURN c.id AS id, p.uid AS marker ORDER BY c.order LIMIT 1`,
  knownEntities: 'UNWIND $uids AS uid MATCH (e:Entity {uid: uid}) RETURN e {.*} AS entity',
  saveEntities: `
    UNWIND $entities AS entity
    MERGE (e:Entity {uid: entity.uid})
    ON CREATE SET e.id = entity.id, e.namespace = $namespace, e.key = entity.key, e.name = entity.name,
      e.created_at = $now, e.vector = entity.vector
    SET e.type = entity.type, e.aliases = entity.aliases
    WITH e, entity UNWIND entity.names AS name
    MERGE (n:EntityName {uid: name})
    MERGE (n)-[:NAMES]->(e)`,
  createChunks: 'UNWIND $chunks AS chunk CREATE (c:Chunk) SET c = chunk',
  closeFacts: `
    UNWIND $closings AS closing
    MATCH ()-[f:FACT {uid: closing.uid}]->()
    SET f.closed_at = $now, f.closed_by = closing.by, f.outdated = true
    WITH f UNWIND f.mentions AS mention
    MATCH (c:Chunk {uid: mention}) SET c.closed_fact_count = c.closed_fact_count + 1
    RETURN DISTINCT c.id AS chunk`,
  confirmFacts: `
    UNWIND $confirmed AS confirmed
    MATCH ()-[f:FACT {uid: confirmed.uid}]->()
    SET f.last_access_at = CASE WHEN f.last_access_at < $now THEN $now ELSE f.last_access_at END,
        f.source = confirmed.source, f.base = confirmed.base, f.extraction = confirmed.extraction
    WITH f, confirmed WHERE NOT confirmed.chunk IN f.mentions
    SET f.mentions = f.mentions + confirmed.chunk
    WITH confirmed MATCH (c:Chunk {uid: confirmed.chunk}) SET c.fact_count = c.fact_count + 1`,
  createFacts: `
    UNWIND $facts AS fact
    MATCH (s:Entity {uid: fact.subjectUid}) MATCH (o:Entity {uid: fact.objectUid})
    CREATE (s)-[f:FACT]->(o) SET f = fact.properties
    WITH fact MATCH (c:Chunk {uid: fact.chunkUid})
    SET c.fact_count = c.fact_count + 1, c.closed_fact_count = c.closed_fact_count + fact.outdated`,
} as const

/** What became of an item in Neo4j, and what of it has to reach Qdrant. Null when there is nothing left to do there. */
export interface Remembered {
  readonly receipt: ItemReceipt
  readonly marker: string | null
}

/** Writes one item into the graph, with the marker that its vectors are still to come; all inside one transaction. */
export async function rememberInGraph(
  run: RunQuery,
  namespace: Namespace,
  item: ItemWrite,
): Promise<Remembered> {
  const [turn] = await run(queries.takeTurn, { namespace, count: item.chunks.length })
  const hashKey = JSON.stringify([namespace, item.persona, item.textHash])
  const [twin] = await run(queries.findTwin, { hashKey })
  if (twin !== undefined) {
    // Its vectors may still be on their way, or were lost with the process that wrote it: the caller waits for them.
    return {
      receipt: { outcome: 'duplicate', chunkId: asChunkId(text(twin, 'id')) },
      marker: textOrNull(twin, 'marker'),
    }
  }
  const keys = await saveEntities(run, namespace, item)
  const first = (turn === undefined ? 0 : number(turn, 'last')) - item.chunks.length
  await run(queries.createChunks, {
    chunks: item.chunks.map((chunk, place) =>
      chunkRow(namespace, item, chunk, { hashKey, order: first + place }),
    ),
  })
  const changes = await settleFacts(run, namespace, item)
  const touched = await writeFacts(run, namespace, item, changes)
  const receipt: ItemReceipt = {
    outcome: 'stored',
    entities: keys.length,
    facts: item.facts.length,
    closed: changes.closings.map(({ id }) => asRelationshipId(id)),
  }
  const marked: Marked = {
    chunks: [...item.chunks.map(({ id }) => id), ...touched],
    facts: [...changes.created.map(({ id }) => id), ...changes.closings.map(({ id }) => id)],
    entities: keys.map((key) => entityId(namespace, key)),
  }
  await mark(run, { uid: uid(namespace, item.itemId), namespace, marked })
  return { receipt, marker: uid(namespace, item.itemId) }
}

/** Every key that the item names, with or without a draft of its own. */
async function saveEntities(
  run: RunQuery,
  namespace: Namespace,
  item: ItemWrite,
): Promise<readonly string[]> {
  const drafts = new Map<string, EntityDraft>(item.entities.map((draft) => [draft.key, draft]))
  for (const { subjectKey, objectKey, vector } of item.facts) {
    for (const key of [subjectKey, objectKey]) {
      if (!drafts.has(key)) drafts.set(key, { key, name: key, type: 'concept', aliases: [], vector })
    }
  }
  const uids = [...drafts.keys()].map((key) => uid(namespace, key))
  const rows = await run(queries.knownEntities, { uids })
  const known = new Map(
    rows.map((row) => entityOf(properties(row, 'entity'))).map((entity) => [entity.key, entity]),
  )
  const entities = [...drafts.values()].map((draft) => {
    const before = known.get(draft.key)
    const aliases = [...new Set([...(before?.aliases ?? []), ...draft.aliases])]
    return {
      uid: uid(namespace, draft.key),
      id: entityId(namespace, draft.key),
      key: draft.key,
      name: draft.name,
      type: before === undefined ? draft.type : refinedType(before.type, draft.type),
      aliases,
      names: [...new Set([draft.key, ...aliases.map((alias) => alias.toLowerCase())])].map((name) =>
        uid(namespace, name),
      ),
      vector: vectorBytes(draft.vector),
    }
  })
  await run(queries.saveEntities, { entities, namespace, now: item.createdAt })
  return [...drafts.keys()]
}

function chunkRow(
  namespace: Namespace,
  item: ItemWrite,
  chunk: Chunk,
  { hashKey, order }: { hashKey: string; order: number },
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
    fact_count: 0,
    closed_fact_count: 0,
    hash_key: hashKey,
    thread: chunk.sessionId === null ? ofItem : `session:${chunk.sessionId}`,
    order,
    vector: vectorBytes(chunk.vector),
  }
}

/** Gives the chunks whose facts were closed: their counts changed. */
async function writeFacts(
  run: RunQuery,
  namespace: Namespace,
  item: ItemWrite,
  { created, confirmed, closings }: FactChanges,
): Promise<readonly ChunkId[]> {
  const now = item.createdAt
  if (created.length > 0) await run(queries.createFacts, { facts: created.map(({ row }) => row) })
  if (confirmed.length > 0) await run(queries.confirmFacts, { confirmed, now })
  if (closings.length === 0) return []
  const rows = await run(queries.closeFacts, {
    now,
    closings: closings.map(({ id, by }) => ({ uid: uid(namespace, id), by })),
  })
  return rows.map((row) => asChunkId(text(row, 'chunk')))
}
