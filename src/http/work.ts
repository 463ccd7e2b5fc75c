import { ServiceError } from '../core/errors.ts'

/** Bounded work: what is over the limit is refused at once, so that what was accepted is finished. */
export interface Capacity {
  /** Throws `overloaded` when there is no room, or `shutting_down`. Nothing is taken. */
  check(): void
  /** Runs with room for `weight` taken, and gives it back whatever happens. */
  run<T>(weight: number, work: () => Promise<T>): Promise<T>
  inFlight(): number
  /** From now on nothing new is taken; resolves when nothing is in flight any more. */
  drain(): Promise<void>
}

/** Work that is too heavy for the limit runs only alone. */
export function createCapacity(limit: number): Capacity {
  let taken = 0
  let draining = false
  let drained: (() => void) | null = null
  const requireRoom = (weight: number) => {
    if (draining) throw new ServiceError('shutting_down')
    if (taken > 0 && taken + weight > limit) throw new ServiceError('overloaded')
  }
  return {
    check: () => requireRoom(1),
    run: async (weight, work) => {
      requireRoom(weight)
      taken += weight
      try {
        return await work()
      } finally {
        taken -= weight
        if (taken === 0) drained?.()
      }
    },
    inFlight: () => taken,
    drain: () => {
      draining = true
      if (taken === 0) return Promise.resolve()
      return new Promise((resolve) => {
        drained = resolve
      })
    },
  }
}

/** A timer that is set to more fires at once. */
const longestTimerMs = 2 ** 31 - 1

/**
 * Runs work that must end in time: at the deadline its signal fires and `deadline_exceeded` is thrown, whatever the
 * work does. When the caller hangs up the signal fires too. The work then ends as it can: before its write, or after it.
 */
export async function withDeadline<T>(
  caller: AbortSignal,
  deadlineMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController()
  // The server aborts with a text for a reason; what is thrown here must be an error.
  const hungUp = () => stop.abort(new ServiceError('request_timeout', { detail: 'The caller hung up.' }))
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => {
      const error = new ServiceError('deadline_exceeded')
      stop.abort(error)
      late.reject(error)
    },
    Math.min(deadlineMs, longestTimerMs),
  )
  if (caller.aborted) hungUp()
  caller.addEventListener('abort', hungUp, { once: true })
  try {
    return await Promise.race([work(stop.signal), late.promise])
  } finally {
    clearTimeout(timer)
    caller.removeEventListener('abort', hungUp)
  }
}
