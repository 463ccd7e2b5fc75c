import { randomUUID } from 'node:crypto'
import type { Namespace } from '../../core/ids.ts'
import type { Neo4j, RunQuery } from './neo4j/connection.ts'
import { leftBehind, type Marked, mark, marker, unmark } from './neo4j/pending.ts'
import { chunkOf, entityOf, factColumns, factOf, properties, uid } from './neo4j/rows.ts'
import { chunkDraft } from './qdrant/chunks.ts'
import { bySelection } from './qdrant/filters.ts'
import type { PointDraft, Points } from './qdrant/points.ts'

export interface AllPoints {
  readonly chunk: Points
  readonly fact: Points
  readonly entity: Points
}

/**
 * Keeps Qdrant in line with Neo4j, which holds the truth. A change of the graph leaves a marker in its own
 * transaction; the points it names are then made equal to the graph, and the marker goes. Whoever finds a marker may
 * do that, any number of times.
 */
export interface Follower {
  /** Changes the graph, then the points that `work` names. Resolves when both are durable. */
  change<T>(namespace: Namespace, work: (run: RunQuery) => Promise<{ result: T; marked: Marked }>): Promise<T>
  /** Brings the points of one marker in line. A marker that is gone needs nothing. */
  finish(markerUid: string): Promise<void>
  /** Finishes what others have left behind for at least so long; says how many. */
  repair(olderThanMs: number): Promise<number>
}

const queries = {
  chunks: 'UNWIND $uids AS uid MATCH (c:Chunk {uid: uid}) RETURN c {.*} AS chunk',
  facts: `
    UNWIND $uids AS uid MATCH (s:Entity)-[f:FACT {uid: uid}]->(o:Entity)
    WHERE f.closed_at IS NULL RETURN ${factColumns}`,
  entities:
    'UNWIND $ids AS id MATCH (e:Entity {id: id}) WHERE e.namespace = $namespace RETURN e {.*} AS entity',
} as const

const changeLimitMs = 30_000

export function createFollower(neo4j: Neo4j, points: AllPoints): Follower {
  const truth = {
    chunk: async (namespace: Namespace, ids: readonly string[]): Promise<PointDraft[]> =>
      (await neo4j.read(queries.chunks, { uids: ids.map((id) => uid(namespace, id)) })).map((row) =>
        chunkDraft(chunkOf(properties(row, 'chunk'))),
      ),
    fact: async (namespace: Namespace, ids: readonly string[]): Promise<PointDraft[]> =>
      (await neo4j.read(queries.facts, { uids: ids.map((id) => uid(namespace, id)) }))
        .map(factOf)
        .map((fact) => ({
          ...{ id: fact.id, persona: fact.persona, text: fact.fact, vector: fact.vector },
          payload: { created_at: fact.createdAt },
        })),
    entity: async (namespace: Namespace, ids: readonly string[]): Promise<PointDraft[]> =>
      (await neo4j.read(queries.entities, { namespace, ids })).map((row) => {
        const { id, name, vector, createdAt } = entityOf(properties(row, 'entity'))
        return { id, persona: '', text: name, vector, payload: { created_at: createdAt } }
      }),
  } as const

  async function align(kind: keyof AllPoints, namespace: Namespace, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    const before = await truth[kind](namespace, ids)
    await points[kind].save(namespace, before)
    // Somebody may have removed one of them since it was read; looking again closes the gap.
    const after = before.length === 0 ? before : await truth[kind](namespace, ids)
    const kept = new Set(after.map(({ id }) => id))
    const gone = ids.filter((id) => !kept.has(id))
    if (gone.length > 0) {
      await points[kind].remove(bySelection(namespace, { ids: gone, persona: null, sessionId: null }))
    }
  }

  async function finish(markerUid: string): Promise<void> {
    const found = await marker(neo4j, markerUid)
    if (found === null) return
    const { namespace, marked } = found
    // Chunks last: they are what deduplication looks at.
    await Promise.all([align('entity', namespace, marked.entities), align('fact', namespace, marked.facts)])
    await align('chunk', namespace, marked.chunks)
    await unmark(neo4j, markerUid)
  }

  return {
    finish,
    async change(namespace, work) {
      const markerUid = uid(namespace, `change:${randomUUID()}`)
      const { result, marked } = await neo4j.transaction(async (run) => {
        const changed = await work(run)
        await mark(run, { uid: markerUid, namespace, marked: changed.marked })
        return changed
      }, changeLimitMs)
      if (marked.chunks.length + marked.facts.length + marked.entities.length > 0) await finish(markerUid)
      else await unmark(neo4j, markerUid)
      return result
    },
    async repair(olderThanMs) {
      const left = await leftBehind(neo4j, olderThanMs)
      for (const { uid: markerUid } of left) await finish(markerUid)
      return left.length
    },
  }
}
