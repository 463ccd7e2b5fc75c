import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cacheKeys } from '../../accounts/cached-keys.ts'
import { randomId } from '../../core/ids.ts'
import { clientLogContract } from '../contracts/accounts-clients.ts'
import { idempotencyStoreContract } from '../contracts/accounts-idempotency.ts'
import { ledgerContract } from '../contracts/accounts-ledger.ts'
import { rateWindowContract } from '../contracts/accounts-rate-window.ts'
import { accountStoreContract } from '../contracts/accounts-store.ts'
import { createEmbeddedAccountStores } from './account-stores.ts'
import { type Engine, openEngine } from './engine/engine.ts'
import { openInlineEngine } from './engine/inline.ts'

function storesOn(engine: Engine) {
  const report = (error: unknown) => {
    throw error
  }
  return createEmbeddedAccountStores(engine, { newId: randomId, report })
}

async function openInThread() {
  const engine = openInlineEngine()
  const stores = storesOn(engine)
  const close = async () => {
    await stores.flush()
    await engine.close()
  }
  return { ...stores, close }
}

async function openOnDisk() {
  const directory = await mkdtemp(join(tmpdir(), 'memoryd-accounts-'))
  const engine = await openEngine({ directory })
  const stores = storesOn(engine)
  const close = async () => {
    await stores.flush()
    await engine.close()
    await rm(directory, { recursive: true })
  }
  return { ...stores, close }
}

async function openCached() {
  const stores = await openInThread()
  return { ...stores, accounts: cacheKeys(stores.accounts) }
}

accountStoreContract('embedded', openInThread)
accountStoreContract('embedded, keys remembered', openCached)
ledgerContract('embedded', openInThread)
ledgerContract('embedded, in its threads on disk', openOnDisk)
rateWindowContract('in memory', openInThread)
clientLogContract('embedded', openInThread)
idempotencyStoreContract('embedded', openInThread)
