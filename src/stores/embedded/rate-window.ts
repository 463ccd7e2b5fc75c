import type { RateVerdict, RateWindow } from '../../accounts/ports.ts'
import { outOfOrderSeconds, windowSeconds } from '../../accounts/rules.ts'
import type { Seconds } from '../../core/clock.ts'

/** The admissions of one family within the window, oldest first, in a ring that grows as needed. */
interface Admissions {
  times: Float64Array
  first: number
  count: number
}

/**
 * Rate windows in this process's memory. Every admission's time is kept for a minute, so the window is exact; memory
 * is bounded by what the limits admit in a minute.
 */
export function createMemoryRateWindow(): RateWindow {
  // In the order of their last admission: idle families are found at the front.
  const families = new Map<string, Admissions>()

  const admit = (family: string, limit: number, asked: Seconds): RateVerdict => {
    const admissions = families.get(family) ?? { times: new Float64Array(8), first: 0, count: 0 }
    const now = inOrder(admissions, asked)
    followClockBack(admissions, now)
    dropExpired(admissions, now)
    if (admissions.count >= limit) {
      // The next place is free when only limit - 1 admissions are left: with a lowered limit several must go.
      const blocking = limit > 0 ? timeAt(admissions, admissions.count - limit) : now
      return {
        admitted: false,
        retryAfterSeconds: waitUntil(blocking, asked),
      }
    }
    append(admissions, now)
    families.delete(family)
    families.set(family, admissions)
    forgetIdle(families, now)
    return {
      admitted: true,
      remaining: limit - admissions.count,
      resetSeconds: waitUntil(timeAt(admissions, 0), asked),
    }
  }

  return { admit: async (family, limit, now) => admit(family, limit, now) }
}

/** Whole seconds until an admission has left the window. */
function waitUntil(admission: Seconds, asked: Seconds): number {
  return Math.max(1, Math.ceil(admission + windowSeconds - asked))
}

function timeAt({ times, first }: Admissions, index: number): Seconds {
  return times[(first + index) % times.length] ?? 0
}

function append(admissions: Admissions, time: Seconds): void {
  const { count } = admissions
  if (count === admissions.times.length) {
    const larger = new Float64Array(2 * count)
    for (let index = 0; index < count; index++) larger[index] = timeAt(admissions, index)
    admissions.times = larger
    admissions.first = 0
  }
  admissions.times[(admissions.first + count) % admissions.times.length] = time
  admissions.count++
}

function isExpired(time: Seconds, now: Seconds): boolean {
  return time + windowSeconds <= now
}

function dropExpired(admissions: Admissions, now: Seconds): void {
  while (admissions.count > 0 && isExpired(timeAt(admissions, 0), now)) {
    admissions.first = (admissions.first + 1) % admissions.times.length
    admissions.count--
  }
}

/** The time that a call counts as made at. */
function inOrder(admissions: Admissions, asked: Seconds): Seconds {
  const newest = admissions.count === 0 ? asked : timeAt(admissions, admissions.count - 1)
  return newest > asked && newest - asked <= outOfOrderSeconds ? newest : asked
}

/** A clock set back must not lock a family out: its admissions move with it, the last one to now. */
function followClockBack(admissions: Admissions, now: Seconds): void {
  if (admissions.count === 0) return
  const ahead = timeAt(admissions, admissions.count - 1) - now
  if (ahead <= 0) return
  admissions.times = admissions.times.map((time) => time - ahead)
}

function forgetIdle(families: Map<string, Admissions>, now: Seconds): void {
  for (const [family, admissions] of families) {
    if (!isExpired(timeAt(admissions, admissions.count - 1), now)) return
    families.delete(family)
  }
}
