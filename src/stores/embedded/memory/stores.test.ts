import { episodicStoreContract } from '../../contracts/episodic-store.ts'
import { openInlineEngine } from '../engine/inline.ts'
import { createEmbeddedMemoryStores } from './stores.ts'

const inline = async () => {
  const engine = openInlineEngine()
  return { ...createEmbeddedMemoryStores(engine), close: () => engine.close() }
}

episodicStoreContract('embedded', inline)
