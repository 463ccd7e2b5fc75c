import type { ClientCalls } from './ports.ts'

/** A rate limit holds in any so many seconds. */
export const windowSeconds = 60

/**
 * Calls are decided in another order than they came in, and the clocks of two processes differ: a time so little before
 * the newest one is taken for the newest. What lies further back is a clock that was set back.
 */
export const outOfOrderSeconds = 5

/** The reply to an idempotency key is kept for so long. */
export const idempotencySeconds = 24 * 3_600

const keptClients = 20

/** What is known of the programs of an account with what came since: the last callers, the last one first. */
export function mergedClients(
  known: readonly ClientCalls[],
  added: readonly ClientCalls[],
): readonly ClientCalls[] {
  const byName = Map.groupBy([...known, ...added], ({ client }) => client)
  return [...byName]
    .map(([client, calls]) => ({
      client,
      calls: calls.reduce((sum, entry) => sum + entry.calls, 0),
      lastAt: Math.max(...calls.map(({ lastAt }) => lastAt)),
    }))
    .toSorted((a, b) => b.lastAt - a.lastAt || (a.client < b.client ? -1 : 1))
    .slice(0, keptClients)
}
