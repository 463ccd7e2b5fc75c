import type { RateVerdict } from '../../../accounts/ports.ts'
import { outOfOrderSeconds, windowSeconds } from '../../../accounts/rules.ts'

/** The calls that this process has admitted in the last 60 seconds. Times are whole microseconds, as in Redis. */
export interface LocalWindow {
  /** What the calls of this process alone say. Nothing is counted. */
  verdict(family: string, limit: number, micros: number): RateVerdict
  count(family: string, micros: number): void
}

export const windowMicros = windowSeconds * 1e6
const outOfOrderMicros = outOfOrderSeconds * 1e6
/** Families looked at per call for ones that nobody uses any more. */
const sweptPerCall = 2

export function createLocalWindow(): LocalWindow {
  const families = new Map<string, number[]>()

  /** Oldest first. After a clock was set back, calls from its future count as made now. */
  function recent(family: string, now: number): number[] {
    const times = (families.get(family) ?? [])
      .map((time) => Math.min(time, now))
      .filter((time) => time + windowMicros > now)
    if (times.length === 0) families.delete(family)
    else families.set(family, times)
    return times
  }

  /** The time that a call counts as made at. */
  function inOrder(family: string, asked: number): number {
    const newest = families.get(family)?.at(-1) ?? asked
    return newest > asked && newest - asked <= outOfOrderMicros ? newest : asked
  }

  return {
    verdict(family, limit, asked) {
      const now = inOrder(family, asked)
      const times = recent(family, now)
      const wait = (time: number) => Math.max(1, Math.ceil((time + windowMicros - asked) / 1e6))
      if (times.length < limit) {
        return {
          admitted: true,
          remaining: limit - times.length - 1,
          resetSeconds: wait(times[0] ?? now),
        }
      }
      return { admitted: false, retryAfterSeconds: wait(times[times.length - limit] ?? now) }
    },
    count(family, asked) {
      const now = inOrder(family, asked)
      const times = recent(family, now)
      times.push(now)
      families.delete(family)
      families.set(family, times)
      // In the order of their last call: those at the front are the idle ones.
      for (const idle of [...families.keys().take(sweptPerCall)]) if (idle !== family) recent(idle, now)
    },
  }
}
