import type { Namespace } from '../../../core/ids.ts'
import type { FadedQuery, ListFilter, ListPage, Selection } from '../../../memory/ports.ts'

const secondsPerDay = 86_400

/** A node or edge by the name it has in the query. */
type Named = 'c' | 'f'

/** Confidence now, from the base and the last access alone: running it often never compounds. */
export const retainedNow = (it: Named) =>
  `${it}.base * exp(-(CASE WHEN $now > ${it}.last_access_at THEN $now - ${it}.last_access_at ELSE 0.0 END) / $stability)`

/** The S of the specification's R = e^(-t/S), in seconds. */
export const stabilitySeconds = (halfLifeDays: number) => (halfLifeDays * secondsPerDay) / Math.LN2

export function fadedParameters(namespace: Namespace, { persona, threshold, now, halfLifeDays }: FadedQuery) {
  return { namespace, persona, threshold, now, stability: stabilitySeconds(halfLifeDays) }
}

export const selectionConditions = (it: Named) => `($ids IS NULL OR ${it}.id IN $ids)
  AND ($persona IS NULL OR ${it}.persona = $persona) AND ($sessionId IS NULL OR ${it}.session_id = $sessionId)`

export function selectionParameters(namespace: Namespace, { ids, persona, sessionId }: Selection) {
  return { namespace, ids: ids === null ? null : [...ids], persona, sessionId }
}

export const listConditions = (it: Named) => `($persona IS NULL OR ${it}.persona = $persona)
  AND ($sessionId IS NULL OR ${it}.session_id = $sessionId) AND ($source IS NULL OR ${it}.source = $source)
  AND ($since IS NULL OR ${it}.created_at >= $since) AND ($until IS NULL OR ${it}.created_at < $until)
  AND ($afterAt IS NULL OR ${it}.created_at < $afterAt OR (${it}.created_at = $afterAt AND ${it}.id < $afterId))`

export function listParameters(namespace: Namespace, filter: ListFilter, { after, limit }: ListPage) {
  const { persona, sessionId, source, since, until } = filter
  const position = { afterAt: after?.createdAt ?? null, afterId: after?.id ?? null }
  return {
    namespace,
    persona,
    sessionId,
    source,
    since,
    until,
    relation: filter.relation ?? null,
    ...position,
    limit,
  }
}
