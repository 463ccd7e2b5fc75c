import { api, type components } from '../api.ts'
import type { Rules } from './curve.ts'

export type Memory = components['schemas']['Memory']

export type Forecast = components['schemas']['PruneReply']

export type Run = components['schemas']['LifecycleRun']

export interface Outlook {
  readonly rules: Rules
  readonly runs: readonly Run[]
  readonly now: Forecast
  readonly week: Forecast
  readonly month: Forecast
}

/** So many memories are shown; the figures count all. */
export const shownMemories = 50

/** Where nothing is deleted the curves are still worth a look: this is what the specification deletes at. */
export const usualThreshold = 0.05

export async function look(persona: string | null, signal: AbortSignal): Promise<Outlook> {
  const client = api()
  const {
    half_life_days: halfLifeDays,
    prune_threshold: threshold,
    runs,
  } = await client.lifecycle(persona === null ? {} : { persona }, { signal })
  const below = threshold === 0 ? usualThreshold : threshold
  const ahead = (in_days: number, limit: number) =>
    client.prune({ dry_run: true, threshold: below, persona, in_days, limit }, { signal })
  const [now, week, month] = await Promise.all([
    ahead(0, shownMemories),
    ahead(7, 0),
    ahead(30, shownMemories),
  ])
  return { rules: { halfLifeDays, threshold }, runs, now, week, month }
}
