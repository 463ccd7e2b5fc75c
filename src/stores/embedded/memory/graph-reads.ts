import type { ChunkId, EntityId, Namespace, RelationshipId } from '../../../core/ids.ts'
import type { Vector } from '../../../core/vectors.ts'
import type { Entity } from '../../../memory/model.ts'
import type {
  ExpandQuery,
  Fact,
  FactQuery,
  FadedQuery,
  ListFilter,
  ListPage,
  RelationQuery,
  Selection,
} from '../../../memory/ports.ts'
import type { EngineContext } from '../engine/context.ts'
import { fadedCondition, fadedParameters, retainedNow } from './faded.ts'
import { type PackedFacts, packFacts } from './found-facts.ts'
import { indexOf } from './index/indexes.ts'
import { bestWords, exactCosines } from './rescore.ts'
import {
  entityOf,
  factOf,
  listConditions,
  listParameters,
  type Packed,
  pack,
  type Row,
  selectEntities,
  selectFacts,
} from './rows.ts'
import { selectionCondition, selectionParameters, seqsOf, withIds } from './selection.ts'

interface Scoped {
  readonly namespace: Namespace
}

interface Searched extends Scoped {
  readonly budgetBytes: number
}

interface ScoredFacts extends PackedFacts {
  readonly bm25s: Float64Array
}

interface ScoredEntities {
  readonly entities: Packed<Entity>
  readonly cosines: readonly number[]
}

/** Rows by number, in the order of the numbers. */
function inOrder(seqs: readonly number[], rows: readonly Row[]): Row[] {
  const known = new Map(rows.map((row) => [Number(row.seq), row]))
  return seqs.map((seq) => known.get(seq)).filter((row) => row !== undefined)
}

const bySeq = 'IN (SELECT value FROM json_each(:seqs))'

