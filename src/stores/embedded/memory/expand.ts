import type { EntityId, Namespace } from '../../../core/ids.ts'
import type { ExpandQuery, Expansion } from '../../../memory/ports.ts'
import type { EngineContext } from '../engine/context.ts'
import { type PackedFacts, packFacts } from './found-facts.ts'
import { indexInMemory } from './index/indexes.ts'
import { openThen, withinConditions, withinParameters } from './metadata-matches.ts'
import { cosinesAt } from './rescore.ts'

type PackedExpansion = PackedFacts & Omit<Expansion, 'edges'>

interface ExpandArgs {
  readonly namespace: Namespace
  readonly query: ExpandQuery
  readonly budgetBytes: number
}

interface Edge {
  readonly seq: number
  readonly id: string
  readonly confidence: number
  /** The given entity that it leaves: of two the subject. */
  readonly from: EntityId
}

type EdgeRow = readonly [seq: number, id: string, confidence: number]

/**
 * The best edges of one end: the index is in this order, so a hub costs no more than any other entity. The plus keeps
 * SQLite from compiling the statement anew for every limit.
 */
const edgesOf = (
  end: 'subject_id' | 'object_id',
  seen: string,
) => `SELECT seq, id, confidence FROM relationship
WHERE namespace = ? AND ${end} = ? AND ${seen}
AND (? IS NULL OR persona IN (SELECT value FROM json_each(?)))
ORDER BY confidence DESC, id LIMIT +?`

const ends = ['subject_id', 'object_id'] as const
const edgeQueries = ends.map((end) => edgesOf(end, 'closed_at IS NULL'))
const edgesWithin = ends.map((end) => edgesOf(end, `${openThen} AND ${withinConditions}`))

/** Every edge once that touches a given entity, of each entity the best by confidence. */
function edgesAround(
  { prepare }: EngineContext,
  namespace: Namespace,
  { entities, personas, limit, within, without = [] }: ExpandQuery,
): Edge[] {
  const known = new Set<string>(without)
  const found = new Map<number, Edge>()
  const named = within === undefined ? {} : withinParameters(within)
  const names = personas === null ? null : JSON.stringify(personas)
  const most = limit + known.size + 1
  // Subjects first: an edge between two given entities leaves its subject.
  for (const sql of within === undefined ? edgeQueries : edgesWithin) {
    const statement = prepare(sql)
    statement.setReturnArrays(true)
    for (const from of new Set(entities)) {
      const rows = statement.all(named, namespace, from, names, names, most) as unknown as EdgeRow[]
      for (const [seq, id, confidence] of rows) {
        if (!found.has(seq) && !known.has(id)) found.set(seq, { seq, id, confidence, from })
      }
    }
  }
  return [...found.values()]
}

const bestFirst = (a: Edge, b: Edge) => b.confidence - a.confidence || (a.id < b.id ? -1 : 1)

/** The nearest to the question. The index says which they are: reading every vector of a hub would take long. */
function nearestOf(
  context: EngineContext,
  { namespace, query, budgetBytes }: ExpandArgs,
  edges: readonly Edge[],
): readonly Edge[] {
  const { vector, nearest = edges.length, within } = query
  if (vector === undefined || edges.length <= nearest) return edges
  const seqs = edges.map(({ seq }) => seq)
  // The index has what is open now.
  const index = within === undefined ? indexInMemory(context, { namespace, kind: 'fact', budgetBytes }) : null
  const cosines = index?.roughly(seqs, vector) ?? cosinesAt(context, seqs, vector)
  const order = [...edges.keys()].sort((a, b) => (cosines[b] ?? 0) - (cosines[a] ?? 0))
  return order.slice(0, nearest).flatMap((at) => edges[at] ?? [])
}

export function expand(context: EngineContext, args: ExpandArgs): PackedExpansion {
  const { namespace, query } = args
  const { vector, limit } = query
  const edges = edgesAround(context, namespace, query)
  const looked = edges.length > limit ? edges.sort(bestFirst).slice(0, limit) : edges
  const counts = new Map<EntityId, number>()
  for (const { from } of looked) counts.set(from, (counts.get(from) ?? 0) + 1)
  const kept = nearestOf(context, args, looked).toSorted(bestFirst)
  const seqs = kept.map(({ seq }) => seq)
  return {
    ...packFacts(context, namespace, seqs),
    cosines: vector === undefined ? [] : [...cosinesAt(context, seqs, vector)],
    crowds: kept.map(({ from }) => counts.get(from) ?? 1),
    truncated: edges.length > kept.length,
  }
}
