import type { Seconds } from '../../../core/clock.ts'
import {
  asChunkId,
  asRelationshipId,
  type ChunkId,
  type Namespace,
  type RelationshipId,
} from '../../../core/ids.ts'
import type { Vector } from '../../../core/vectors.ts'
import type {
  FactQuery,
  FadedQuery,
  Links,
  ListFilter,
  ListPage,
  RivalQuery,
  Selection,
  Within,
} from '../../../memory/ports.ts'
import type { EngineContext } from '../engine/context.ts'
import { expand } from './expand.ts'
import { fadedCondition, fadedParameters, fadedRows, isFaded } from './faded.ts'
import { type PackedFacts, packFacts } from './found-facts.ts'
import { searchFactsThen, searchIn } from './index/indexes.ts'
import type { SearchIndex, Visible } from './index/search-index.ts'
import { metadataCondition, openThen, withinConditions, withinParameters } from './metadata-matches.ts'
import { toldElsewhere } from './pass-on.ts'
import { bestWords, exactCosines } from './rescore.ts'
import { listConditions, listParameters, type Packed, packRows, selectEntities, selectFacts } from './rows.ts'
import { selectionCondition, selectionParameters, seqsOf, withIds } from './selection.ts'

interface Scoped {
  readonly namespace: Namespace
}

interface Searched extends Scoped {
  readonly budgetBytes: number
}

interface ScoredFacts extends PackedFacts {
  readonly cosines: Float64Array
  readonly bm25s: Float64Array
}

interface ScoredEntities {
  readonly entities: Packed
  readonly cosines: readonly number[]
}

/** In the order of the numbers. */
const entitiesBySeq = `${selectEntities} JOIN json_each(:seqs) j ON j.value = e.seq WHERE e.namespace = :namespace ORDER BY j.key`

/** The range around both kinds of slot, and the plus before times, keep SQLite to the index of slots. */
const ofPlace = `${selectFacts} WHERE r.namespace = :namespace AND r.persona = :persona
AND r.subject_id = (SELECT id FROM entity WHERE namespace = :namespace AND key = :subject)
AND r.slot >= :slot AND r.slot < :slot || '}' AND (r.slot = :slot OR r.slot >= :slot || '|')
AND r.chunk_id NOT IN (SELECT value FROM json_each(:without))`

// The plus keeps SQLite from compiling the statement anew for every limit.
const heldRivals = `${ofPlace} AND +r.created_at <= :at
AND (r.closed_at IS NULL OR r.closed_at > :at OR r.closer IN (SELECT value FROM json_each(:without)))
ORDER BY +r.created_at DESC, r.seq DESC LIMIT +:limit`

/** What a more trusted fact held back from the first has a closer, an end has none. */
const laterRivals = `${ofPlace} AND +r.created_at > :at
AND (r.closed_at IS NULL OR r.closed_at > r.created_at OR r.closer IS NULL)
ORDER BY +r.created_at, r.seq LIMIT +:limit`

