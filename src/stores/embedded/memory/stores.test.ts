import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { correctionContract } from '../../contracts/corrections.ts'
import { episodicStoreContract } from '../../contracts/episodic-store.ts'
import { graphStoreContract } from '../../contracts/graph-store.ts'
import { graphViewContract } from '../../contracts/graph-view.ts'
import { journalContract } from '../../contracts/journal.ts'
import { keyedItemsContract } from '../../contracts/keyed-items.ts'
import { lifecycleStoreContract } from '../../contracts/lifecycle-store.ts'
import { statementLinkContract } from '../../contracts/statement-links.ts'
import { toldTimesContract } from '../../contracts/told-times.ts'
import { vectorMaintenanceContract } from '../../contracts/vector-maintenance.ts'
import { withinContract } from '../../contracts/within.ts'
import { workingMemoryContract } from '../../contracts/working-memory.ts'
import { openEngine } from '../engine/engine.ts'
import { openInlineEngine } from '../engine/inline.ts'
import { createEmbeddedMemoryStores } from './stores.ts'

const inline = async () => {
  const engine = openInlineEngine()
  return { ...createEmbeddedMemoryStores(engine), close: () => engine.close() }
}

const onDisk = async () => {
  const directory = await mkdtemp(join(tmpdir(), 'memoryd-contracts-'))
  const engine = await openEngine({ directory })
  const close = async () => {
    await engine.close()
    await rm(directory, { recursive: true })
  }
  return { ...createEmbeddedMemoryStores(engine), close }
}

// One store in threads for every test: each works in namespaces of its own.
const shared = await onDisk()
after(() => shared.close())
const inThreads = async () => ({ ...shared, close: async () => {} })

for (const [backend, open] of Object.entries({ embedded: inline, 'embedded, in threads': inThreads })) {
  episodicStoreContract(backend, open)
  journalContract(backend, open)
  statementLinkContract(backend, open)
  correctionContract(backend, open)
  toldTimesContract(backend, open)
  keyedItemsContract(backend, open)
  graphStoreContract(backend, open)
  graphViewContract(backend, open)
  withinContract(backend, open)
  workingMemoryContract(backend, open)
  lifecycleStoreContract(backend, open)
}
vectorMaintenanceContract('embedded', inline)
// It looks at the texts of every namespace.
vectorMaintenanceContract('embedded, in threads', onDisk)
