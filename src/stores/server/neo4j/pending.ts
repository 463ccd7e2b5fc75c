import type { Namespace } from '../../../core/ids.ts'
import type { Neo4j, RunQuery } from './connection.ts'
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
  one: 'MATCH (p:Pending {uid: $uid}) RETURN p.uid AS uid, p.namespace AS namespace, p.marked AS marked',
  left: `
    MATCH (p:Pending) WHERE p.at <= timestamp() - $olderThanMs
    RETURN p.uid AS uid, p.namespace AS namespace, p.marked AS marked ORDER BY p.at LIMIT 100`,
} as const

/** Notes, inside the transaction that changes the graph, what has to follow in Qdrant. */
export async function mark(run: RunQuery, { uid, namespace, marked }: Marker): Promise<void> {
  await run(queries.mark, {
    uid,
    namespace,
    marked: JSON.stringify(marked),
  })
}

export async function unmark(neo4j: Neo4j, uid: string): Promise<void> {
  await neo4j.write(queries.unmark, { uid })
}

/** Null when it has been brought in line already. */
export async function marker(neo4j: Neo4j, uid: string): Promise<Marker | null> {
  const [row] = await neo4j.read(queries.one, { uid })
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
