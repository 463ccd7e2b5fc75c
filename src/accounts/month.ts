import type { Seconds } from '../core/clock.ts'

/** The UTC calendar month of a time, as `2026-11`: budgets start anew with it. */
export function monthOf(time: Seconds): string {
  return new Date(time * 1000).toISOString().slice(0, 7)
}
