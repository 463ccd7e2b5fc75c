import { AsyncLocalStorage } from 'node:async_hooks'
import { ServiceError } from '../../core/errors.ts'

/** What a request has left to wait for engines. Calls that wait side by side count once. */
interface Patience {
  leftMs: number
  waiting: number
  since: number
}

const current = new AsyncLocalStorage<Patience>()

/** Together with what is computed and given back meanwhile, below the five seconds in which requests are answered. */
const requestPatienceMs = 3_500

/** Runs a request: its calls to engines may wait so long in all. What it leaves running afterwards is not bound. */
export async function withPatience<T>(work: () => Promise<T>, patienceMs = requestPatienceMs): Promise<T> {
  const patience: Patience = { leftMs: patienceMs, waiting: 0, since: 0 }
  try {
    return await current.run(patience, work)
  } finally {
    patience.leftMs = Number.POSITIVE_INFINITY
  }
}

/** Runs what several requests share: none of them may run out of patience for the others. */
export function withoutPatience<T>(work: () => T): T {
  return current.exit(work)
}

/** Milliseconds that the request at hand may still wait; infinite outside of one. */
export function patienceLeft(): number {
  const patience = current.getStore()
  if (patience === undefined) return Number.POSITIVE_INFINITY
  return patience.leftMs - (patience.waiting > 0 ? performance.now() - patience.since : 0)
}

/** Counts the time until the result is called as waited for an engine. */
export function startWaiting(): () => void {
  const patience = current.getStore()
  if (patience === undefined) return () => undefined
  if (patience.waiting === 0) patience.since = performance.now()
  patience.waiting += 1
  return () => {
    patience.waiting -= 1
    if (patience.waiting === 0) patience.leftMs -= performance.now() - patience.since
  }
}

/** Gives back time that was waited for work and not for a slow engine. */
export function restorePatience(milliseconds: number): void {
  const patience = current.getStore()
  if (patience !== undefined) patience.leftMs += milliseconds
}

/** Something was written: the next item of a batch may wait as long as the first. */
export function renewPatience(): void {
  const patience = current.getStore()
  if (patience === undefined) return
  patience.leftMs = requestPatienceMs
  patience.since = performance.now()
}

/** Waits for work that is shared with other requests, no longer than the request at hand may. */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  const left = patienceLeft()
  if (left === Number.POSITIVE_INFINITY) return work()
  const stopWaiting = startWaiting()
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ServiceError('store_unavailable')), Math.max(0, left))
  })
  try {
    return await Promise.race([work(), limit])
  } finally {
    clearTimeout(timer)
    stopWaiting()
  }
}
