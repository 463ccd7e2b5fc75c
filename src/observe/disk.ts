import { statfsSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Metrics } from './metrics.ts'

const files = ['memory.db', 'memory.db-wal']

/** How large the embedded store is, and how much room its disk has; the engines of server mode tell that of themselves. */
export function watchDisk(
  metrics: Metrics,
  { dataDir, stores }: { readonly dataDir: string; readonly stores: { readonly mode: string } },
): void {
  if (stores.mode !== 'embedded') return
  metrics.watchEach('memoryd_store_file_bytes', 'Size of the files of the store', 'file', () =>
    Object.fromEntries(files.map((file) => [file, sizeOf(path.join(dataDir, file))])),
  )
  metrics.watch('memoryd_disk_free_bytes', 'What the disk of the data directory still takes', () => {
    const { bavail, bsize } = statfsSync(dataDir)
    return bavail * bsize
  })
}

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0
