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

/** Runs work that must end in time: at the deadline its signal fires and `deadline_exceeded` is thrown, whatever it does. */
export async function withDeadline<T>(
  client: AbortSignal,
  deadlineMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController()
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    const error = new ServiceError('deadline_exceeded')
    deadline.abort(error)
    late.reject(error)
  }, deadlineMs)
  try {
    return await Promise.race([work(AbortSignal.any([client, deadline.signal])), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
