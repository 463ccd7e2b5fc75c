import type { CommandTable, EngineContext } from './context.ts'
import type { WireFailure } from './failures.ts'
import type { Reserve } from './reserve.ts'
import { type Outcome, type Request, runWrites } from './transactions.ts'

export interface WriterParts {
  readonly context: EngineContext
  readonly table: CommandTable
  /** The commands that make the store larger; the others must work on a full disk too. */
  readonly growing: ReadonlySet<string>
  /** Null: no space is kept. */
  readonly reserve: Reserve | null
  /** Makes what room it can. */
  onFull?(): void
}

export interface Writer {
  run(requests: readonly Request[]): readonly Outcome[]
}

const full: WireFailure = {
  name: 'ServiceError',
  message: 'storage_full',
  service: { code: 'storage_full', facts: {} },
}

/**
 * Runs groups of writes. When the disk is full it gives up the reserve, so that everything but growing goes on, and
 * refuses to grow until the reserve can be taken again, or deleting has made as much room inside the file.
 */
export function createWriter({ context, table, growing, reserve, onFull }: WriterParts): Writer {
  let held = reserve?.take() ?? true

  const giveUpReserve = () => {
    held = false
    reserve?.release()
    onFull?.()
    // The log holds pages that had no room in the file; moving them there frees the log's own space.
    try {
      context.db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch {
      // Another program took the space: what waits for it will fail with the reason.
    }
  }
  const mayGrow = () => {
    if (reserve === null) return true
    held = reserve.take()
    return held || reusableBytes(context) >= reserve.bytes
  }
  const runAll = (requests: readonly Request[]): readonly Outcome[] => {
    const outcomes = requests.length === 0 ? [] : runWrites(context, table, requests)
    if (reserve === null || !held || !outcomes.some(isFull)) return outcomes
    giveUpReserve()
    const failed = new Set(outcomes.filter(isFull).map(({ id }) => id))
    const again = requests.filter(({ id, name }) => failed.has(id) && !growing.has(name))
    const second = new Map(runWrites(context, table, again).map((outcome) => [outcome.id, outcome]))
    return outcomes.map((outcome) => second.get(outcome.id) ?? outcome)
  }

  return {
    run: (requests) => {
      if (held || mayGrow()) return runAll(requests)
      const allowed = requests.filter(({ name }) => !growing.has(name))
      const refused = requests.filter(({ name }) => growing.has(name))
      return [...runAll(allowed), ...refused.map(({ id }) => ({ id, ok: false as const, failure: full }))]
    },
  }
}

/** What deleted rows left inside the file. */
function reusableBytes({ prepare }: EngineContext): number {
  const sql = 'SELECT freelist_count * page_size AS bytes FROM pragma_freelist_count, pragma_page_size'
  return Number(prepare(sql).get()?.bytes)
}

function isFull(outcome: Outcome): boolean {
  return !outcome.ok && outcome.failure.service?.code === 'storage_full'
}
