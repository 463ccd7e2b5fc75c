import type { Clock, Seconds } from '../../core/clock.ts'
import type { Namespace } from '../../core/ids.ts'
import type { LifecycleStore } from '../ports.ts'
import type { AutomaticRun } from './consolidate.ts'

/** What an automatic run deleted of a namespace, and how many faded memories it left for the next. */
export type PrunedNamespace = AutomaticRun['pruned'] &
  Pick<AutomaticRun, 'heldBack'> & { readonly namespace: Namespace }

/** What one sweep over all namespaces did. */
export interface SweepReport {
  /** False when another process is sweeping. */
  readonly held: boolean
  readonly ran: number
  /** Ran within the hour already. */
  readonly recent: number
  /** Where something was deleted, or held back. */
  readonly pruned: readonly PrunedNamespace[]
  readonly failed: readonly { readonly namespace: Namespace; readonly error: unknown }[]
}

export interface SweepParts {
  readonly lifecycle: LifecycleStore
  readonly namespaces: () => Promise<readonly Namespace[]>
  readonly run: (namespace: Namespace) => Promise<AutomaticRun>
  readonly clock: Clock
}

const intervalSeconds: Seconds = 3_600
/** A namespace that ran within this time waits for the next hour; a little less than one, for the jitter. */
const freshSeconds: Seconds = 3_000
const leaseSeconds: Seconds = 300
const leaseName = 'hourly consolidation'

/** Consolidates every namespace once, alone among all processes. A namespace that fails does not stop the others. */
export async function sweep(
  { lifecycle, namespaces, run, clock }: SweepParts,
  isStopped: () => boolean,
): Promise<SweepReport> {
  const lease = await lifecycle.acquire(leaseName, leaseSeconds, clock.now())
  const pruned: PrunedNamespace[] = []
  const failed: { namespace: Namespace; error: unknown }[] = []
  let ran = 0
  let recent = 0
  const report = (held: boolean): SweepReport => ({ held, ran, recent, pruned, failed })
  if (lease === null) return report(false)
  try {
    for (const namespace of await namespaces()) {
      if (isStopped() || !(await lifecycle.renew(lease, leaseSeconds, clock.now()))) break
      try {
        const last = await lifecycle.lastRun(namespace, null)
        if (last !== null && Math.abs(clock.now() - last) < freshSeconds) {
          recent++
          continue
        }
        const outcome = await run(namespace)
        ran++
        const { relations, chunks, orphanedEntities } = outcome.pruned
        if (relations + chunks + orphanedEntities + outcome.heldBack > 0)
          pruned.push({ namespace, ...outcome.pruned, heldBack: outcome.heldBack })
      } catch (error) {
        failed.push({ namespace, error })
      }
    }
  } finally {
    await lifecycle.release(lease)
  }
  return report(true)
}

/** Calls back after some seconds; the result cancels it. Passed in, so that tests need not wait. */
export type Timer = (seconds: Seconds, callback: () => void) => () => void

export interface ScheduleParts extends SweepParts {
  readonly timer: Timer
  /** 0 to 1. */
  readonly random: () => number
  /** Hears of every sweep, and of sweeps that could not begin. */
  readonly report: (outcome: SweepReport | { readonly error: unknown }) => void | Promise<void>
}

export interface Schedule {
  /** No further sweep begins; resolves when the one at work has finished its namespace. */
  stop(): Promise<void>
}

/** The automatic hourly run. Processes start at different times and drift apart by up to a tenth of the hour. */
export function startSchedule(parts: ScheduleParts): Schedule {
  let stopped = false
  let atWork: Promise<void> = Promise.resolve()
  let cancel = () => {}
  const again = (seconds: Seconds) => {
    if (!stopped) cancel = parts.timer(seconds, tick)
  }
  const tick = () => {
    atWork = sweep(parts, () => stopped)
      .then(parts.report, (error: unknown) => parts.report({ error }))
      .then(() => again(intervalSeconds * (0.95 + 0.1 * parts.random())))
  }
  again(intervalSeconds * parts.random())
  return {
    stop: async () => {
      stopped = true
      cancel()
      await atWork
    },
  }
}

/** The process's own timer; it does not keep the process alive. */
export const systemTimer: Timer = (seconds, callback) => {
  const timer = setTimeout(callback, seconds * 1_000)
  timer.unref()
  return () => clearTimeout(timer)
}
