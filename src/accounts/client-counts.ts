import type { Clock } from '../core/clock.ts'
import type { ClientCalls, ClientLog } from './ports.ts'
import { mergedClients } from './rules.ts'

/** Counts calls by the program that made them, in memory, and writes them together: no call waits for the store. */
export interface ClientCounts {
  note(account: string, client: string): void
  /** The last caller first, calls of this moment included. */
  of(account: string): Promise<readonly ClientCalls[]>
  /** Writes what is counted in memory only. */
  flush(): Promise<void>
}

/** The most that a crash can lose. */
const writeDelayMs = 10_000

export function createClientCounts(
  log: ClientLog,
  { clock, report }: { readonly clock: Clock; readonly report: (error: unknown) => void },
): ClientCounts {
  /** Bounded: of an account as many as are kept, and accounts are made by the operator. */
  let counted = new Map<string, readonly ClientCalls[]>()
  let timer: NodeJS.Timeout | null = null
  let flushed = Promise.resolve()

  const add = (account: string, calls: readonly ClientCalls[]) =>
    counted.set(account, mergedClients(counted.get(account) ?? [], calls))
  const write = async () => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    const entries = counted
    counted = new Map()
    for (const [account, calls] of entries) {
      await log.add(account, calls).catch((error: unknown) => {
        add(account, calls)
        throw error
      })
    }
  }
  // One after the other: whoever waits for a flush has waited for those before it.
  const flush = () => {
    flushed = flushed.catch(() => {}).then(write)
    return flushed
  }
  return {
    note: (account, client) => {
      add(account, [{ client, calls: 1, lastAt: clock.now() }])
      timer ??= setTimeout(() => flush().catch(report), writeDelayMs).unref()
    },
    of: async (account) => {
      await flush()
      return log.of(account)
    },
    flush,
  }
}
