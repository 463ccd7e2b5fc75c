import type { Ledger } from '../../../accounts/ports.ts'
import { createBatcher } from '../../../core/batch.ts'
import type { RetryQueue } from '../engine/retry-queue.ts'
import { raceAgainstBudget, withoutWaitBudget } from '../engine/wait-budget.ts'
import type { Neo4j } from './connection.ts'
import { plannedOnce } from './schema.ts'
import { number } from './values.ts'

/**
 * Setting a property first takes the node's write lock, so that what is read after it is what every other
 * transaction has left: one step, however many processes ask at once. What is known already was granted by an earlier
 * try of the same call whose answer was lost. Lists come in a map: Neo4j makes a plan for every size of those that do not.
 */
const queries = {
  reserve: `${plannedOnce}
    MERGE (b:Budget {id: $batch.budget}) ON CREATE SET b.used = 0.0, b.account = $batch.account, b.month = $batch.month
    SET b.locked = true
    WITH b, COLLECT { UNWIND $batch.asked AS asked MATCH (r:Reservation {id: asked.id}) RETURN r.id } AS known
    WITH b, known, [asked IN $batch.asked WHERE NOT asked.id IN known] AS fresh
    WITH b, known, fresh, reduce(taken = {used: b.used, ids: []}, asked IN fresh |
      CASE WHEN asked.limit IS NULL OR taken.used + asked.ops <= asked.limit
        THEN {used: taken.used + asked.ops, ids: taken.ids + asked.id} ELSE taken END) AS taken
    SET b.used = taken.used
    FOREACH (granted IN [asked IN fresh WHERE asked.id IN taken.ids] |
      CREATE (:Reservation {id: granted.id, budget: $batch.budget, ops: granted.ops, at: timestamp()}))
    RETURN known + taken.ids AS granted`,
  settle: `${plannedOnce} UNWIND $batch.ids AS id MATCH (r:Reservation {id: id}) DELETE r`,
  refund: `
    MATCH (r:Reservation {id: $id})
    SET r.locked = true
    WITH r, r.ops AS ops, r.budget AS budget
    DELETE r
    WITH ops, budget
    MATCH (b:Budget {id: budget}) SET b.used = b.used - ops`,
  used: 'MATCH (b:Budget {id: $budget}) RETURN b.used AS used',
  unsettled: `
    MATCH (r:Reservation) WHERE r.at <= timestamp() - $olderThanMs
    SET r.locked = true
    WITH r, r.ops AS ops, r.budget AS budget
    DELETE r
    WITH ops, budget
    MATCH (b:Budget {id: budget}) SET b.used = b.used - ops
    RETURN count(*) AS refunded`,
} as const

/** A transaction that was given up can still be committed for so long: its own limit ends it by then. */
const lateCommitMs = 5_000

interface Asked {
  readonly id: string
  readonly ops: number
  readonly limit: number | null
}

function reserveTogether(neo4j: Neo4j, month: { budget: string; account: string; month: string }) {
  return (asked: readonly Asked[]) =>
    // Several requests are served here: the budget of one must not end what the others wait for.
    withoutWaitBudget(async () => {
      const [row] = await neo4j.write(queries.reserve, { batch: { ...month, asked } })
      if (!Array.isArray(row?.granted)) throw new Error('Neo4j did not say what it granted.')
      const granted = new Set(row.granted)
      return asked.map(({ id }) => granted.has(id))
    })
}

export const budgetId = (account: string, month: string) => JSON.stringify([account, month])

/**
 * Operations used, in Neo4j. Other processes may be in the middle of their requests when one starts, so only
 * reservations older than `unsettledAfterMs` count as left behind by a crash.
 */
export function createNeo4jLedger(
  neo4j: Neo4j,
  retries: RetryQueue,
  { unsettledAfterMs = 120_000 } = {},
): Ledger {
  // Requests of one account that come together are one transaction instead of a queue for the same lock.
  const reservers = new Map<string, (asked: Asked) => Promise<boolean>>()
  const settleTogether = createBatcher<string, void>(async (ids) => {
    await withoutWaitBudget(() => neo4j.write(queries.settle, { batch: { ids } }))
    return ids.map(() => undefined)
  })
  const giveBack = (id: string) =>
    retries.attempt(async () => {
      await neo4j.write(queries.refund, { id })
    })
  /** It may have been granted after all, or be granted yet: not before it has left the queue is anything there to give back. */
  async function takeBack(id: string, asked: Promise<boolean>): Promise<void> {
    await asked.catch(() => undefined)
    giveBack(id).catch(() => undefined)
    setTimeout(() => giveBack(id).catch(() => undefined), lateCommitMs).unref()
  }
  return {
    async reserve({ id, account, month, ops, limit }) {
      const budget = budgetId(account, month)
      const reserve =
        reservers.get(budget) ?? createBatcher(reserveTogether(neo4j, { budget, account, month }))
      reservers.set(budget, reserve)
      const asked = reserve({ id, ops, limit })
      return raceAgainstBudget(() => asked, neo4j.guard.answersUntil).catch((error: unknown) => {
        void takeBack(id, asked)
        throw error
      })
    },
    settle: (id) => retries.attempt(() => settleTogether(id)),
    refund: (id) => giveBack(id),
    async used(account, month) {
      const [row] = await neo4j.read(queries.used, { budget: budgetId(account, month) })
      return row === undefined ? 0 : number(row, 'used')
    },
    async refundUnsettled() {
      const [row] = await neo4j.write(queries.unsettled, { olderThanMs: unsettledAfterMs })
      return row === undefined ? 0 : number(row, 'refunded')
    },
  }
}
