import type { RateVerdict } from '../../../accounts/ports.ts'

/** The calls that this process has admitted in the last 60 seconds. Times are whole microseconds, as in Redis. */
export interface LocalWindow {
  /** What the calls of this process alone say. Nothing is counted. */
  verdict(family: string, limit: number, micros: number): RateVerdict
  count(family: string, micros: number): void
}

export const windowMicros = 60_000_000
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

  return {
    verdict(family, limit, now) {
      const times = recent(family, now)
      if (times.length < limit) return { admitted: true }
      const blocking = times[times.length - limit] ?? now
      return {
        admitted: false,
        retryAfterSeconds: Math.max(1, Math.ceil((blocking + windowMicros - now) / 1e6)),
      }
    },
    count(family, now) {
      const times = recent(family, now)
      times.push(now)
      families.delete(family)
      families.set(family, times)
      // In the order of their last call: those at the front are the idle ones.
      for (const idle of [...families.keys().take(sweptPerCall)]) if (idle !== family) recent(idle, now)
    },
  }
}
