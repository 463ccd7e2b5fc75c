import type { Namespace } from '../../../core/ids.ts'
import type { FadedQuery } from '../../../memory/ports.ts'

const secondsPerDay = 86_400

/** Confidence now, from the base and the last access alone: running it often never compounds. */
export const retainedNow = 'base * exp(-max(0.0, :now - last_access_at) / :stability)'

/** The S of the specification's R = e^(-t/S), in seconds. */
export function stabilitySeconds(halfLifeDays: number): number {
  return (halfLifeDays * secondsPerDay) / Math.LN2
}

/** Rows of a namespace, or of one persona of it, that are below the threshold. */
export const fadedCondition = `WHERE namespace = :namespace AND (:persona IS NULL OR persona = :persona)
AND ${retainedNow} < :threshold`

export function fadedParameters(namespace: Namespace, query: FadedQuery) {
  const { persona, threshold, now, halfLifeDays } = query
  return { namespace, persona, threshold, now, stability: stabilitySeconds(halfLifeDays) }
}
