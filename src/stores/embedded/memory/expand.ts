import type { EntityId, Namespace } from '../../../core/ids.ts'
import type { Expansion, ExpandQuery } from '../../../memory/ports.ts'
import type { EngineContext } from '../engine/context.ts'
import { type PackedFacts, packFacts } from './found-facts.ts'
import { openThen, withinConditions, withinParameters } from './metadata-matches.ts'
import { cosinesAt } from './rescore.ts'

type PackedExpansion = PackedFacts & Omit<Expansion, 'edges'>

interface Edge {
  readonly seq: number
  readonly id: string
  readonly confidence: number
  /** The given entity that it leaves: of two the subject. */
  readonly from: EntityId
}

/** The best edges of one end: the index is in this order, so a hub costs no more than any other entity. */
const edgesOf = (
  end: 'subject_id' | 'object_id',
  seen: string,
) => `SELECT seq, id, confidence FROM relationship
WHERE namespace = :namespace AND ${end} = :entity AND ${seen}
AND (:personas IS NULL OR persona IN (SELECT value FROM json_each(:personas)))
ORDER BY confidence DESC, id LIMIT :limit`

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
  const parameters = {
    namespace,
    personas: personas === null ? null : JSON.stringify(personas),
    limit: limit + known.size + 1,
    ...(within === undefined ? {} : withinParameters(within)),
  }
  // Subjects first: an edge between two given entities leaves its subject.
  for (const sql of within === undefined ? edgeQueries : edgesWithin) {
    const statement = prepare(sql)
    for (const from of new Set(entities)) {
      for (const row of statement.all({ ...parameters, entity: from })) {
        const edge = { seq: Number(row.seq), id: String(row.id), confidence: Number(row.confidence), from }
        if (!found.has(edge.seq) && !known.has(edge.id)) found.set(edge.seq, edge)
      }
    }
  }
  return [...found.values()].sort((a, b) => b.confidence - a.confidence || (a.id < b.id ? -1 : 1))
}

export function expand(
  context: EngineContext,
  { namespace, query }: { readonly namespace: Namespace; readonly query: ExpandQuery },
): PackedExpansion {
  const { vector, limit, nearest = limit } = query
  const edges = edgesAround(context, namespace, query)
  const looked = edges.slice(0, limit)
  const counts = new Map<EntityId, number>()
  for (const { from } of looked) counts.set(from, (counts.get(from) ?? 0) + 1)
  const seqs = looked.map(({ seq }) => seq)
  const cosines = vector === undefined ? null : cosinesAt(context, seqs, vector)
  const scored = looked.map((edge, at) => ({ ...edge, at, cosine: cosines?.[at] ?? 0 }))
  const kept = scored
    .sort((a, b) => b.cosine - a.cosine || a.at - b.at)
    .slice(0, nearest)
    .sort((a, b) => a.at - b.at)
  const rows = packFacts(
    context,
    namespace,
    kept.map(({ seq }) => seq),
  )
  return {
    ...rows,
    cosines: cosines === null ? [] : kept.map(({ cosine }) => cosine),
    crowds: kept.map(({ from }) => counts.get(from) ?? 1),
    truncated: edges.length > kept.length,
  }
}
