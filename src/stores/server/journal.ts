import { createTurns } from '../../core/batch.ts'
import { ServiceError } from '../../core/errors.ts'
import type { ItemReceipt, ItemWrite, Journal } from '../../memory/ports.ts'
import { raceAgainstBudget, resetWaitBudget } from './engine/wait-budget.ts'
import type { Follower, OnStep } from './follow.ts'
import type { Neo4j } from './neo4j/connection.ts'
import { removeKeyedInGraph } from './neo4j/keyed.ts'
import { type Remembered, rememberInGraph } from './neo4j/remember.ts'

/** The graph first, in one transaction with the note of what has to follow; then the vectors; then the answer. */
export function createServerJournal(neo4j: Neo4j, follower: Follower, onStep: OnStep): Journal {
  // Items of one namespace wait for the same lock: better here than inside a transaction.
  const inTurn = createTurns()
  return {
    async remember(namespace, item) {
      let isGivenUp = false
      const write = async () => {
        if (isGivenUp) throw new ServiceError('store_unavailable')
        await onStep('begun')
        let before: Remembered | null = null
        return neo4j.transaction(async (run) => {
          const remembered = await rememberInGraph(run, namespace, item)
          // The answer to a commit was lost, and the driver tried again: it found what it had written.
          if (before !== null && isOwn(remembered, item)) return before
          before = remembered
          return remembered
        })
      }
      const remembered = await raceAgainstBudget(
        () => inTurn(namespace, write),
        neo4j.guard.answersUntil,
      ).catch((error: unknown) => {
        // Its caller has been told so: it must not be written when its turn comes.
        isGivenUp = true
        throw error
      })
      await onStep('graph written')
      if ('written' in remembered && isPlain(remembered.receipt)) await follower.place(remembered.written)
      else if ('written' in remembered) await follower.finish(remembered.written.marker.uid)
      else if (remembered.unfinished !== null) await follower.finish(remembered.unfinished)
      resetWaitBudget()
      return remembered.receipt
    },
    removeKeyed: (namespace, persona, key) =>
      follower.change(namespace, async (run) => {
        const { gone, marked } = await removeKeyedInGraph(run, { namespace, persona, key })
        return { result: gone, marked }
      }),
  }
}

/** Nothing was removed: what was written is all that its points have to say. */
const isPlain = (receipt: ItemReceipt) => receipt.outcome === 'stored' && receipt.removed === undefined

const isOwn = ({ receipt }: Remembered, { chunks }: ItemWrite) =>
  receipt.outcome === 'duplicate' && chunks.some(({ id }) => id === receipt.chunkId)
