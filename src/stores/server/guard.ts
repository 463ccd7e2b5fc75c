import { ServiceError } from '../../core/errors.ts'

/** Why an engine does not serve: a closed list, shown in health as `error: <reason>`. */
export type EngineReason =
  | 'starting'
  | 'unreachable'
  | 'timeout'
  | 'credentials rejected'
  | 'overloaded'
  | 'failing'

export type EngineState = 'connected' | EngineReason

export interface GuardOptions {
  /** The specification's name of the engine. */
  readonly engine: 'neo4j' | 'qdrant' | 'redis'
  /** A cheap question that only a working engine answers. */
  readonly probe: (signal: AbortSignal) => Promise<void>
  /** What a failure says about the engine; null when the call itself was at fault. */
  readonly classify: (error: unknown) => EngineReason | null
  readonly timeoutMs?: number
  readonly maxInFlight?: number
  readonly maxWaiting?: number
}

/**
 * Stands between memoryd and one engine: every call has a time limit (timeout), a place in a bounded crowd
 * (bulkhead), and is refused at once while the engine is known to be down (circuit breaker). A probe runs all the
 * time, so that the way back needs no caller and no restart.
 */
export interface EngineGuard {
  /** `limitMs` replaces the usual time limit, for work that is long by nature. */
  call<T>(work: (signal: AbortSignal) => Promise<T>, limitMs?: number): Promise<T>
  state(): EngineState
  /** Probes once now; resolves with the state it found. */
  check(): Promise<EngineState>
  close(): void
}

/** Two calls that fail in a row open the breaker: one may be bad luck, ten would cost every caller a timeout. */
const failuresToOpen = 2
/** A downed engine is asked often, a working one rarely. */
const probeEveryMs = { down: 500, up: 2_000 }

export function createEngineGuard(options: GuardOptions): EngineGuard {
  const { engine, probe, classify, timeoutMs = 1_500, maxInFlight = 64, maxWaiting = 512 } = options
  let state: EngineState = 'starting'
  let failuresInRow = 0
  let closed = false
  let timer: NodeJS.Timeout | undefined
  const crowd = createCrowd(maxInFlight, maxWaiting)

  const unavailable = (reason: EngineReason, cause?: unknown) =>
    new ServiceError('store_unavailable', {
      detail: `The store ${engine} is not available (${reason}); retry later.`,
      cause,
    })

  function note(error: unknown): EngineReason | null {
    const reason = isTimeout(error) ? 'timeout' : classify(error)
    if (reason === null) return null
    failuresInRow += 1
    // A busy engine is no dead one: it is asked on.
    if (reason !== 'overloaded' && (failuresInRow >= failuresToOpen || isCertain(reason))) state = reason
    return reason
  }

  async function check(): Promise<EngineState> {
    try {
      await withTimeout(probe, timeoutMs)
      state = 'connected'
      failuresInRow = 0
    } catch (error) {
      state = isTimeout(error) ? 'timeout' : (classify(error) ?? 'failing')
    }
    return state
  }

  function schedule(): void {
    if (closed) return
    timer = setTimeout(
      () => void check().finally(schedule),
      state === 'connected' ? probeEveryMs.up : probeEveryMs.down,
    )
    timer.unref()
  }
  schedule()

  return {
    state: () => state,
    check,
    async call(work, limitMs = timeoutMs) {
      if (state !== 'connected') throw unavailable(state)
      const leave = await crowd.enter(timeoutMs)
      if (leave === null) throw unavailable('overloaded')
      try {
        const result = await withTimeout(work, limitMs)
        failuresInRow = 0
        return result
      } catch (error) {
        const reason = note(error)
        throw reason === null ? error : unavailable(reason, error)
      } finally {
        leave()
      }
    },
    close() {
      closed = true
      clearTimeout(timer)
    },
  }
}

/** One failure of these is enough: the next call would fail in the same way. */
const isCertain = (reason: EngineReason) => reason === 'unreachable' || reason === 'credentials rejected'

class EngineTimeout extends Error {}

const isTimeout = (error: unknown) => error instanceof EngineTimeout

/** Rejects after the limit even when the work ignores its signal, as a driver on a hung socket does. */
async function withTimeout<T>(work: (signal: AbortSignal) => Promise<T>, timeoutMs: number): Promise<T> {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new EngineTimeout(`no answer within ${timeoutMs} ms`))
      controller.abort()
    }, timeoutMs)
  })
  const running = work(controller.signal)
  running.catch(() => undefined)
  try {
    return await Promise.race([running, limit])
  } finally {
    clearTimeout(timer)
  }
}

/** A bounded number inside, a bounded number waiting; null for those who would wait in vain. */
function createCrowd(maxInside: number, maxWaiting: number) {
  let inside = 0
  const waiting: (() => void)[] = []
  const leave = () => {
    const next = waiting.shift()
    if (next) next()
    else inside -= 1
  }
  return {
    async enter(patienceMs: number): Promise<(() => void) | null> {
      if (inside < maxInside) {
        inside += 1
        return leave
      }
      if (waiting.length >= maxWaiting) return null
      return new Promise((resolve) => {
        const admit = () => {
          clearTimeout(timer)
          resolve(leave)
        }
        const timer = setTimeout(() => {
          const place = waiting.indexOf(admit)
          if (place < 0) return
          waiting.splice(place, 1)
          resolve(null)
        }, patienceMs)
        waiting.push(admit)
      })
    },
  }
}
