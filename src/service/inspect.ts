import { existsSync } from 'node:fs'
import type { Config } from '../config.ts'
import type { StoreState } from '../http/health.ts'
import type { StoreName } from '../memory/memory.ts'
import type { Log } from '../observe/log.ts'
import { filesIn } from '../stores/embedded/engine/directory.ts'
import { openEngine } from '../stores/embedded/engine/engine.ts'
import { openStores, settled } from './stores.ts'

/** How the three engines are, as far as they can be reached from here. */
export async function inspectServers(
  config: Config,
  log: Log,
): Promise<Readonly<Record<StoreName, StoreState>>> {
  const stores = await openStores(config, log)
  try {
    await settled(stores)
    return stores.states()
  } finally {
    await stores.close()
  }
}

export { verifyModelFiles } from '../models/embedder/model-files.ts'

export type StoreInspection =
  | { readonly state: 'absent' | 'sound' }
  | { readonly state: 'in use'; readonly message: string }
  | { readonly state: 'refused'; readonly message: string }

/** Whether the embedded store in a directory would open: lock, integrity and version are checked by opening it. */
export async function inspectStore(directory: string): Promise<StoreInspection> {
  if (!existsSync(directory) || !existsSync(filesIn(directory).state)) return { state: 'absent' }
  try {
    const engine = await openEngine({ directory })
    await engine.close()
    return { state: 'sound' }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const inUse = 'reason' in error && error.reason === 'in_use'
    return { state: inUse ? 'in use' : 'refused', message: error.message }
  }
}
