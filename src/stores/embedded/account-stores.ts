import type { AccountStores } from '../../accounts/ports.ts'
import type { NewId } from '../../core/ids.ts'
import { createEmbeddedAccountStore } from './accounts.ts'
import type { Engine } from './engine/engine.ts'
import { createEmbeddedIdempotencyStore } from './idempotency.ts'
import { createEmbeddedLedger } from './ledger.ts'
import { createMemoryRateWindow } from './rate-window.ts'

export interface EmbeddedAccountStores extends AccountStores {
  /** Writes the counts that are in memory only; to be called before the engine closes. */
  flush(): Promise<void>
}

/** Everything accounts keep, in the embedded store. `report` hears of counts that could not be written. */
export function createEmbeddedAccountStores(
  engine: Engine,
  { newId, report }: { readonly newId: NewId; readonly report: (error: unknown) => void },
): EmbeddedAccountStores {
  const ledger = createEmbeddedLedger(engine, report)
  return {
    accounts: createEmbeddedAccountStore(engine, newId),
    ledger,
    rates: createMemoryRateWindow(),
    idempotency: createEmbeddedIdempotencyStore(engine),
    clients: {
      add: (account, calls) => engine.write('clients.add', { account, calls }),
      of: (account) => engine.read('clients.of', account),
    },
    flush: () => ledger.flush(),
  }
}
