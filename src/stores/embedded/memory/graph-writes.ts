import { asChunkId, type ChunkId, type Namespace } from '../../../core/ids.ts'
import type { DecayOutcome, FadedQuery, Selection } from '../../../memory/ports.ts'
import type { EngineContext } from '../engine/context.ts'
import { fadedCondition, fadedParameters, retainedNow, stabilitySeconds } from './faded.ts'
import { orphaned } from './graph-reads.ts'
import { requireLease } from './require-lease.ts'
import { selectionCondition, selectionParameters, withSeqs } from './selection.ts'
import { trimChanges } from './trim-changes.ts'

interface Scoped {
  readonly namespace: Namespace
}

/** The rows that one write removes. */
interface Sliced extends Scoped {
  readonly seqs: readonly number[]
}

interface DecayRequest extends Scoped {
  readonly query: Omit<FadedQuery, 'threshold'>
  /** Relationships after this row, at most so many: other writes come between two slices. */
  readonly after: number
  readonly limit: number
}

/** What a slice changed, and its last relationship: null when there was none. */
export interface DecaySlice extends DecayOutcome {
  readonly last: number | null
}

/** A change smaller than this, relatively, is rounding and counts as none. */
const roundingError = 1e-9

const decaySlice = `SELECT max(seq) AS last, total(fresh < confidence * ${1 - roundingError}) AS decayed,
  total(fresh > confidence * ${1 + roundingError}) AS reinforced
FROM (
  SELECT seq, confidence, ${retainedNow} AS fresh FROM relationship INDEXED BY relationship_rows
  WHERE namespace = :namespace AND closed_at IS NULL AND (:persona IS NULL OR persona = :persona) AND seq > :after
  ORDER BY seq LIMIT :limit
)`

const decayRows = `UPDATE relationship INDEXED BY relationship_rows SET confidence = ${retainedNow}
WHERE namespace = :namespace AND closed_at IS NULL AND (:persona IS NULL OR persona = :persona)
AND seq > :after AND seq <= :last`

const touchesEntity = `r.namespace = :namespace AND r.seq IN (
  SELECT seq FROM relationship WHERE namespace = :namespace AND subject_id = :entity
  UNION ALL SELECT seq FROM relationship WHERE namespace = :namespace AND object_id = :entity
)`

export const graphWrites = {
  'graph.touch': (
    { prepare }: EngineContext,
    { namespace, ids, now }: Scoped & { readonly ids: readonly string[]; readonly now: number },
  ): void => {
    prepare(`UPDATE relationship SET access_count = access_count + 1, last_access_at = max(last_access_at, :now)
WHERE namespace = :namespace AND id IN (SELECT value FROM json_each(:ids))`).run({
      ...{ namespace, now, ids: JSON.stringify(ids) },
    })
  },
  'graph.decay': (context: EngineContext, { namespace, query, after, limit }: DecayRequest): DecaySlice => {
    requireLease(context, query.lease)
    const { prepare } = context
    const { persona, now } = query
    const shared = { namespace, persona, now, stability: stabilitySeconds(query.halfLifeDays), after }
    const slice = prepare(decaySlice).get({ ...shared, limit })
    if (slice?.last == null) return { decayed: 0, reinforced: 0, last: null }
    const last = Number(slice.last)
    prepare(decayRows).run({ ...shared, last })
    return { decayed: Number(slice.decayed), reinforced: Number(slice.reinforced), last }
  },
  'graph.removeFaded': (
    context: EngineContext,
    { namespace, query, seqs }: Sliced & { readonly query: FadedQuery },
  ): number => {
    requireLease(context, query.lease)
    return removed(context, `relationship ${fadedCondition}`, fadedParameters(namespace, query), seqs)
  },
  'graph.remove': (
    context: EngineContext,
    { namespace, selection, seqs }: Sliced & { readonly selection: Selection },
  ): number => {
    const parameters = selectionParameters(namespace, { ...selection, ids: null })
    return removed(context, `relationship ${selectionCondition}`, parameters, seqs)
  },
  'graph.removeEntity': (
    context: EngineContext,
    { namespace, key }: Scoped & { readonly key: string },
  ): { relationships: number; chunks: ChunkId[] } => {
    const { prepare } = context
    const entity = prepare('SELECT id FROM entity WHERE namespace = ? AND key = ?').get(namespace, key)?.id
    if (entity === undefined) return { relationships: 0, chunks: [] }
    const parameters = { namespace, entity }
    const chunks = prepare(`SELECT DISTINCT m.chunk_id FROM relationship r
JOIN mention m ON m.namespace = r.namespace AND m.relationship_id = r.id WHERE ${touchesEntity} ORDER BY m.chunk_id`)
      .all(parameters)
      .map((row) => asChunkId(String(row.chunk_id)))
    const { changes } = prepare(`DELETE FROM relationship AS r WHERE ${touchesEntity}`).run(parameters)
    prepare('DELETE FROM entity WHERE namespace = ? AND id = ?').run(namespace, entity)
    trimChanges(context)
    return { relationships: Number(changes), chunks }
  },
  'graph.removeOrphans': (context: EngineContext, { namespace, seqs }: Sliced): number =>
    removed(context, `entity ${orphaned}`, { namespace }, seqs),
}

function removed(
  context: EngineContext,
  from: string,
  parameters: Record<string, string | number | null>,
  seqs: readonly number[],
): number {
  const { changes } = context
    .prepare(`DELETE FROM ${from} ${withSeqs}`)
    .run({ ...parameters, seqs: JSON.stringify(seqs) })
  trimChanges(context)
  return Number(changes)
}
