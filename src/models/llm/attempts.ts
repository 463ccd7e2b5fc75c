import { setTimeout as delay } from 'node:timers/promises'
import { APICallError } from 'ai'

/** Waits, and rejects as soon as the signal aborts. */
export type Wait = (milliseconds: number, signal: AbortSignal) => Promise<void>

export const realWait: Wait = async (milliseconds, signal) => {
  await delay(milliseconds, undefined, { signal })
}

export interface RetryParts {
  readonly signal: AbortSignal
  /** Between 0 and 1: spreads retries, so that many callers do not come back at once. */
  readonly random: () => number
  readonly wait: Wait
}

const basePauseMs = 250
/** A server that asks for a longer pause gets no second call: the caller is waiting. */
const longestPauseMs = 2_000

/** Runs once more, after a pause with jitter, when the failure may pass by itself (network, 408, 409, 429, 5xx). */
export async function withOneRetry<T>(attempt: () => Promise<T>, parts: RetryParts): Promise<T> {
  try {
    return await attempt()
  } catch (failure) {
    const pause = pauseBefore(failure, parts)
    if (pause === null) throw failure
    await parts.wait(pause, parts.signal)
    return await attempt()
  }
}

function pauseBefore(failure: unknown, { signal, random }: RetryParts): number | null {
  if (signal.aborted || !APICallError.isInstance(failure) || !failure.isRetryable) return null
  const asked = Number(failure.responseHeaders?.['retry-after'] ?? 0) * 1_000
  const pause = Math.max(Number.isFinite(asked) ? asked : 0, basePauseMs * (0.5 + random()))
  return pause <= longestPauseMs ? pause : null
}
