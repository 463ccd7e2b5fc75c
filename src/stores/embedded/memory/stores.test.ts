import { episodicStoreContract } from '../../contracts/episodic-store.ts'
import { graphStoreContract } from '../../contracts/graph-store.ts'
import { journalContract } from '../../contracts/journal.ts'
import { lifecycleStoreContract } from '../../contracts/lifecycle-store.ts'
import { vectorMaintenanceContract } from '../../contracts/vector-maintenance.ts'
import { workingMemoryContract } from '../../contracts/working-memory.ts'
import { openInlineEngine } from '../engine/inline.ts'
import { createEmbeddedMemoryStores } from './stores.ts'

const inline = async () => {
  const engine = openInlineEngine()
  return { ...createEmbeddedMemoryStores(engine), close: () => engine.close() }
}

episodicStoreContract('embedded', inline)
journalContract('embedded', inline)
graphStoreContract('embedded', inline)
workingMemoryContract('embedded', inline)
lifecycleStoreContract('embedded', inline)
vectorMaintenanceContract('embedded', inline)
