import { setTimeout as delay } from 'node:timers/promises'
import { ServiceError } from '../../core/errors.ts'
import { patienceLeft, restorePatience, startWaiting } from './patience.ts'

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
/** An engine that answers its probe within this is well. */
const promptMs = 300

export function createEngineGuard(options: GuardOptions): EngineGuard {
  const { engine, probe, classify, timeoutMs = 1_500, maxInFlight = 64, maxWaiting = 512 } = options
  let state: EngineState = 'starting'
  let failuresInRow = 0
  let probeMs = 0
  let closed = false
  let timer: NodeJS.Timeout | undefined
  const crowd = createCrowd(maxInFlight, maxWaiting)

  const unavailable = (reason: EngineReason, cause?: unknown) =>
    new ServiceError('store_unavailable', {
      detail: `The store ${engine} is not available (${reason}); retry later.`,
      cause,
    })

  function note(error: unknown, isCutShort: boolean): EngineReason | null {
    const reason = isTimeout(error) ? 'timeout' : classify(error)
    if (reason === null) return null
    // The request had no time left: that says nothing about what the engine would have done with the usual time.
    if (isCutShort && isTimeout(error)) return reason
    failuresInRow += 1
    // A busy engine is no dead one: it is asked on.
    if (reason !== 'overloaded' && (failuresInRow >= failuresToOpen || isCertain(reason))) state = reason
    return reason
  }

  async function check(): Promise<EngineState> {
    const started = performance.now()
    try {
      await withTimeout(probe, timeoutMs)
      state = 'connected'
      failuresInRow = 0
    } catch (error) {
      state = isTimeout(error) ? 'timeout' : (classify(error) ?? 'failing')
    }
    probeMs = performance.now() - started
    return state
  }

  /** Whether the engine is well, as far as it says at once; null when it takes its time. */
  const answersPromptly = () =>
    Promise.race([check().then((found) => found === 'connected'), delay(promptMs, null, { ref: false })])

  /**
   * Resolves when work that is long by nature should be given up: the engine no longer answers, or only so slowly that
   * the request has waited long enough. An engine that answers its probe at once is busy with the work.
   */
  async function untilHopeless(signal: AbortSignal): Promise<void> {
    for (;;) {
      await delay(probeEveryMs.down, undefined, { signal, ref: false }).catch(() => undefined)
      if (signal.aborted) return
      const isWell = await answersPromptly()
      if (isWell === false || (isWell === null && patienceLeft() <= 0)) return
    }
  }

  async function callLong<T>(work: (signal: AbortSignal) => Promise<T>, limitMs: number): Promise<T> {
    const started = performance.now()
    const done = new AbortController()
    const hopeless = untilHopeless(done.signal).then((): never => {
      throw new EngineTimeout('gave up on long work')
    })
    hopeless.catch(() => undefined)
    try {
      return await Promise.race([withTimeout(work, limitMs), hopeless])
    } catch (error) {
      const reason = note(error, true)
      throw reason === null ? error : unavailable(reason, error)
    } finally {
      done.abort()
      if (probeMs <= promptMs) restorePatience(performance.now() - started)
    }
  }

  async function callShort<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const left = patienceLeft()
    if (left <= 0) throw unavailable('timeout')
    try {
      const result = await withTimeout(work, Math.min(timeoutMs, left))
      failuresInRow = 0
      return result
    } catch (error) {
      const reason = note(error, left < timeoutMs)
      throw reason === null ? error : unavailable(reason, error)
    }
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
      const isLong = limitMs > timeoutMs
      const stopWaiting = startWaiting()
      let leave: (() => void) | null = null
      try {
        leave = await crowd.enter(Math.min(timeoutMs, patienceLeft()))
        if (leave === null) throw unavailable('overloaded')
        return await (isLong ? callLong(work, limitMs) : callShort(work))
      } finally {
        leave?.()
        stopWaiting()
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
    const giveUp = () => {
      reject(new EngineTimeout(`no answer within ${timeoutMs} ms`))
      controller.abort()
    }
    // After a stall of this process timers come before sockets: an answer that has arrived is read first.
    timer = setTimeout(() => setImmediate(giveUp), timeoutMs)
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
