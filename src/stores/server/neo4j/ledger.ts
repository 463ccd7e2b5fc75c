import type { Ledger } from '../../../accounts/ports.ts'
import { createBatcher } from '../../../core/batch.ts'
import type { Later } from '../later.ts'
import { patiently, withoutPatience } from '../patience.ts'
import type { Neo4j } from './connection.ts'
import { number } from './values.ts'

/**
 * Setting a property first takes the node's write lock, so that what is read after it is what every other
 * transaction has left: one step, however many processes ask at once.
 */
const queries = {
  lock: `
    MERGE (b:Budget {id: $budget}) ON CREATE SET b.used = 0.0, b.account = $account, b.month = $month
    SET b.locked = true
    RETURN b.used AS used`,
  take: `
    MATCH (b:Budget {id: $budget}) SET b.used = $used
    WITH b UNWIND $granted AS reservation
    CREATE (:Reservation {id: reservation.id, budget: $budget, ops: reservation.ops, at: timestamp()})`,
  settle: 'UNWIND $ids AS id MATCH (r:Reservation {id: id}) DELETE r',
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
const lateCommitMs = 3_000

interface Asked {
  readonly id: string
  readonly ops: number
  readonly limit: number | null
}

function reserveTogether(neo4j: Neo4j, month: { budget: string; account: string; month: string }) {
  return (asked: readonly Asked[]) =>
    // Several requests are served here: the patience of one must not end what the others wait for.
    withoutPatience(() =>
      neo4j.transaction(async (run) => {
        const [row] = await run(queries.lock, month)
        if (row === undefined) throw new Error('Neo4j did not return the budget.')
        let used = number(row, 'used')
        const verdicts = asked.map(({ ops, limit }) => {
          const isGranted = limit === null || used + ops <= limit
          if (isGranted) used += ops
          return isGranted
        })
        const granted = asked.filter((_, place) => verdicts[place]).map(({ id, ops }) => ({ id, ops }))
        if (granted.length > 0) await run(queries.take, { budget: month.budget, used, granted })
        return verdicts
      }),
    )
}

export const budgetId = (account: string, month: string) => JSON.stringify([account, month])

/**
 * Operations used, in Neo4j. Other processes may be in the middle of their requests when one starts, so only
 * reservations older than `unsettledAfterMs` count as left behind by a crash.
 */
export function createNeo4jLedger(neo4j: Neo4j, later: Later, { unsettledAfterMs = 120_000 } = {}): Ledger {
  // Requests of one account that come together are one transaction instead of a queue for the same lock.
  const reservers = new Map<string, (asked: Asked) => Promise<boolean>>()
  const settleTogether = createBatcher<string, void>(async (ids) => {
    await withoutPatience(() => neo4j.write(queries.settle, { ids }))
    return ids.map(() => undefined)
  })
  const giveBack = (id: string) =>
    later.attempt(async () => {
      await neo4j.write(queries.refund, { id })
    })
  return {
    async reserve({ id, account, month, ops, limit }) {
      const budget = budgetId(account, month)
      const reserve =
        reservers.get(budget) ?? createBatcher(reserveTogether(neo4j, { budget, account, month }))
      reservers.set(budget, reserve)
      return patiently(() => reserve({ id, ops, limit })).catch((error: unknown) => {
        // It may have been granted after all, or be granted yet.
        giveBack(id).catch(() => undefined)
        setTimeout(() => giveBack(id).catch(() => undefined), lateCommitMs).unref()
        throw error
      })
    },
    settle: (id) => later.attempt(() => settleTogether(id)),
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
