import type { Namespace } from '../../../core/ids.ts'
import type { FadedQuery } from '../../../memory/ports.ts'

const secondsPerDay = 86_400

/** Confidence now, from the base and the last access alone: running it often never compounds. */
export const retainedNow = 'base * iif(pinned = 1, 1.0, exp(-max(0.0, :now - last_access_at) / :stability))'

/** The S of the specification's R = e^(-t/S), in seconds. */
export function stabilitySeconds(halfLifeDays: number): number {
  return (halfLifeDays * secondsPerDay) / Math.LN2
}

/** Below the threshold, of every persona or of one. What is pinned never is. */
export const isFaded = `(:persona IS NULL OR persona = :persona) AND pinned = 0 AND ${retainedNow} < :threshold`

export const fadedCondition = `WHERE namespace = :namespace AND ${isFaded}`

/** The rows that a removal takes: the most faded first; a limit of -1 is none. */
export const fadedRows = (table: 'chunk' | 'relationship', column: 'seq' | 'id' = 'seq') =>
  `SELECT ${column} FROM ${table} ${fadedCondition} ORDER BY ${retainedNow}, seq LIMIT :limit`

export function fadedParameters(namespace: Namespace, query: FadedQuery) {
  const { persona, threshold, now, halfLifeDays } = query
  return { namespace, persona, threshold, now, stability: stabilitySeconds(halfLifeDays) }
}
