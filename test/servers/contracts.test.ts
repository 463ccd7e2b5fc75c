import { after } from 'node:test'
import { clientLogContract } from '../../src/stores/contracts/accounts-clients.ts'
import { idempotencyStoreContract } from '../../src/stores/contracts/accounts-idempotency.ts'
import { ledgerContract } from '../../src/stores/contracts/accounts-ledger.ts'
import { rateWindowContract } from '../../src/stores/contracts/accounts-rate-window.ts'
import { accountStoreContract } from '../../src/stores/contracts/accounts-store.ts'
import { correctionContract } from '../../src/stores/contracts/corrections.ts'
import { episodicStoreContract } from '../../src/stores/contracts/episodic-store.ts'
import { graphStoreContract } from '../../src/stores/contracts/graph-store.ts'
import { graphViewContract } from '../../src/stores/contracts/graph-view.ts'
import { journalContract } from '../../src/stores/contracts/journal.ts'
import { keyedItemsContract } from '../../src/stores/contracts/keyed-items.ts'
import { lifecycleStoreContract } from '../../src/stores/contracts/lifecycle-store.ts'
import { statementLinkContract } from '../../src/stores/contracts/statement-links.ts'
import { toldTimesContract } from '../../src/stores/contracts/told-times.ts'
import { vectorMaintenanceContract } from '../../src/stores/contracts/vector-maintenance.ts'
import { withinContract } from '../../src/stores/contracts/within.ts'
import { workingMemoryContract } from '../../src/stores/contracts/working-memory.ts'
import { createRedisRateWindow } from '../../src/stores/server/redis/rate-window.ts'
import { openTestStores } from './support.ts'

// Nothing counts as abandoned by age here: every request of an earlier test is over when the next one starts.
const server = await openTestStores({ abandonedAfterMs: 0 })
after(() => server.close())

const backend = 'Neo4j, Qdrant and Redis'

async function openAccounts() {
  await server.empty()
  // A window of its own: the one of the stores remembers what it admitted in earlier tests.
  const rates = createRedisRateWindow(server.raw.redis)
  return { ...server.stores.accounts, rates, close: async () => undefined }
}

async function openMemory() {
  await server.empty()
  return { ...server.stores.memory, close: async () => undefined }
}

accountStoreContract(backend, openAccounts)
ledgerContract(backend, openAccounts)
rateWindowContract(backend, openAccounts)
clientLogContract(backend, openAccounts)
idempotencyStoreContract(backend, openAccounts)
episodicStoreContract(backend, openMemory)
journalContract(backend, openMemory)
statementLinkContract(backend, openMemory)
correctionContract(backend, openMemory)
toldTimesContract(backend, openMemory)
keyedItemsContract(backend, openMemory)
graphStoreContract(backend, openMemory)
graphViewContract(backend, openMemory)
withinContract(backend, openMemory)
workingMemoryContract(backend, openMemory)
lifecycleStoreContract(backend, openMemory)
vectorMaintenanceContract(backend, openMemory)
