import type { Seconds } from '../core/clock.ts'

/** The UTC calendar month of a time, as `2026-11`: budgets start anew with it. */
export function monthOf(time: Seconds): string {
  return new Date(time * 1000).toISOString().slice(0, 7)
}

/** When the UTC calendar month of a time ends. */
export function monthEnd(time: Seconds): Seconds {
  const date = new Date(time * 1000)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) / 1000
}
