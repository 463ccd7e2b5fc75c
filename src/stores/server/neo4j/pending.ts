import type { Namespace } from '../../../core/ids.ts'
import type { StoredChunk } from '../../../memory/ports.ts'
import type { Neo4j, RunQuery } from './connection.ts'
import { uid } from './rows.ts'
import { plannedOnce } from './schema.ts'
import { text } from './values.ts'

/** Memories whose vectors in Qdrant may differ from the graph until they are brought in line. */
export interface Marked {
  readonly chunks: readonly string[]
  readonly facts: readonly string[]
  readonly entities: readonly string[]
}

export interface Marker {
  readonly uid: string
  readonly namespace: Namespace
  readonly marked: Marked
}

const queries = {
  mark: `
    MERGE (p:Pending {uid: $uid})
    SET p.namespace = $namespace, p.marked = $marked, p.at = timestamp()`,
  unmark: 'MATCH (p:Pending {uid: $uid}) DELETE p',
  // The chunks carry counts that others change; of facts and entities it is enough that they are still there.
  unmarkIfUnchanged: `${plannedOnce}
    MATCH (p:Pending {uid: $placed.uid})
    SET p.locked = true
    WITH p,
      $placed.chunks = COLLECT {
        UNWIND $placed.chunkUids AS uid MATCH (c:Chunk {uid: uid})
        RETURN [c.id, c.fact_count, c.closed_fact_count, c.access_count, c.last_access_at, c.source, c.base,
          coalesce(c.pinned, false), coalesce(c.replaced_by, ''), coalesce(c.replaced_probability, 0.0)]
      }
      AND $placed.factCount = COUNT {
        UNWIND $placed.factUids AS uid MATCH ()-[f:FACT {uid: uid}]->() WHERE f.closed_at IS NULL RETURN f
      }
      AND $placed.entityCount = COUNT {
        UNWIND $placed.entityIds AS id MATCH (e:Entity {id: id}) WHERE e.namespace = $placed.namespace RETURN e
      } AS unchanged
    FOREACH (gone IN CASE WHEN unchanged THEN [p] ELSE [] END | DELETE gone)
    RETURN unchanged`,
  one: 'MATCH (p:Pending {uid: $uid}) RETURN p.uid AS uid, p.namespace AS namespace, p.marked AS marked',
  left: `
    MATCH (p:Pending) WHERE p.at <= timestamp() - $olderThanMs
    RETURN p.uid AS uid, p.namespace AS namespace, p.marked AS marked ORDER BY p.at LIMIT 100`,
} as const

/** Notes, inside the transaction that changes the graph, what has to follow in Qdrant. */
export async function mark(run: RunQuery, { uid: markerUid, namespace, marked }: Marker): Promise<void> {
  await run(queries.mark, { uid: markerUid, namespace, marked: JSON.stringify(marked) })
}

export async function unmark(neo4j: Neo4j, markerUid: string): Promise<void> {
  await neo4j.write(queries.unmark, { uid: markerUid })
}

/** What was placed for a marker, as it has to be still for the marker to go. */
interface Placed {
  readonly chunks: readonly StoredChunk[]
  readonly facts: readonly string[]
  readonly entities: readonly string[]
}

/** Takes the marker away if the graph still says what was placed; false when it does not. */
export async function unmarkIfUnchanged(
  neo4j: Neo4j,
  { uid: markerUid, namespace }: Marker,
  { chunks, facts, entities }: Placed,
): Promise<boolean> {
  const placed = {
    uid: markerUid,
    namespace,
    chunkUids: chunks.map(({ id }) => uid(namespace, id)),
    chunks: chunks.map((chunk) => [
      chunk.id,
      chunk.factCount,
      chunk.closedFactCount,
      chunk.accessCount,
      chunk.lastAccessAt,
      chunk.source,
      chunk.base,
      chunk.pinned,
      chunk.replaced?.by ?? '',
      chunk.replaced?.probability ?? 0,
    ]),
    factUids: facts.map((id) => uid(namespace, id)),
    factCount: facts.length,
    entityIds: entities,
    entityCount: entities.length,
  }
  const [row] = await neo4j.write(queries.unmarkIfUnchanged, { placed })
  return row?.unchanged === true
}

/** Null when it has been brought in line already. */
export async function marker(neo4j: Neo4j, markerUid: string): Promise<Marker | null> {
  const [row] = await neo4j.read(queries.one, { uid: markerUid })
  return row === undefined ? null : markerOf(row)
}

/** Markers that nobody has finished for a while: their process died, or Qdrant was away. */
export async function leftBehind(neo4j: Neo4j, olderThanMs: number): Promise<readonly Marker[]> {
  return (await neo4j.read(queries.left, { olderThanMs })).map(markerOf)
}

function markerOf(row: Parameters<typeof text>[0]): Marker {
  return {
    uid: text(row, 'uid'),
    namespace: text(row, 'namespace') as Namespace,
    marked: JSON.parse(text(row, 'marked')),
  }
}
