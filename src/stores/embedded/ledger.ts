import type { Ledger } from '../../accounts/ports.ts'
import type { MonthlyOps } from './commands/ledger.ts'
import type { Engine } from './engine/engine.ts'

/** The most that a crash can lose of an unlimited account's count. */
const countingDelayMs = 1_000

export interface EmbeddedLedger extends Ledger {
  /** Writes what is counted in memory only; to be called before the engine closes. */
  flush(): Promise<void>
}

/**
 * The ledger in the embedded store. Limited reservations are on disk before they are granted. Unlimited ones have
 * nothing to refuse: they are counted in memory and written once a second, so that no call waits for the disk.
 */
export function createEmbeddedLedger(engine: Engine, report: (error: unknown) => void): EmbeddedLedger {
  const unlimited = new Map<string, MonthlyOps>()
  let counted: MonthlyOps[] = []
  let timer: NodeJS.Timeout | null = null

  let flushed = Promise.resolve()

  const writeCounted = async () => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    const entries = summed(counted)
    counted = []
    if (entries.length === 0) return
    try {
      await engine.write('ledger.count', entries)
    } catch (error) {
      counted.push(...entries)
      throw error
    }
  }
  // One after the other: whoever waits for a flush has waited for those before it.
  const flush = () => {
    flushed = flushed.catch(() => {}).then(writeCounted)
    return flushed
  }
  const count = (entry: MonthlyOps) => {
    counted.push(entry)
    timer ??= setTimeout(() => flush().catch(report), countingDelayMs).unref()
  }

  return {
    reserve: async ({ id, account, month, ops, limit }) => {
      if (limit !== null) return engine.write('ledger.reserve', { id, account, month, ops, limit })
      unlimited.set(id, { account, month, ops })
      count({ account, month, ops })
      return true
    },
    settle: async (id) => {
      if (!unlimited.delete(id)) await engine.write('ledger.settle', id)
    },
    refund: async (id) => {
      const entry = unlimited.get(id)
      if (entry === undefined) return engine.write('ledger.refund', id)
      unlimited.delete(id)
      count({ ...entry, ops: -entry.ops })
    },
    used: async (account, month) => {
      await flush()
      return engine.read('ledger.used', { account, month })
    },
    refundUnsettled: () => engine.write('ledger.refundUnsettled'),
    flush,
  }
}

/** One entry per account and month; they are few, the calls are many. */
function summed(entries: readonly MonthlyOps[]): MonthlyOps[] {
  const groups = Map.groupBy(entries, ({ account, month }) => JSON.stringify([account, month]))
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    const ops = group.reduce((total, entry) => total + entry.ops, 0)
    return first === undefined || ops === 0 ? [] : [{ ...first, ops }]
  })
}
