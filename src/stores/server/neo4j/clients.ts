import type { ClientCalls, ClientLog } from '../../../accounts/ports.ts'
import { mergedClients } from '../../../accounts/rules.ts'
import type { Neo4j, Row } from './connection.ts'
import { text } from './values.ts'

const queries = {
  // Setting a property first takes the write lock: what is read after it is what the others have left.
  locked: `MATCH (a:Account {name: $account}) MERGE (c:ClientLog {account: a.name}) ON CREATE SET c.clients = '[]'
    SET c.locked = true RETURN c.clients AS clients`,
  save: 'MATCH (c:ClientLog {account: $account}) SET c.clients = $clients',
  of: 'MATCH (c:ClientLog {account: $account}) RETURN c.clients AS clients',
} as const

const clientsOf = (row: Row | undefined): readonly ClientCalls[] =>
  row === undefined ? [] : JSON.parse(text(row, 'clients'))

/** The programs that called last for an account, in one node each. */
export function createNeo4jClientLog(neo4j: Neo4j): ClientLog {
  return {
    add: (account, calls) =>
      neo4j.transaction(async (run) => {
        const [row] = await run(queries.locked, { account })
        // Calls are written after they were made: their account may be gone.
        if (row === undefined) return
        await run(queries.save, { account, clients: JSON.stringify(mergedClients(clientsOf(row), calls)) })
      }),
    of: async (account) => clientsOf((await neo4j.read(queries.of, { account }))[0]),
  }
}
