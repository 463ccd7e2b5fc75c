import { existsSync } from 'node:fs'
import { filesIn } from '../stores/embedded/engine/directory.ts'
import { openEngine } from '../stores/embedded/engine/engine.ts'

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
