import type { Seconds } from '../../core/clock.ts'
import type { Retained } from '../model.ts'

const secondsPerDay = 86_400

/**
 * Confidence after `days` without access: base × e^(−t/S), S = halfLifeDays / ln 2. Always from the base, so that
 * running it hourly never compounds. A clock that went backwards counts as no time.
 */
export function retained(base: number, days: number, halfLifeDays: number): number {
  return base * 2 ** (-Math.max(0, days) / halfLifeDays)
}

/** What a memory's confidence is now. */
export function retention(memory: Retained, now: Seconds, halfLifeDays: number): number {
  if (memory.pinned) return memory.base
  return retained(memory.base, (now - memory.lastAccessAt) / secondsPerDay, halfLifeDays)
}
