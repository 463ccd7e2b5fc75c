import { createTurns } from '../../core/batch.ts'
import type { Journal } from '../../memory/ports.ts'
import type { Follower } from './follow.ts'
import type { Neo4j } from './neo4j/connection.ts'
import { rememberInGraph } from './neo4j/remember.ts'

/** The graph first, in one transaction with the note of what has to follow; then the vectors; then the answer. */
export function createServerJournal(neo4j: Neo4j, follower: Follower): Journal {
  // Items of one namespace wait for the same lock: better here than inside a transaction.
  const inTurn = createTurns()
  return {
    async remember(namespace, item) {
      const { receipt, marker } = await inTurn(namespace, () =>
        neo4j.transaction((run) => rememberInGraph(run, namespace, item)),
      )
      if (marker !== null) await follower.finish(marker)
      return receipt
    },
  }
}
