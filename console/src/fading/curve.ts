// How a memory fades: confidence × 2^(−days without an access / half-life). A pinned one does not.

export interface Rules {
  readonly halfLifeDays: number
  /** What has less is deleted; 0: nothing is. */
  readonly threshold: number
}

/** What is left after more days without an access. */
export const retainedAfter = (retention: number, days: number, { halfLifeDays }: Rules) =>
  retention * 2 ** (-days / halfLifeDays)

/** Days until a run deletes it when nobody asks for it; null: never. */
export function daysLeft(retention: number, { halfLifeDays, threshold }: Rules): number | null {
  if (threshold <= 0) return null
  return Math.max(0, halfLifeDays * Math.log2(retention / threshold))
}

export interface Area {
  readonly days: number
  readonly width: number
  readonly height: number
  /** The share at its upper edge. */
  readonly top: number
}

/** A curve as the points of an SVG line, from now on. */
export function curve(retention: number, rules: Rules, { days, width, height, top }: Area): string {
  const steps = 40
  return Array.from({ length: steps + 1 }, (_, step) => {
    const share = step / steps
    const y = height * (1 - retainedAfter(retention, share * days, rules) / top)
    return `${(share * width).toFixed(1)},${y.toFixed(1)}`
  }).join(' ')
}

/** Where a memory stands between its last access and its end: 0 to 1. */
export function lifeSpent(confidence: number, retention: number, { threshold }: Rules): number {
  const whole = Math.log2(confidence / threshold)
  return whole <= 0 ? 1 : Math.min(1, Math.max(0, Math.log2(confidence / retention) / whole))
}

/** Days as people say them. */
export function inDays(days: number): string {
  if (days < 1) return 'today'
  const whole = Math.round(days)
  return whole === 1 ? 'in 1 day' : `in ${whole} days`
}
