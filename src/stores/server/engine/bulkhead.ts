import { whenOver } from './wait-budget.ts'

/** Bounds how many calls one engine gets at once, by what it is measured to bear. */
export interface Bulkhead {
  /**
   * Resolves with a place; `leave` gives it back and says how long the call took, null when that tells nothing of the
   * engine's load. Null when the queue is full or no time is left.
   */
  enter(left: () => number): Promise<((tookMs: number | null) => void) | null>
  /** Places there are now. */
  limit(): number
}

export interface BulkheadOptions {
  /** A call that takes longer than this had too many others beside it. */
  readonly slowMs: number
  /** So many are always let in: an engine that is slow by itself is not made faster by asking it less. */
  readonly least?: number
  readonly most?: number
  readonly maxWaiting?: number
}

/** What a slow answer leaves of the limit. */
const backOff = 0.8

/**
 * Additive increase, multiplicative decrease: the limit grows by one for every round of quick answers while it is used
 * up, and falls once for every round with a slow one.
 */
export function createBulkhead(options: BulkheadOptions): Bulkhead {
  const { slowMs, least = 4, most = 64, maxWaiting = 2_048 } = options
  let limit = 4 * least
  let inside = 0
  /** Grows with every decrease: calls that began before one were slowed down by the limit before it. */
  let round = 0
  const queue = new Set<() => void>()

  function admitNext(): void {
    for (const admit of queue) {
      if (inside >= Math.floor(limit)) return
      queue.delete(admit)
      admit()
    }
  }

  function take(): (tookMs: number | null) => void {
    inside += 1
    const begunIn = round
    return (tookMs) => {
      const isUsedUp = inside >= Math.floor(limit)
      inside -= 1
      if (tookMs !== null && tookMs > slowMs && begunIn === round) {
        limit = Math.max(least, limit * backOff)
        round += 1
      } else if (tookMs !== null && tookMs <= slowMs && isUsedUp) limit = Math.min(most, limit + 1 / limit)
      admitNext()
    }
  }

  return {
    limit: () => Math.floor(limit),
    async enter(left) {
      if (inside < Math.floor(limit)) return take()
      if (queue.size >= maxWaiting) return null
      return new Promise((resolve) => {
        const admit = () => {
          cancel()
          resolve(take())
        }
        queue.add(admit)
        const cancel = whenOver(left, () => {
          queue.delete(admit)
          resolve(null)
        })
      })
    },
  }
}
