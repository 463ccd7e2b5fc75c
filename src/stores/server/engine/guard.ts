import { setTimeout as delay } from 'node:timers/promises'
import { ServiceError } from '../../../core/errors.ts'
import { createBulkhead } from './bulkhead.ts'
import { startWaiting, type Wait, whenOver } from './wait-budget.ts'

/** Why an engine does not serve: a closed list, shown in health as `error: <reason>`. */
export type EngineReason =
  | 'starting'
  | 'unreachable'
  | 'timeout'
  | 'credentials rejected'
  | 'overloaded'
  | 'rebuilding'
  | 'failing'

export type EngineState = 'connected' | EngineReason

export interface GuardOptions {
  /** The specification's name of the engine. */
  readonly engine: 'neo4j' | 'qdrant' | 'redis'
  /** A cheap question that only a working engine answers. */
  readonly probe: (signal: AbortSignal) => Promise<void>
  /** What a failure says about the engine; null when the call itself was at fault. */
  readonly classify: (error: unknown) => EngineReason | null
  /** The longest a call may take on an engine that does not answer its probe, unless the request has less time left. */
  readonly timeoutMs: number
  /** A call that takes longer had too many others beside it. */
  readonly slowMs: number
  /** An engine that leaves its probe unanswered for so long is down. */
  readonly silenceMs?: number
  /** The longest a call may take, however well the engine is. */
  readonly longestMs?: number
}

/**
 * Stands between memoryd and one engine: every call has a time limit and a place among a bounded number (bulkhead), and
 * is refused at once while the engine is known to be down (circuit breaker). Only the probe opens and closes the
 * circuit: calls that fail or take long make it ask at once, but a slow engine that answers its probe is not a dead one.
 */
export interface EngineGuard {
  /** `limitMs` replaces the usual time limit, for work that is long by nature. */
  call<T>(work: (signal: AbortSignal) => Promise<T>, limitMs?: number): Promise<T>
  state(): EngineState
  /** How often the engine was lost since the start. */
  outages(): number
  /** Until when the engine counts as at work, however long its calls take: it has answered its probe at once. */
  answersUntil(): number
  /** Probes now, or joins the probe under way; resolves with the state it found. */
  check(): Promise<EngineState>
  close(): void
}

/** How long after one probe the next is sent. */
const probeEveryMs = 500
/** An engine that answers its probe within this is well: it is busy, and not away or at the end of a slow network. */
const promptMs = 600
/** A caller whose call has failed waits so long for the probe. */
const noticedMs = 300
/** By then the next answer is due. */
const believedMs = probeEveryMs + promptMs
/** What an engine takes longer for is not worth waiting for. */
export const longestCallMs = 30_000

