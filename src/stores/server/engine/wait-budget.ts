import { AsyncLocalStorage } from 'node:async_hooks'
import { ServiceError } from '../../../core/errors.ts'

/** What a request has left to wait for engines. Calls that wait side by side count once. */
interface WaitBudget {
  leftMs: number
  chargedUntil: number
}

const current = new AsyncLocalStorage<WaitBudget>()

/**
 * Together with what is computed, and with what an engine is believed to be well after its last answer, below the five
 * seconds in which requests are answered while an engine is away.
 */
const requestBudgetMs = 2_800

/** Runs a request: its calls to engines may wait so long in all. What it leaves running afterwards is not bound. */
export async function withWaitBudget<T>(work: () => Promise<T>, budgetMs = requestBudgetMs): Promise<T> {
  const budget: WaitBudget = { leftMs: budgetMs, chargedUntil: 0 }
  try {
    return await current.run(budget, work)
  } finally {
    budget.leftMs = Number.POSITIVE_INFINITY
  }
}

/** Runs what several requests share: none of them may run out of time for the others. */
export function withoutWaitBudget<T>(work: () => T): T {
  return current.exit(work)
}

/** Whether the work at hand belongs to a request that somebody waits for. */
export function isRequest(): boolean {
  return (current.getStore()?.leftMs ?? Number.POSITIVE_INFINITY) < Number.POSITIVE_INFINITY
}

export interface Wait {
  /** Milliseconds that it may go on; infinite outside of a request. */
  left(): number
  end(): void
}

/**
 * Begins to wait for an engine. What is waited before `answersUntil`, while the engine is known to be at work, is free:
 * then the deadline of the request is the only limit.
 */
export function startWaiting(answersUntil: () => number): Wait {
  const budget = current.getStore()
  if (budget === undefined) return { left: () => Number.POSITIVE_INFINITY, end: () => undefined }
  const started = performance.now()
  const charge = () => Math.max(0, performance.now() - Math.max(started, budget.chargedUntil, answersUntil()))
  return {
    left: () => budget.leftMs - charge(),
    end() {
      budget.leftMs -= charge()
      budget.chargedUntil = performance.now()
    },
  }
}

/** Calls `giveUp` when no time is left; `left` is asked again then, because it may have grown. The result cancels it. */
export function whenOver(left: () => number, giveUp: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  const look = () => {
    const milliseconds = left()
    if (milliseconds <= 0) giveUp()
    else if (milliseconds < Number.POSITIVE_INFINITY) timer = setTimeout(look, Math.ceil(milliseconds))
  }
  look()
  return () => clearTimeout(timer)
}

/** Something was written: the next item of a batch may wait as long as the first. */
export function resetWaitBudget(): void {
  const budget = current.getStore()
  if (budget === undefined) return
  budget.leftMs = requestBudgetMs
  budget.chargedUntil = performance.now()
}

/** Waits for work that is shared with other requests, no longer than the request at hand may. */
export async function raceAgainstBudget<T>(work: () => Promise<T>, answersUntil: () => number): Promise<T> {
  const wait = startWaiting(answersUntil)
  let cancel = () => {}
  const limit = new Promise<never>((_, reject) => {
    cancel = whenOver(wait.left, () => reject(new ServiceError('store_unavailable')))
  })
  try {
    return await Promise.race([work(), limit])
  } finally {
    cancel()
    wait.end()
  }
}
