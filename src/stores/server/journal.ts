import { LRUCache } from 'lru-cache'
import { createBatcher } from '../../core/batch.ts'
import { ServiceError } from '../../core/errors.ts'
import type { Namespace } from '../../core/ids.ts'
import type { ItemReceipt, ItemWrite, Journal } from '../../memory/ports.ts'
import { raceAgainstBudget, resetWaitBudget, withoutWaitBudget } from './engine/wait-budget.ts'
import type { Follower, OnStep } from './follow.ts'
import type { Neo4j } from './neo4j/connection.ts'
import { removeKeyedInGraph } from './neo4j/keyed.ts'
import { type Remembered, rememberInGraph } from './neo4j/remember.ts'

/** Items of one namespace that are written in one transaction. More would keep the first of them waiting. */
const mostTogether = 16

/** Namespaces in which somebody writes: of one that is left out here, two may write side by side and wait for the lock. */
const mostNamespaces = 1_000

/** An item that waits to be written. */
interface Waiting {
  readonly item: ItemWrite
  /** Its caller has been told so: it must not be written when its turn comes. */
  isGivenUp: boolean
}

type Outcome = PromiseSettledResult<Remembered>

/** The graph first, in one transaction with the note of what has to follow; then the vectors; then the answer. */
export function createServerJournal(neo4j: Neo4j, follower: Follower, onStep: OnStep): Journal {
  const write = (namespace: Namespace, items: readonly ItemWrite[]): Promise<readonly Remembered[]> => {
    const before: Remembered[] = []
    return neo4j.transaction(async (run) => {
      for (const [at, item] of items.entries()) {
        const remembered = await rememberInGraph(run, namespace, item)
        // The answer to a commit was lost, and the driver tried again: it found what it had written.
        if (before[at] === undefined || !isOwn(remembered, item)) before[at] = remembered
      }
      return before
    })
  }
  const writeAlone = async (namespace: Namespace, { item, isGivenUp }: Waiting): Promise<Remembered> => {
    if (isGivenUp) throw new ServiceError('store_unavailable')
    const [remembered] = await write(namespace, [item])
    if (remembered === undefined) throw new Error('Neo4j did not say what became of an item.')
    return remembered
  }
  /** All that wait, in one transaction: begin and commit take as long as what is between them. */
  const writeWaiting = async (
    namespace: Namespace,
    waiting: readonly Waiting[],
  ): Promise<readonly Outcome[]> => {
    await onStep('begun')
    if (waiting.length > 1 && !waiting.some(({ isGivenUp }) => isGivenUp)) {
      const together = await write(
        namespace,
        waiting.map(({ item }) => item),
      ).catch((error: unknown) => {
        if (error instanceof ServiceError && error.code === 'store_unavailable') throw error
        // One of them is at fault, and the others must not suffer for it.
        return null
      })
      if (together !== null) return together.map((value) => ({ status: 'fulfilled', value }))
    }
    const outcomes: Outcome[] = []
    for (const one of waiting) outcomes.push(...(await Promise.allSettled([writeAlone(namespace, one)])))
    return outcomes
  }
  // Items of one namespace wait for the same lock: better here than inside a transaction.
  const writers = new LRUCache<Namespace, (one: Waiting) => Promise<Outcome>>({ max: mostNamespaces })
  const writerOf = (namespace: Namespace) => {
    const known = writers.get(namespace)
    if (known !== undefined) return known
    const writer = createBatcher(
      (waiting: readonly Waiting[]) => withoutWaitBudget(() => writeWaiting(namespace, waiting)),
      mostTogether,
    )
    writers.set(namespace, writer)
    return writer
  }
  return {
    async remember(namespace, item) {
      const waiting: Waiting = { item, isGivenUp: false }
      const outcome = await raceAgainstBudget(
        () => writerOf(namespace)(waiting),
        neo4j.guard.answersUntil,
      ).catch((error: unknown) => {
        waiting.isGivenUp = true
        throw error
      })
      if (outcome.status === 'rejected') throw outcome.reason
      const remembered = outcome.value
      await onStep('graph written')
      if ('written' in remembered && isPlain(item, remembered.receipt))
        await follower.place(remembered.written)
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

/** Nothing was removed or opened again: what was written is all that its points have to say. */
const isPlain = ({ undoes }: ItemWrite, receipt: ItemReceipt) =>
  undoes === undefined && receipt.outcome === 'stored' && receipt.removed === undefined

const isOwn = ({ receipt }: Remembered, { chunks }: ItemWrite) =>
  receipt.outcome === 'duplicate' && chunks.some(({ id }) => id === receipt.chunkId)
