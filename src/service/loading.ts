import { setTimeout as wait } from 'node:timers/promises'
import { errorFacts, type Log } from '../observe/log.ts'
import { ModelMismatch } from './memory.ts'

/** Pauses between attempts, the last one repeated: what comes back is noticed within seconds, the log stays short. */
const pausesMs = [500, 1_000, 2_000, 3_000]

export interface LoadingParts {
  readonly log: Log
  readonly signal: AbortSignal
  /** What the log says of a failure, and what helps. */
  readonly complaint: string
  /** Told of every failure. */
  readonly onFailure?: () => void
}

/** Tries until it works, or until the signal ends it; each failure is logged with what to do. */
export async function untilLoaded<T>(
  load: () => Promise<T>,
  { log, signal, complaint, onFailure }: LoadingParts,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      signal.throwIfAborted()
      return await load()
    } catch (error) {
      signal.throwIfAborted()
      // Trying again does not help, and the message says what does.
      if (error instanceof ModelMismatch) throw error
      const pauseMs = pausesMs[Math.min(attempt, pausesMs.length - 1)] ?? 3_000
      onFailure?.()
      log.error({ attempt: attempt + 1, retry_in_s: pauseMs / 1000, ...errorFacts(error) }, complaint)
      await wait(pauseMs, undefined, { signal })
    }
  }
}
