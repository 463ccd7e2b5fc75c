import { type Archive, differingKinds, type Snapshot, type Tally, tallyOf } from '../archive/archive.ts'
import {
  type BackupSummary,
  type Progress,
  readBackup,
  verifyBackup,
  writeBackup,
} from '../archive/backup-file.ts'
import { type Holdings, holdingsOf } from '../archive/migrate.ts'
import type { Config } from '../config.ts'
import type { Log } from '../observe/log.ts'
import { openEmbeddedSnapshot } from '../stores/embedded/archive/snapshot.ts'
import { makeNewStore } from '../stores/embedded/engine/new-store.ts'
import { version } from '../version.ts'
import { type OpenStores, openStores, settled } from './stores.ts'

export { type BackupSummary, verifyBackup } from '../archive/backup-file.ts'

/** A page of records is a large transaction, and no caller waits for it. */
const patienceMs = 60_000
const pageSize = 200

/** Writes everything of the configured backend into one file, whoever writes to it meanwhile. */
export async function backUp(config: Config, file: string, progress: Progress): Promise<BackupSummary> {
  const startedAt = new Date().toISOString()
  const snapshot = await openSnapshot(config)
  try {
    return await writeBackup(snapshot, file, { version, startedAt, mode: config.stores.mode }, progress)
  } finally {
    await snapshot.close()
  }
}

async function openSnapshot({ stores, dataDir }: Config): Promise<Snapshot> {
  if (stores.mode === 'embedded') return openEmbeddedSnapshot(dataDir)
  const { openServerSnapshot } = await import('../stores/server/archive.ts')
  return openServerSnapshot({ ...stores.neo4j, limitMs: patienceMs })
}

export type RestoreOutcome =
  | { readonly outcome: 'done'; readonly tally: Tally }
  /** The target holds something. Nothing was written. */
  | { readonly outcome: 'occupied'; readonly holds: Holdings }
  /** What is there now is not what the file says. */
  | { readonly outcome: 'different'; readonly kinds: readonly string[] }

export interface RestoreParts {
  readonly log: Log
  /** Told of what was found in the file before anything is written. */
  readonly verified: (summary: BackupSummary) => void
  readonly progress: Progress
  /** For tests: stores other than those of the configuration, which stay open. */
  readonly stores?: OpenStores
}

/** Puts a backup into the configured backend, which must be empty. The whole file is checked before. */
export async function restore(config: Config, file: string, parts: RestoreParts): Promise<RestoreOutcome> {
  const summary = await verifyBackup(file)
  parts.verified(summary)
  if (config.stores.mode === 'embedded') return restoreEmbedded(config, file, summary, parts)
  const stores = parts.stores ?? (await openStores(config, parts.log, { limitMs: patienceMs }))
  try {
    await settled(stores)
    // The name of the embedding model alone is no data; every start writes it.
    const { identity: _, ...holds } = await holdingsOf(stores.archive)
    if (Object.keys(holds).length > 0) return { outcome: 'occupied', holds }
    return await fill(stores.archive, file, summary, parts.progress)
  } finally {
    if (parts.stores === undefined) await stores.close()
  }
}

async function restoreEmbedded(
  config: Config,
  file: string,
  summary: BackupSummary,
  { log, progress }: RestoreParts,
): Promise<RestoreOutcome> {
  const made = makeNewStore(config.dataDir)
  try {
    const stores = await openStores({ ...config, dataDir: made.directory }, log)
    const outcome = await fill(stores.archive, file, summary, progress).finally(() => stores.close())
    if (outcome.outcome === 'done') made.finish()
    return outcome
  } finally {
    made.release()
  }
}

async function fill(
  archive: Archive,
  file: string,
  { tally }: BackupSummary,
  progress: Progress,
): Promise<RestoreOutcome> {
  let count = 0
  await readBackup(file, async (records) => {
    await archive.put(records)
    count += records.length
    progress(count)
  })
  const found = await tallyOf(archive, pageSize)
  const kinds = differingKinds(tally, found)
  return kinds.length === 0 ? { outcome: 'done', tally: found } : { outcome: 'different', kinds }
}
