import type { EntityId, Namespace } from '../../../core/ids.ts'
import { documentKey } from '../../../memory/keys.ts'
import type { CountedEntity, EdgeQuery, EdgeScope, EntityQuery, FoundChunk } from '../../../memory/ports.ts'
import type { EngineContext } from '../engine/context.ts'
import { type PackedFacts, packFacts } from './found-facts.ts'
import { foundChunkOf, foundColumns, foundEntityOf, type Row } from './rows.ts'

interface Scoped {
  readonly namespace: Namespace
}

/** Facts in scope that touch entity `e`; one that touches it twice does not exist. */
const factsOfEntity = (scope: string) => `
(SELECT count(*) FROM relationship r WHERE r.namespace = e.namespace AND r.subject_id = e.id ${scope})
+ (SELECT count(*) FROM relationship r WHERE r.namespace = e.namespace AND r.object_id = e.id ${scope})`

const inScope = `AND (:closed = 1 OR r.closed_at IS NULL)
AND (:personas IS NULL OR r.persona IN (SELECT value FROM json_each(:personas)))`

const hasName = (condition: string) => `EXISTS (SELECT 1 FROM entity_name n
WHERE n.namespace = e.namespace AND n.entity_id = e.id AND ${condition})`

const selectPage = `SELECT e.*, ${factsOfEntity('AND r.closed_at IS NULL')} AS facts FROM entity e
WHERE e.namespace = :namespace AND e.key > :after AND (:type IS NULL OR e.type = :type)
AND (:prefix IS NULL OR ${hasName('substr(n.name, 1, length(:prefix)) = :prefix')})
AND (:text IS NULL OR ${hasName('instr(n.name, :text) > 0')})
ORDER BY e.key LIMIT :limit`

const selectNodes = `SELECT e.*, ${factsOfEntity(inScope)} AS facts FROM entity e
WHERE e.namespace = :namespace AND e.id IN (SELECT value FROM json_each(:ids)) ORDER BY e.id`

/** The index is in the order of confidence, so a hub costs no more than any other entity. The plus: see expand.ts. */
const edgesOf = (end: 'subject_id' | 'object_id', closed: boolean) => `
SELECT seq, id, confidence, closed_at FROM relationship
WHERE namespace = :namespace AND ${end} = :entity AND closed_at IS ${closed ? 'NOT NULL' : 'NULL'}
AND (:personas IS NULL OR persona IN (SELECT value FROM json_each(:personas)))
ORDER BY ${closed ? 'closed_at DESC, ' : ''}confidence DESC, id LIMIT +:limit`

const currentEdges = [edgesOf('subject_id', false), edgesOf('object_id', false)]
const closedEdges = [edgesOf('subject_id', true), edgesOf('object_id', true)]

const counted = (row: Row): CountedEntity => ({ entity: foundEntityOf(row), facts: Number(row.facts) })

const personasText = ({ personas }: EdgeScope) => (personas === null ? null : JSON.stringify(personas))

export const graphViewReads = {
  'view.entities': (
    { prepare }: EngineContext,
    { namespace, query }: Scoped & { readonly query: EntityQuery },
  ): readonly CountedEntity[] =>
    prepare(selectPage)
      .all({ namespace, ...query, after: query.after ?? '' })
      .map(counted),
  'view.nodes': (
    { prepare }: EngineContext,
    { namespace, ids, scope }: Scoped & { readonly ids: readonly EntityId[]; readonly scope: EdgeScope },
  ): readonly CountedEntity[] =>
    prepare(selectNodes)
      .all({
        ...{ namespace, ids: JSON.stringify(ids), personas: personasText(scope) },
        closed: scope.closed ? 1 : 0,
      })
      .map(counted),
  'view.edges': (
    context: EngineContext,
    { namespace, query }: Scoped & { readonly query: EdgeQuery },
  ): PackedFacts => {
    const personas = personasText(query)
    const found = new Map<number, Row>()
    for (const entity of new Set(query.entities)) {
      const rows = [currentEdges, ...(query.closed ? [closedEdges] : [])].flatMap((queries) =>
        queries
          .flatMap((sql) => context.prepare(sql).all({ namespace, entity, personas, limit: query.perEntity }))
          .sort(bestFirst),
      )
      for (const row of rows.slice(0, query.perEntity)) found.set(Number(row.seq), row)
    }
    const seqs = [...found.values()].sort(bestFirst).map(({ seq }) => Number(seq))
    return packFacts(context, namespace, seqs)
  },
  'view.pinned': (
    context: EngineContext,
    args: Scoped & { readonly personas: readonly string[] | null; readonly limit: number },
  ): { readonly chunks: readonly FoundChunk[]; readonly facts: PackedFacts } => {
    const { namespace, limit } = args
    const parameters = { namespace, limit, personas: personasText({ ...args, closed: false }) }
    const facts = context.prepare(pinned('r.seq', 'relationship r', 'r')).all(parameters)
    return {
      chunks: context
        .prepare(pinned(foundColumns, 'chunk c', 'c'))
        .all(parameters)
        .map(foundChunkOf),
      facts: packFacts(
        context,
        namespace,
        facts.map(({ seq }) => Number(seq)),
      ),
    }
  },
}

/** The pieces of documents are kept with them; nobody has pinned them. */
const notOfDocument = `AND coalesce(c.item_key, '') NOT GLOB '${documentKey('')}*'`

const pinned = (columns: string, table: string, name: 'r' | 'c') => `SELECT ${columns} FROM ${table}
WHERE ${name}.namespace = :namespace AND ${name}.pinned = 1 ${name === 'r' ? 'AND r.closed_at IS NULL' : notOfDocument}
AND (:personas IS NULL OR ${name}.persona IN (SELECT value FROM json_each(:personas)))
ORDER BY ${name}.created_at DESC, ${name}.id DESC LIMIT :limit`

/** Current ones first, then what was closed last, then by confidence, ties by id. */
function bestFirst(a: Row, b: Row): number {
  const closedAt = (row: Row) => (row.closed_at === null ? Number.POSITIVE_INFINITY : Number(row.closed_at))
  if (closedAt(a) !== closedAt(b)) return closedAt(b) - closedAt(a)
  return Number(b.confidence) - Number(a.confidence) || (String(a.id) < String(b.id) ? -1 : 1)
}
