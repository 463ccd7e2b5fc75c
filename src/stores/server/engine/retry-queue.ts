import { ServiceError } from '../../../core/errors.ts'
import { isRequest, withoutWaitBudget } from './wait-budget.ts'

/** Bookkeeping after a request: tried now, and again while its engine is away, so that it never waits for a restart. */
export interface RetryQueue {
  /** Resolves when it is done. A request waits a moment at most; the work goes on. Rejects when it failed and was put off. */
  attempt(work: () => Promise<void>): Promise<void>
  /** Tries what was put off. Rejects when the engine is still away; the rest stays. */
  retry(): Promise<void>
}

/** What a request that has failed already still waits for. */
const waitedMs = 500
/** Each is some bytes; beyond this the oldest goes, and is found as abandoned later. */
const mostKept = 100_000

export function createRetryQueue(): RetryQueue {
  const kept = new Set<() => Promise<void>>()
  async function run(work: () => Promise<void>): Promise<void> {
    await work()
    kept.delete(work)
  }
  return {
    async attempt(work) {
      kept.add(work)
      const [oldest] = kept
      if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
      const isWaitedFor = isRequest()
      const done = withoutWaitBudget(() => run(work))
      // Nobody may be waiting any more when it fails; it is tried again.
      done.catch(() => undefined)
      await (isWaitedFor ? Promise.race([done, moment()]) : done)
    },
    async retry() {
      for (const work of [...kept]) {
        await run(work).catch((error: unknown) => {
          if (error instanceof ServiceError && error.code === 'store_unavailable') throw error
          // Trying again would not help, and must not stand in the way of the others.
          kept.delete(work)
        })
      }
    },
  }
}

const moment = () => new Promise<void>((resolve) => setTimeout(resolve, waitedMs).unref())
