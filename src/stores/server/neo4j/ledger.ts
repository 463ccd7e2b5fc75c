import type { Ledger } from '../../../accounts/ports.ts'
import type { Neo4j } from './connection.ts'
import { number } from './values.ts'

/**
 * Setting a property first takes the node's write lock, so that the comparison after it sees what every other
 * transaction has spent: one step, however many processes ask at once.
 */
const queries = {
  reserve: `
    MERGE (b:Budget {id: $budget}) ON CREATE SET b.used = 0.0, b.account = $account, b.month = $month
    SET b.locked = true
    WITH b WHERE $limit IS NULL OR b.used + $ops <= $limit
    SET b.used = b.used + $ops
    CREATE (r:Reservation {id: $id, budget: $budget, ops: $ops, at: timestamp()})
    RETURN r.id AS id`,
  settle: 'MATCH (r:Reservation {id: $id}) DELETE r',
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

const budgetId = (account: string, month: string) => JSON.stringify([account, month])

/**
 * Operations used, in Neo4j. Other processes may be in the middle of their requests when one starts, so only
 * reservations older than `unsettledAfterMs` count as left behind by a crash.
 */
export function createNeo4jLedger(neo4j: Neo4j, { unsettledAfterMs = 120_000 } = {}): Ledger {
  return {
    async reserve({ id, account, month, ops, limit }) {
      const parameters = { id, account, month, ops, limit, budget: budgetId(account, month) }
      return (await neo4j.write(queries.reserve, parameters)).length > 0
    },
    async settle(id) {
      await neo4j.write(queries.settle, { id })
    },
    async refund(id) {
      await neo4j.write(queries.refund, { id })
    },
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