export const graphReads = {
  /** Brings what was written since into the indexes, so that the next question need not. */
  'graph.followWrites': (context: EngineContext, searched: Searched): void => {
    for (const kind of ['fact', 'entity'] as const) indexOf(context, { ...searched, kind })
  },
  'graph.nearestEntities': (
    context: EngineContext,
    args: Searched & { readonly vector: Vector; readonly limit: number },
  ): ScoredEntities => {
    const { namespace, vector, limit, budgetBytes } = args
    const index = indexOf(context, { namespace, kind: 'entity', budgetBytes })
    const { at: exact } = exactCosines(context, index, vector)
    const best = index.nearest({ vector, personas: null, limit, exact })
    const seqs = best.map(({ place }) => index.seqAt(place))
    const rows = context
      .prepare(`${selectEntities} WHERE e.namespace = :namespace AND e.seq ${bySeq}`)
      .all({ namespace, seqs: JSON.stringify(seqs) })
    const entities = inOrder(seqs, rows).map(entityOf)
    return { entities: pack(entities), cosines: best.map(({ score }) => score) }
  },
  'graph.entitiesNamed': (
    { prepare }: EngineContext,
    { namespace, keys }: Scoped & { readonly keys: readonly string[] },
  ): Packed<Entity> => {
    const names = JSON.stringify([...keys, ...keys.map((key) => key.toLowerCase())])
    const sql = `${selectEntities} WHERE e.namespace = :namespace AND e.id IN (
  SELECT n.entity_id FROM entity_name n WHERE n.namespace = :namespace AND n.name IN (SELECT value FROM json_each(:names))
) ORDER BY e.id`
    return pack(prepare(sql).all({ namespace, names }).map(entityOf))
  },
  'graph.searchFacts': (
    context: EngineContext,
    { namespace, budgetBytes, query }: Searched & { readonly query: FactQuery },
  ): ScoredFacts => {
    const { vector, terms, personas, limit } = query
    const index = indexOf(context, { namespace, kind: 'fact', budgetBytes })
    const { at: exact } = exactCosines(context, index, vector)
    const near = index.nearest({ vector, personas, limit, exact }).map(({ place }) => place)
    const words = index.lexical(terms, personas)
    const places = [...new Set([...near, ...bestWords(index, words, limit)])]
    const seqs = places.map((place) => index.seqAt(place))
    const bm25s = Float64Array.from(places, (place) => words.scoreAt(place))
    return { ...packFacts(context, namespace, seqs, vector), bm25s }
  },
  'graph.expand': expand,
  'graph.get': (
    { prepare }: EngineContext,
    { namespace, ids }: Scoped & { readonly ids: readonly RelationshipId[] },
  ): Packed<Fact> => {
    const sql = `${selectFacts} WHERE r.namespace = ? AND r.id IN (SELECT value FROM json_each(?))`
    return pack(prepare(sql).all(namespace, JSON.stringify(ids)).map(factOf))
  },
  'graph.slotHistory': (
    { prepare }: EngineContext,
    { namespace, id }: Scoped & { readonly id: RelationshipId },
  ): Packed<Fact> => {
    const sql = `${selectFacts} JOIN relationship a ON a.namespace = r.namespace AND a.persona = r.persona
AND a.subject_id = r.subject_id AND a.slot = r.slot
WHERE r.namespace = ? AND a.id = ? ORDER BY r.created_at, r.seq`
    return pack(prepare(sql).all(namespace, id).map(factOf))
  },
  'graph.factsOf': (
    { prepare }: EngineContext,
    { namespace, chunks }: Scoped & { readonly chunks: readonly ChunkId[] },
  ): Packed<Fact> => {
    const sql = `${selectFacts} WHERE r.namespace = ? AND r.chunk_id IN (SELECT value FROM json_each(?))
ORDER BY r.created_at, r.seq`
    return pack(prepare(sql).all(namespace, JSON.stringify(chunks)).map(factOf))
  },
  'graph.list': (
    { prepare }: EngineContext,
    args: Scoped & { readonly filter: ListFilter; readonly page: ListPage },
  ): Packed<Fact> => {
    const sql = `${selectFacts} WHERE r.closed_at IS NULL AND (:relation IS NULL OR r.relation = :relation)
AND ${listConditions('r')}`
    const parameters = listParameters(args.namespace, args.filter, args.page)
    const rows = prepare(sql).all({ ...parameters, relation: args.filter.relation ?? null })
    return pack(rows.map(factOf))
  },
  'graph.ofRelation': (
    { prepare }: EngineContext,
    { namespace, query }: Scoped & { readonly query: RelationQuery },
  ): Packed<Fact> => {
    // Slots of such relations begin with their name: the index on slots finds them among many facts of one subject.
    const sql = `${selectFacts} WHERE r.namespace = :namespace AND r.persona = :persona
AND r.subject_id = (SELECT id FROM entity WHERE namespace = :namespace AND key = :subject)
AND r.slot >= :relation || '|' AND r.slot < :relation || '}' AND r.closed_at IS NULL ORDER BY r.seq DESC LIMIT :limit`
    return pack(
      prepare(sql)
        .all({ namespace, ...query })
        .map(factOf),
    )
  },
  'graph.countRelationships': (
    { prepare }: EngineContext,
    { namespace, persona }: Scoped & { readonly persona: string | null },
  ): number =>
    Number(
      prepare(`SELECT count(*) AS count FROM relationship WHERE namespace = :namespace AND closed_at IS NULL
AND (:persona IS NULL OR persona = :persona)`).get({ namespace, persona })?.count,
    ),
  'graph.countEntities': (
    { prepare }: EngineContext,
    { namespace, persona }: Scoped & { readonly persona: string | null },
  ): number =>
    Number(
      persona === null
        ? prepare('SELECT count(*) AS count FROM entity WHERE namespace = ?').get(namespace)?.count
        : prepare(countEntitiesOfPersona).get({ namespace, persona })?.count,
    ),
  'graph.countFaded': (
    { prepare }: EngineContext,
    { namespace, query }: Scoped & { readonly query: FadedQuery },
  ): number =>
    Number(
      prepare(`SELECT count(*) AS count FROM relationship ${fadedCondition}`).get(
        fadedParameters(namespace, query),
      )?.count,
    ),
  'graph.selected': (
    { prepare }: EngineContext,
    { namespace, selection }: Scoped & { readonly selection: Selection },
  ): number[] => {
    const sql = selection.ids === null ? selectRelationships : `${selectRelationships} ${withIds}`
    return seqsOf(prepare(sql).all(selectionParameters(namespace, selection)))
  },
  'graph.faded': (
    { prepare }: EngineContext,
    { namespace, query }: Scoped & { readonly query: FadedQuery },
  ): number[] =>
    seqsOf(prepare(`SELECT seq FROM relationship ${fadedCondition}`).all(fadedParameters(namespace, query))),
  'graph.orphans': ({ prepare }: EngineContext, { namespace }: Scoped): number[] =>
    seqsOf(prepare(`SELECT seq FROM entity ${orphaned}`).all({ namespace })),
  'graph.countOrphans': (
    { prepare }: EngineContext,
    { namespace, faded }: Scoped & { readonly faded?: FadedQuery },
  ): number => {
    const counted =
      faded === undefined
        ? prepare(`SELECT count(*) AS count FROM entity ${orphaned}`).get({ namespace })
        : prepare(`SELECT count(*) AS count FROM entity ${orphanedSoon}`).get(
            fadedParameters(namespace, faded),
          )
    return Number(counted?.count)
  },
  'graph.namespaces': ({ prepare }: EngineContext): readonly Namespace[] =>
    prepare(everyNamespace)
      .all()
      .map((row) => row.namespace as Namespace),
}

