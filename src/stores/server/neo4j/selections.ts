import type { Namespace } from '../../../core/ids.ts'
import type { FadedQuery, ListFilter, ListPage, Selection } from '../../../memory/ports.ts'
import { certain } from '../../../memory/relation/certainty.ts'
import type { RunQuery } from './connection.ts'
import { metadataIs, metadataParameters } from './within.ts'

const secondsPerDay = 86_400

/** A node or edge by the name it has in the query. */
type Named = 'c' | 'f'

/** Memories of an older version do not say. */
const isPinned = (it: Named) => `coalesce(${it}.pinned, false)`

/** Confidence now, from the base and the last access alone: running it often never compounds. */
export const retainedNow = (it: Named) =>
  `${it}.base * CASE WHEN ${isPinned(it)} THEN 1.0
    ELSE exp(-(CASE WHEN $now > ${it}.last_access_at THEN $now - ${it}.last_access_at ELSE 0.0 END) / $stability) END`

/** Below the threshold, of every persona or of one. What is pinned never is. */
export const isFaded = (it: Named) => `($persona IS NULL OR ${it}.persona = $persona)
  AND NOT ${isPinned(it)} AND ${retainedNow(it)} < $threshold`

/** The S of the specification's R = e^(-t/S), in seconds. */
export const stabilitySeconds = (halfLifeDays: number) => (halfLifeDays * secondsPerDay) / Math.LN2

export function fadedParameters(namespace: Namespace, { persona, threshold, now, halfLifeDays }: FadedQuery) {
  return { namespace, persona, threshold, now, stability: stabilitySeconds(halfLifeDays) }
}

/** The most faded first, at most `$limit` of them. */
export const mostFaded = (it: Named) =>
  `WITH ${it} ORDER BY ${retainedNow(it)}, ${it}.id LIMIT toInteger($limit)`

/** Parameters of a removal, which takes everything where no limit is given. */
export const fadedRemoval = (namespace: Namespace, query: FadedQuery) => ({
  ...fadedParameters(namespace, query),
  limit: query.limit ?? Number.MAX_SAFE_INTEGER,
})

export const selectionConditions = (it: Named) => `($ids IS NULL OR ${it}.id IN $ids)
  AND ($persona IS NULL OR ${it}.persona = $persona) AND ($sessionId IS NULL OR ${it}.session_id = $sessionId)
  AND ${metadataIs(it)}`

export async function selectionParameters(
  read: RunQuery,
  it: Named,
  namespace: Namespace,
  { ids, persona, sessionId, filter }: Selection,
) {
  const metadata = await metadataParameters(read, it, namespace, filter)
  return { namespace, ids: ids === null ? null : [...ids], persona, sessionId, ...metadata }
}

/** As `isSuperseded` of the domain says it. */
const chunkSuperseded = `(coalesce(c.replaced_probability, 0.0) = 1.0 OR CASE WHEN c.fact_count > 0
  THEN c.closed_fact_count >= c.fact_count ELSE coalesce(c.replaced_probability, 0.0) >= ${certain} END)`

const ofList = {
  c: { text: 'c.text', superseded: `($superseded IS NULL OR ${chunkSuperseded} = $superseded)` },
  f: { text: 'f.fact', superseded: '(f.closed_at IS NOT NULL) = coalesce($superseded, false)' },
} as const

export const listConditions = (it: Named) => `($persona IS NULL OR ${it}.persona = $persona)
  AND ($sessionId IS NULL OR ${it}.session_id = $sessionId) AND ($source IS NULL OR ${it}.source = $source)
  AND ($since IS NULL OR ${it}.created_at >= $since) AND ($until IS NULL OR ${it}.created_at < $until)
  AND ($pinned IS NULL OR ${isPinned(it)} = $pinned) AND ${ofList[it].superseded}
  AND ($text IS NULL OR toLower(${ofList[it].text}) CONTAINS $text)
  AND ${metadataIs(it)}
  AND ($afterAt IS NULL OR ${it}.created_at < $afterAt OR (${it}.created_at = $afterAt AND ${it}.id < $afterId))`

export async function listParameters(
  read: RunQuery,
  it: Named,
  namespace: Namespace,
  filter: ListFilter,
  { after, limit }: ListPage,
) {
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
    text: filter.text?.toLowerCase() ?? null,
    pinned: filter.pinned ?? null,
    superseded: filter.superseded ?? null,
    ...(await metadataParameters(read, it, namespace, filter.filter)),
    ...position,
    limit,
  }
}

/** Sets that a statement was told at this time, too. */
export const toldAgain = (name: 'c' | 'f', told: string) =>
  `${name}.told_at = CASE WHEN coalesce(${name}.told_at, ${name}.created_at) < ${told} THEN ${told}
    ELSE coalesce(${name}.told_at, ${name}.created_at) END,
  ${name}.created_at = CASE WHEN ${name}.created_at > ${told} THEN ${told} ELSE ${name}.created_at END`
