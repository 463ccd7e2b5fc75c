import { ServiceError } from '../core/errors.ts'

/** Requests that are alike in what they take: so many of a line run at once, the others wait for their turn. */
export type Line = 'searches' | 'writes'

/** Where a request waits for its turn. */
export interface Queued {
  /** Null: it runs at once, because it mostly waits for others, or would hold up its line. */
  readonly line: Line | null
  /** In a line the accounts take turns: many requests of one do not hold up another's. */
  readonly account: string
}

/** What a request takes of the server. */
export interface Load extends Queued {
  readonly weight: number
  readonly signal: AbortSignal
}

/** Bounded work: what is over the limit, or would wait too long, is refused at once, so that what was accepted is finished. */
export interface Capacity {
  /** Throws `overloaded` when there is no room, or `shutting_down`. Nothing is taken. */
  check(queued: Queued): void
  /** Runs with room for `weight` taken, when its turn has come, and gives it back whatever happens. */
  run<T>(load: Load, work: () => Promise<T>): Promise<T>
  inFlight(): number
  /** From now on nothing new is taken; resolves when nothing is in flight any more. */
  drain(): Promise<void>
}

export interface CapacityParts {
  /** Of all that runs. Work that is too heavy for it runs only alone. */
  readonly limit: number
  /** How many of each line run at once. */
  readonly atOnce: Readonly<Record<Line, number>>
  /** Monotonic. */
  readonly milliseconds: () => number
}

export function createCapacity({ limit, atOnce, milliseconds }: CapacityParts): Capacity {
  const lines = {
    searches: createLine(atOnce.searches, milliseconds),
    writes: createLine(atOnce.writes, milliseconds),
  }
  /** By what runs, and by that and what waits. */
  let [taken, accepted] = [0, 0]
  let draining = false
  let drained: (() => void) | null = null
  const requireRoom = (weight: number, { line, account }: Queued) => {
    if (draining) throw new ServiceError('shutting_down')
    if (taken > 0 && taken + weight > limit) throw overloaded()
    if (line !== null && lines[line].isFull(account)) throw overloaded()
  }
  const running = async <T>(weight: number, work: () => Promise<T>) => {
    taken += weight
    try {
      return await work()
    } finally {
      taken -= weight
    }
  }
  return {
    check: (queued) => requireRoom(1, queued),
    run: async (load, work) => {
      const { weight, line } = load
      requireRoom(weight, load)
      accepted += weight
      const run = () => running(weight, work)
      try {
        return await (line === null ? run() : lines[line].run(load, run))
      } finally {
        accepted -= weight
        if (accepted === 0) drained?.()
      }
    },
    inFlight: () => accepted,
    drain: () => {
      draining = true
      if (accepted === 0) return Promise.resolve()
      return new Promise((resolve) => {
        drained = resolve
      })
    },
  }
}

/** Nobody waits longer for a turn; who would have to, by what was measured lately, is refused at once. */
const longestWaitMs = 10_000

/** Of one account. */
const mostWaiting = 256

/** How much the last request counts in the mean time of one. */
const newest = 0.1

function createLine(places: number, milliseconds: () => number) {
  /** By account; the account whose turn is next comes first. */
  const waiting = new Map<string, (() => void)[]>()
  let running = 0
  let meanMs = 0
  const remove = (account: string, begin: () => void) => {
    const others = (waiting.get(account) ?? []).filter((other) => other !== begin)
    if (others.length > 0) waiting.set(account, others)
    else waiting.delete(account)
  }
  /** Resolves when its turn has come; rejects when the caller hangs up, or it has waited too long. */
  const turn = (account: string, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const ended = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', hungUp)
      }
      const begin = () => {
        ended()
        resolve()
      }
      const leave = (error: ServiceError) => {
        ended()
        remove(account, begin)
        reject(error)
      }
      const hungUp = () => leave(callerHungUp())
      const timer = setTimeout(() => leave(overloaded()), longestWaitMs)
      signal.addEventListener('abort', hungUp)
      waiting.set(account, [...(waiting.get(account) ?? []), begin])
    })
  /** Whoever ends gives its place on, and the account that has it goes to the end. */
  const passOn = () => {
    const [first] = waiting
    if (first === undefined) {
      running--
      return
    }
    const [account, [begin, ...others]] = first
    waiting.delete(account)
    if (others.length > 0) waiting.set(account, others)
    begin?.()
  }
  /** No more come before it than wait, and of each other account no more than of its own. */
  const before = (account: string) => {
    const own = waiting.get(account)?.length ?? 0
    const others = [...waiting].filter(([other]) => other !== account)
    return others.reduce((sum, [, { length }]) => sum + Math.min(length, own + 1), own)
  }
  const measured = async <T>(work: () => Promise<T>): Promise<T> => {
    const began = milliseconds()
    let isDone = false
    try {
      const result = await work()
      isDone = true
      return result
    } finally {
      const took = milliseconds() - began
      // What was refused at once says nothing of how long the others take.
      if (isDone || took > meanMs) meanMs += newest * (took - meanMs)
    }
  }
  return {
    isFull: (account: string) =>
      running >= places &&
      ((waiting.get(account)?.length ?? 0) >= mostWaiting ||
        ((before(account) + 1) * meanMs) / places > longestWaitMs),
    run: async <T>({ account, signal }: Load, work: () => Promise<T>): Promise<T> => {
      if (signal.aborted) throw callerHungUp()
      if (running < places) running++
      else await turn(account, signal)
      try {
        return await measured(work)
      } finally {
        passOn()
      }
    },
  }
}

const overloaded = () => new ServiceError('overloaded')
const callerHungUp = () => new ServiceError('request_timeout', { detail: 'The caller hung up.' })

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
  const hungUp = () => stop.abort(callerHungUp())
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