const selectRelationships = `SELECT seq FROM relationship ${selectionCondition}`

const countEntitiesOfPersona = `SELECT count(*) AS count FROM (
  SELECT subject_id FROM relationship WHERE namespace = :namespace AND persona = :persona AND closed_at IS NULL
  UNION SELECT object_id FROM relationship WHERE namespace = :namespace AND persona = :persona AND closed_at IS NULL
)`

/** Entities that no relationship, current or closed, touches. */
export const orphaned = `WHERE namespace = :namespace
AND NOT EXISTS (SELECT 1 FROM relationship r WHERE r.namespace = :namespace AND r.subject_id = entity.id)
AND NOT EXISTS (SELECT 1 FROM relationship r WHERE r.namespace = :namespace AND r.object_id = entity.id)`

/** Entities that only faded relationships touch, if any. */
const touchedByOther = (end: 'subject_id' | 'object_id') => `EXISTS (SELECT 1 FROM relationship r
  WHERE r.namespace = :namespace AND r.${end} = entity.id
  AND NOT ((:persona IS NULL OR persona = :persona) AND ${retainedNow} < :threshold))`

const orphanedSoon = `WHERE namespace = :namespace
AND NOT ${touchedByOther('subject_id')} AND NOT ${touchedByOther('object_id')}`

/** Jumps from namespace to namespace in the index instead of walking through every text. */
const everyNamespace = `WITH RECURSIVE known (namespace) AS (
  SELECT min(namespace) FROM memory_text
  UNION ALL
  SELECT (SELECT min(t.namespace) FROM memory_text t WHERE t.namespace > known.namespace)
  FROM known WHERE known.namespace IS NOT NULL
) SELECT namespace FROM known WHERE namespace IS NOT NULL`

interface Edge {
  readonly seq: number
  readonly id: string
  readonly confidence: number
}

/** The best edges of one end: the index is in this order, so a hub costs no more than any other entity. */
const edgesOf = (end: 'subject_id' | 'object_id') => `SELECT seq, id, confidence FROM relationship
WHERE namespace = :namespace AND ${end} = :entity AND closed_at IS NULL
AND (:personas IS NULL OR persona IN (SELECT value FROM json_each(:personas)))
ORDER BY confidence DESC, id LIMIT :limit`

const edgeQueries = [edgesOf('subject_id'), edgesOf('object_id')]

function expand(
  context: EngineContext,
  { namespace, query }: Scoped & { readonly query: ExpandQuery },
): PackedFacts & { truncated: boolean } {
  const personas = query.personas === null ? null : JSON.stringify(query.personas)
  const found = new Map<number, Edge>()
  const collect = (sql: string, entity: EntityId) => {
    const parameters = { namespace, entity, personas, limit: query.limit + 1 }
    for (const row of context.prepare(sql).all(parameters)) {
      const edge = { seq: Number(row.seq), id: String(row.id), confidence: Number(row.confidence) }
      found.set(edge.seq, edge)
    }
  }
  for (const entity of new Set(query.entities)) for (const sql of edgeQueries) collect(sql, entity)
  const edges = [...found.values()].sort((a, b) => b.confidence - a.confidence || (a.id < b.id ? -1 : 1))
  const seqs = edges.slice(0, query.limit).map(({ seq }) => seq)
  return { ...packFacts(context, namespace, seqs, query.vector), truncated: edges.length > query.limit }
}