export function createEngineGuard(options: GuardOptions): EngineGuard {
  const { engine, probe, classify, timeoutMs, slowMs, silenceMs = 5_000, longestMs = longestCallMs } = options
  let state: EngineState = 'starting'
  let outages = 0
  let promptAt = Number.NEGATIVE_INFINITY
  let closed = false
  let timer: NodeJS.Timeout | undefined
  let checking: Promise<EngineState> | null = null
  const bulkhead = createBulkhead({ slowMs })
  const answersUntil = () => promptAt + believedMs

  const unavailable = (reason: EngineReason, cause?: unknown) =>
    new ServiceError('store_unavailable', {
      detail: `The store ${engine} is not available (${reason}); retry later.`,
      cause,
    })

  const reasonOf = (error: unknown) => (error instanceof EngineTimeout ? 'timeout' : classify(error))

  async function ask(): Promise<EngineState> {
    const started = performance.now()
    const found = await withTimeout(probe, () => started + silenceMs - performance.now()).then(
      () => 'connected' as const,
      (error: unknown) => reasonOf(error) ?? 'failing',
    )
    const isPrompt = performance.now() - started <= promptMs
    if (found === 'connected' && isPrompt) promptAt = performance.now()
    const isUp = found === 'connected' || found === 'overloaded'
    if (!isUp && state === 'connected') outages += 1
    state = isUp ? 'connected' : found
    return state
  }

  function check(): Promise<EngineState> {
    checking ??= ask().finally(() => {
      checking = null
    })
    return checking
  }

  /**
   * What the caller is told of a failed call. The probe finds out whether the engine is lost; it is waited for a moment,
   * so that health knows of it when the caller does.
   */
  async function failureOf(error: unknown): Promise<unknown> {
    if (error instanceof ServiceError) return error
    const reason = reasonOf(error)
    if (reason === null) return error
    if (reason !== 'overloaded') await Promise.race([check(), delay(noticedMs, null, { ref: false })])
    return unavailable(reason, error)
  }

  /**
   * Resolves when work that is long by nature should be given up: the engine no longer answers, or only so slowly that
   * the request has waited long enough. An engine that answers its probe at once is busy with the work.
   */
  async function untilUnresponsive(wait: Wait, signal: AbortSignal): Promise<void> {
    for (;;) {
      await delay(probeEveryMs, undefined, { signal, ref: false }).catch(() => undefined)
      if (signal.aborted) return
      const found = await Promise.race([check(), delay(promptMs, 'late' as const, { ref: false })])
      if (found === 'late' ? wait.left() <= 0 : found !== 'connected') return
    }
  }

  async function callLong<T>(work: Work<T>, wait: Wait, limitMs: number): Promise<T> {
    const started = performance.now()
    const done = new AbortController()
    const unresponsive = untilUnresponsive(wait, done.signal)
    try {
      return await withTimeout(work, () => started + limitMs - performance.now(), unresponsive)
    } finally {
      done.abort()
    }
  }

  async function callShort<T>(work: Work<T>, wait: Wait): Promise<T> {
    if (wait.left() <= 0) throw unavailable('timeout')
    const started = performance.now()
    const limit = () => Math.min(Math.max(started, answersUntil()) + timeoutMs, started + longestMs)
    return withTimeout(work, () => Math.min(limit() - performance.now(), wait.left()))
  }

  function schedule(): void {
    if (closed) return
    timer = setTimeout(() => void check().finally(schedule), probeEveryMs)
    timer.unref()
  }
  schedule()

  return {
    state: () => state,
    outages: () => outages,
    answersUntil,
    check,
    async call(work, limitMs = timeoutMs) {
      if (state !== 'connected') throw unavailable(state)
      const isLong = limitMs > timeoutMs
      const wait = startWaiting(answersUntil)
      try {
        const leave = await bulkhead.enter(wait.left)
        if (leave === null) throw unavailable('overloaded')
        const started = performance.now()
        try {
          return await (isLong ? callLong(work, wait, limitMs) : callShort(work, wait))
        } catch (error) {
          throw await failureOf(error)
        } finally {
          leave(isLong ? null : performance.now() - started)
        }
      } finally {
        wait.end()
      }
    },
    close() {
      closed = true
      clearTimeout(timer)
    },
  }
}

class EngineTimeout extends Error {}

type Work<T> = (signal: AbortSignal) => Promise<T>

/**
 * Rejects when no time is left, or when `givenUp` resolves, even when the work ignores its signal, as a driver on a hung
 * socket does.
 */
async function withTimeout<T>(work: Work<T>, left: () => number, givenUp?: Promise<void>): Promise<T> {
  const controller = new AbortController()
  let cancel = () => {}
  const limit = new Promise<never>((_, reject) => {
    const giveUp = () => {
      reject(new EngineTimeout('no answer in time'))
      controller.abort()
    }
    // After a stall of this process timers come before sockets: an answer that has arrived is read first.
    cancel = whenOver(left, () => setImmediate(giveUp))
    void givenUp?.then(giveUp)
  })
  const running = work(controller.signal)
  running.catch(() => undefined)
  try {
    return await Promise.race([running, limit])
  } finally {
    cancel()
  }
}
