import type { Namespace } from '../../../core/ids.ts'
import type { DecayOutcome, FadedQuery, Selection } from '../../../memory/ports.ts'
import type { EngineContext } from '../engine/context.ts'
import { fadedCondition, fadedParameters, retainedNow, stabilitySeconds } from './faded.ts'
import { orphaned, type UntoldRole, untoldRole } from './graph-reads.ts'
import { passOnFacts } from './pass-on.ts'
import { toldAgain } from './remember.ts'
import { requireLease } from './require-lease.ts'
import { idsOf, selectionCondition, selectionParameters, withSeqs } from './selection.ts'
import { trimChanges } from './trim-changes.ts'
import { undoClosings } from './undo-closings.ts'

interface Scoped {
  readonly namespace: Namespace
}

interface Touched extends Scoped {
  readonly ids: readonly string[]
  readonly now: number
  readonly told?: number | undefined
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

export const graphWrites = {
  'graph.touch': ({ prepare }: EngineContext, { namespace, ids, now, told }: Touched): void => {
    prepare(`UPDATE relationship SET access_count = access_count + times, last_access_at = max(last_access_at, :now)${
      told === undefined ? '' : `, ${toldAgain}`
    }
FROM (SELECT value, count(*) AS times FROM json_each(:ids) GROUP BY value) WHERE namespace = :namespace AND id = value`).run(
      {
        ...{ namespace, now, ids: JSON.stringify(ids), ...(told === undefined ? {} : { told }) },
      },
    )
  },
  'graph.pin': (
    { prepare }: EngineContext,
    { namespace, id, pinned }: Scoped & { readonly id: string; readonly pinned: boolean },
  ): boolean =>
    prepare('UPDATE relationship SET pinned = ? WHERE namespace = ? AND id = ?').run(
      ...[pinned ? 1 : 0, namespace, id],
    ).changes === 1,
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
    undoClosings(context, namespace, idsOf(context, 'relationship', namespace, seqs))
    return removed(context, `relationship ${selectionCondition}`, parameters, seqs)
  },
  'graph.passOn': passOnFacts,
  'graph.dropEvidence': (
    { prepare }: EngineContext,
    { namespace, ids }: Scoped & { readonly ids: readonly string[] },
  ): void => {
    prepare(`UPDATE relationship SET evidence = fact
WHERE namespace = :namespace AND id IN (SELECT value FROM json_each(:ids))`).run({
      ...{ namespace, ids: JSON.stringify(ids) },
    })
  },
  'graph.removeOrphans': (context: EngineContext, { namespace, seqs }: Sliced): number =>
    removed(context, `entity ${orphaned}`, { namespace }, seqs),
  'graph.dropRoles': (
    { prepare }: EngineContext,
    { namespace, roles }: Scoped & { readonly roles: readonly UntoldRole[] },
  ): number => {
    const dropped = new Set<string>()
    for (const { name, id } of roles) {
      // A fact may have said it again meanwhile.
      if (
        prepare(`SELECT 1 FROM ${untoldRole} AND n.name = :name AND e.id = :id`).get({ namespace, name, id })
      ) {
        const role = { namespace, name, id }
        prepare(
          'DELETE FROM entity_name WHERE namespace = :namespace AND name = :name AND entity_id = :id',
        ).run(role)
        prepare(withoutAlias).run(role)
        dropped.add(id)
      }
    }
    return dropped.size
  },
}

const withoutAlias = `UPDATE entity SET aliases = (
  SELECT json_group_array(value) FROM json_each(aliases) WHERE lower(value) <> :name
) WHERE namespace = :namespace AND id = :id`

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
