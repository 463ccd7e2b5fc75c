import { randomUUID } from 'node:crypto'
import type { Namespace } from '../../core/ids.ts'
import type { Neo4j, RunQuery } from './neo4j/connection.ts'
import {
  leftBehind,
  type Marked,
  type Marker,
  mark,
  marker,
  unmark,
  unmarkIfUnchanged,
} from './neo4j/pending.ts'
import type { Written } from './neo4j/remember.ts'
import { chunkOf, entityOf, factColumns, factOf, properties, uid } from './neo4j/rows.ts'
import { untorn, withoutTornRows } from './neo4j/torn-rows.ts'
import { chunkDraft } from './qdrant/chunks.ts'
import type { PointDraft, Points } from './qdrant/points.ts'

export interface AllPoints {
  readonly chunk: Points
  readonly fact: Points
  readonly entity: Points
}

/** Where a journalled write has got to. */
export type JournalStep =
  | 'begun'
  | 'graph written'
  | 'facts and entities placed'
  | 'chunks placed'
  | 'marker gone'

/** Told of every step; the write goes on when it resolves. Lets a test end the process in between. */
export type OnStep = (step: JournalStep) => Promise<void>

/**
 * Keeps Qdrant in line with Neo4j, which holds the truth. A change of the graph leaves a marker in its own
 * transaction; the points it names are then made equal to the graph, and the marker goes. Whoever finds a marker may
 * do that, any number of times.
 */
export interface Follower {
  /** Changes the graph, then the points that `work` names. Resolves when both are durable. */
  change<T>(namespace: Namespace, work: (run: RunQuery) => Promise<{ result: T; marked: Marked }>): Promise<T>
  /** Makes the points of an item that was written just now, and takes its marker away. */
  place(written: Written): Promise<void>
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

export function createFollower(neo4j: Neo4j, points: AllPoints, onStep: OnStep): Follower {
  const truth = withoutTornRows({
    chunk: async (namespace: Namespace, ids: readonly string[]): Promise<PointDraft[]> =>
      (await neo4j.read(queries.chunks, { uids: ids.map((id) => uid(namespace, id)) })).map((row) =>
        chunkDraft(chunkOf(properties(row, 'chunk'))),
      ),
    fact: async (namespace: Namespace, ids: readonly string[]): Promise<PointDraft[]> =>
      (await neo4j.read(queries.facts, { uids: ids.map((id) => uid(namespace, id)) }))
        .map(factOf)
        .map(factPoint),
    entity: async (namespace: Namespace, ids: readonly string[]): Promise<PointDraft[]> =>
      (await neo4j.read(queries.entities, { namespace, ids })).map((row) =>
        entityPoint(entityOf(properties(row, 'entity'))),
      ),
  })

  async function align(kind: keyof AllPoints, namespace: Namespace, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    const before = await truth[kind](namespace, ids)
    await points[kind].save(namespace, before)
    // Somebody may have removed one of them since it was read; looking again closes the gap.
    const after = before.length === 0 ? before : await truth[kind](namespace, ids)
    const kept = new Set(after.map(({ id }) => id))
    await points[kind].remove(
      namespace,
      ids.filter((id) => !kept.has(id)),
    )
  }

  async function settle({ uid: markerUid, namespace, marked }: Marker): Promise<void> {
    // Chunks last: they are what deduplication looks at.
    await Promise.all([align('entity', namespace, marked.entities), align('fact', namespace, marked.facts)])
    await align('chunk', namespace, marked.chunks)
    await unmark(neo4j, markerUid)
  }

  async function finish(markerUid: string): Promise<void> {
    const found = await untorn(() => marker(neo4j, markerUid))
    if (found !== null) await settle(found)
  }

  return {
    finish,
    async place({ marker: own, chunks, facts, entities }) {
      const { namespace, marked } = own
      const isOpen = new Set(facts.map(({ id }) => id))
      await Promise.all([
        points.entity.save(namespace, entities.map(entityPoint)),
        points.fact.save(namespace, facts.map(factPoint)),
        points.fact.remove(
          namespace,
          marked.facts.filter((id) => !isOpen.has(id)),
        ),
      ])
      await onStep('facts and entities placed')
      await points.chunk.save(namespace, chunks.map(chunkDraft))
      await onStep('chunks placed')
      const expected = { chunks, facts: [...isOpen], entities: entities.map(({ id }) => id) }
      // Somebody changed one of them meanwhile: what was placed may be outdated and is made anew from the truth.
      if (!(await unmarkIfUnchanged(neo4j, own, expected))) await settle(own)
      await onStep('marker gone')
    },
    async change(namespace, work) {
      const markerUid = uid(namespace, `change:${randomUUID()}`)
      const { result, marked } = await neo4j.transaction(async (run) => {
        const changed = await work(run)
        if (isAny(changed.marked)) await mark(run, { uid: markerUid, namespace, marked: changed.marked })
        return changed
      }, changeLimitMs)
      if (isAny(marked)) await settle({ uid: markerUid, namespace, marked })
      return result
    },
    async repair(olderThanMs) {
      const left = await untorn(() => leftBehind(neo4j, olderThanMs))
      for (const found of left) await settle(found)
      return left.length
    },
  }
}

const isAny = ({ chunks, facts, entities }: Marked) => chunks.length + facts.length + entities.length > 0

/** A fact as its point carries it. */
export const factPoint = ({
  id,
  persona,
  fact,
  vector,
  createdAt,
}: Written['facts'][number]): PointDraft => ({
  ...{ id, persona, text: fact, vector },
  payload: { created_at: createdAt },
})

/** An entity as its point carries it. */
export const entityPoint = ({ id, name, vector, createdAt }: Written['entities'][number]): PointDraft => ({
  ...{ id, persona: '', text: name, vector },
  payload: { created_at: createdAt },
})
