import type { EngineContext } from '../engine/context.ts'

/** How many changes an index may be behind before it is read anew: far more than one command makes, mostly. */
const keptChanges = 100_000

/** Keeps the log of changes short; an index that missed what is cut off notices, and loads itself again. */
export function trimChanges({ prepare }: EngineContext): void {
  prepare('DELETE FROM memory_change WHERE change <= (SELECT max(change) FROM memory_change) - ?').run(
    keptChanges,
  )
}
