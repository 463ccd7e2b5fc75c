import { createTurns } from '../../core/batch.ts'
import type { Journal } from '../../memory/ports.ts'
import type { Follower, OnStep } from './follow.ts'
import type { Neo4j } from './neo4j/connection.ts'
import { rememberInGraph } from './neo4j/remember.ts'
import { renewPatience } from './patience.ts'

/** The graph first, in one transaction with the note of what has to follow; then the vectors; then the answer. */
export function createServerJournal(neo4j: Neo4j, follower: Follower, onStep: OnStep): Journal {
  // Items of one namespace wait for the same lock: better here than inside a transaction.
  const inTurn = createTurns()
  return {
    async remember(namespace, item) {
      const remembered = await inTurn(namespace, async () => {
        await onStep('begun')
        return neo4j.transaction((run) => rememberInGraph(run, namespace, item))
      })
      await onStep('graph written')
      if ('written' in remembered) await follower.place(remembered.written)
      else if (remembered.unfinished !== null) await follower.finish(remembered.unfinished)
      renewPatience()
      return remembered.receipt
    },
  }
}