export const graphReads = {
  'graph.nearestEntities': (
    context: EngineContext,
    args: Searched & { readonly vector: Vector; readonly limit: number; readonly asOf: Seconds | null },
  ): ScoredEntities => {
    const { namespace, vector, limit, asOf, budgetBytes } = args
    const question = { vector, terms: [] }
    return searchIn(context, { namespace, kind: 'entity', budgetBytes }, question, (index) => {
      const exact = exactCosines(context, index, vector)
      const visible =
        asOf === null ? null : index.only(seqsOf(context.prepare(entitiesThen).all({ namespace, asOf })))
      const best = index.nearest({ vector, personas: null, limit, visible, exact })
      const seqs = best.map(({ place }) => index.seqAt(place))
      const entities = packRows(context.prepare(entitiesBySeq), { namespace, seqs: JSON.stringify(seqs) })
      return { entities, cosines: best.map(({ score }) => score) }
    })
  },
  'graph.entitiesNamed': (
    { prepare }: EngineContext,
    { namespace, keys }: Scoped & { readonly keys: readonly string[] },
  ): Packed => {
    const names = JSON.stringify([...keys, ...keys.map((key) => key.toLowerCase())])
    const sql = `${selectEntities} WHERE e.namespace = :namespace AND e.id IN (
  SELECT n.entity_id FROM entity_name n WHERE n.namespace = :namespace AND n.name IN (SELECT value FROM json_each(:names))
) ORDER BY e.id`
    return packRows(prepare(sql), { namespace, names })
  },
  'graph.searchFacts': (
    context: EngineContext,
    { namespace, budgetBytes, query }: Searched & { readonly query: FactQuery },
  ): ScoredFacts => {
    const { vector, terms, personas, limit, within } = query
    const search = (index: SearchIndex): ScoredFacts => {
      const exact = exactCosines(context, index, vector)
      const visible = visibleFacts(context, namespace, index, within)
      const nearest = index.nearest({ vector, personas, limit, visible, exact })
      const words = index.lexical(terms, personas, visible)
      const near = nearest.map(({ place }) => place)
      const places = [...new Set([...near, ...bestWords(index, words, limit)])]
      const seqs = places.map((place) => index.seqAt(place))
      const bm25s = Float64Array.from(places, (place) => words.scoreAt(place))
      return { ...packFacts(context, namespace, seqs), cosines: exact(places), bm25s }
    }
    const request = { namespace, kind: 'fact', budgetBytes } as const
    const asOf = within?.asOf ?? null
    return asOf === null
      ? searchIn(context, request, query, search)
      : searchFactsThen(context, { ...request, asOf }, query, search)
  },
  'graph.expand': expand,
  'graph.get': (
    { prepare }: EngineContext,
    { namespace, ids }: Scoped & { readonly ids: readonly RelationshipId[] },
  ): Packed => {
    const sql = `${selectFacts} WHERE r.namespace = :namespace AND r.id IN (SELECT value FROM json_each(:ids))`
    return packRows(prepare(sql), { namespace, ids: JSON.stringify(ids) })
  },
  'graph.slotHistory': (
    { prepare }: EngineContext,
    { namespace, id }: Scoped & { readonly id: RelationshipId },
  ): Packed => {
    const sql = `${selectFacts} JOIN relationship a ON a.namespace = r.namespace AND a.persona = r.persona
AND a.subject_id = r.subject_id AND a.slot = r.slot
WHERE r.namespace = :namespace AND a.id = :id ORDER BY +r.created_at, r.seq`
    return packRows(prepare(sql), { namespace, id })
  },
  'graph.factsOf': (
    { prepare }: EngineContext,
    { namespace, chunks }: Scoped & { readonly chunks: readonly ChunkId[] },
  ): Packed => {
    // The plus keeps SQLite from walking the whole namespace in the order of time to save itself a small sort.
    const sql = `${selectFacts} WHERE r.namespace = :namespace
AND r.chunk_id IN (SELECT value FROM json_each(:chunks)) ORDER BY +r.created_at, r.seq`
    return packRows(prepare(sql), { namespace, chunks: JSON.stringify(chunks) })
  },
  'graph.list': (
    { prepare }: EngineContext,
    args: Scoped & { readonly filter: ListFilter; readonly page: ListPage },
  ): Packed => {
    const sql = `${selectFacts} WHERE (:relation IS NULL OR r.relation = :relation)
AND ${listConditions('r')}`
    const parameters = listParameters(args.namespace, args.filter, args.page)
    return packRows(prepare(sql), { ...parameters, relation: args.filter.relation ?? null })
  },
  'graph.rivals': (
    { prepare }: EngineContext,
    { namespace, query }: Scoped & { readonly query: RivalQuery },
  ): Packed => {
    const { at = Number.POSITIVE_INFINITY, later = false, without = [], ...place } = query
    const sql = later ? laterRivals : heldRivals
    return packRows(prepare(sql), { namespace, at, ...place, without: JSON.stringify(without) })
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
    seqsOf(
      prepare(fadedRows('relationship')).all({
        ...fadedParameters(namespace, query),
        limit: query.limit ?? -1,
      }),
    ),
  'graph.fadedIds': (
    { prepare }: EngineContext,
    { namespace, query }: Scoped & { readonly query: FadedQuery },
  ): RelationshipId[] =>
    prepare(fadedRows('relationship', 'id'))
      .all({ ...fadedParameters(namespace, query), limit: query.limit ?? -1 })
      .map((row) => asRelationshipId(String(row.id))),
  'graph.count': (
    { prepare }: EngineContext,
    { namespace, selection }: Scoped & { readonly selection: Selection },
  ): number => {
    const sql = selection.ids === null ? countSelected : `${countSelected} ${withIds}`
    return Number(prepare(sql).get(selectionParameters(namespace, selection))?.count)
  },
  'graph.linkedTo': (
    { prepare }: EngineContext,
    { namespace, key }: Scoped & { readonly key: string },
  ): Links => {
    const parameters = { namespace, key }
    return {
      relationships: prepare(touching)
        .all(parameters)
        .map((row) => asRelationshipId(String(row.id))),
      chunks: prepare(`SELECT DISTINCT chunk_id FROM mention
WHERE namespace = :namespace AND relationship_id IN (${touching}) ORDER BY chunk_id`)
        .all(parameters)
        .map((row) => asChunkId(String(row.chunk_id))),
    }
  },
  'graph.toldElsewhere': toldElsewhere,
  'graph.orphans': ({ prepare }: EngineContext, { namespace }: Scoped): number[] =>
    seqsOf(prepare(`SELECT seq FROM entity ${orphaned}`).all({ namespace })),
  'graph.untoldRoles': ({ prepare }: EngineContext, { namespace }: Scoped): readonly UntoldRole[] =>
    prepare(`SELECT n.name, e.id FROM ${untoldRole}`)
      .all({ namespace })
      .map(({ name, id }) => ({ name: String(name), id: String(id) })),
  'graph.countOrphans': (
    { prepare }: EngineContext,
    { namespace, gone }: Scoped & { readonly gone?: FadedQuery | Selection },
  ): number => {
    const counted = (condition: string, parameters: Record<string, string | number | null>) =>
      Number(prepare(`SELECT count(*) AS count FROM entity ${condition}`).get(parameters)?.count)
    if (gone === undefined) return counted(orphaned, { namespace })
    if ('threshold' in gone) return counted(orphanedWithout(isFaded), fadedParameters(namespace, gone))
    const edge = gone.ids === null ? selectedEdge : `${selectedEdge} ${withIds}`
    return counted(orphanedWithout(edge), selectionParameters(namespace, gone))
  },
  'graph.namespaces': ({ prepare }: EngineContext): readonly Namespace[] =>
    prepare(everyNamespace)
      .all()
      .map((row) => row.namespace as Namespace),
}

const entitiesThen = 'SELECT seq FROM entity WHERE namespace = :namespace AND created_at <= :asOf'

const factsWithin = `SELECT seq FROM relationship
WHERE namespace = :namespace AND ${openThen} AND ${withinConditions}`

function visibleFacts(
  { prepare }: EngineContext,
  namespace: Namespace,
  index: SearchIndex,
  within: Within | undefined,
): Visible | null {
  if (within === undefined) return null
  return index.only(seqsOf(prepare(factsWithin).all({ namespace, ...withinParameters(within) })))
}

const countSelected = `SELECT count(*) AS count FROM relationship ${selectionCondition}`

const entityOfKey = '(SELECT id FROM entity WHERE namespace = :namespace AND key = :key)'
/** Relationships, current and closed, at whose ends an entity stands. */
const touching = `SELECT id FROM relationship WHERE namespace = :namespace AND subject_id = ${entityOfKey}
UNION SELECT id FROM relationship WHERE namespace = :namespace AND object_id = ${entityOfKey}`

const selectRelationships = `SELECT seq FROM relationship ${selectionCondition}`

const countEntitiesOfPersona = `SELECT count(*) AS count FROM (
  SELECT subject_id FROM relationship WHERE namespace = :namespace AND persona = :persona AND closed_at IS NULL
  UNION SELECT object_id FROM relationship WHERE namespace = :namespace AND persona = :persona AND closed_at IS NULL
)`

/** A name of an entity. */
export interface UntoldRole {
  readonly name: string
  readonly id: string
}

/** `user's sister` of whom no current fact of the user says `has_sister`. */
export const untoldRole = `entity_name n JOIN entity e ON e.namespace = n.namespace AND e.id = n.entity_id
WHERE n.namespace = :namespace AND n.name <> e.key AND instr(n.name, '''s ') > 0 AND NOT EXISTS (
  SELECT 1 FROM relationship r JOIN entity_name owner ON owner.namespace = r.namespace AND owner.entity_id = r.subject_id
  WHERE r.namespace = n.namespace AND r.object_id = e.id AND r.closed_at IS NULL
  AND instr(n.name, owner.name || '''s ') = 1
  AND instr(r.relation, replace(substr(n.name, length(owner.name) + 4), ' ', '_')) > 0
)`

/** Entities that no relationship, current or closed, touches. */
export const orphaned = `WHERE namespace = :namespace
AND NOT EXISTS (SELECT 1 FROM relationship r WHERE r.namespace = :namespace AND r.subject_id = entity.id)
AND NOT EXISTS (SELECT 1 FROM relationship r WHERE r.namespace = :namespace AND r.object_id = entity.id)`

const selectedEdge = `(:persona IS NULL OR persona = :persona)
AND (:sessionId IS NULL OR session_id IS :sessionId) AND ${metadataCondition('metadata')}`

/** Entities that no other relationships touch than those that go. */
function orphanedWithout(edge: string): string {
  const touchedByOther = (end: 'subject_id' | 'object_id') => `EXISTS (SELECT 1 FROM relationship
  WHERE namespace = :namespace AND ${end} = entity.id AND NOT (${edge}))`
  return `WHERE namespace = :namespace
AND NOT ${touchedByOther('subject_id')} AND NOT ${touchedByOther('object_id')}`
}

/** Jumps from namespace to namespace in the index instead of walking through every text. */
const everyNamespace = `WITH RECURSIVE known (namespace) AS (
  SELECT min(namespace) FROM memory_text
  UNION ALL
  SELECT (SELECT min(t.namespace) FROM memory_text t WHERE t.namespace > known.namespace)
  FROM known WHERE known.namespace IS NOT NULL
) SELECT namespace FROM known WHERE namespace IS NOT NULL`
