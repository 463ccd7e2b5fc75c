import { existsSync } from 'node:fs'
import { type ArchiveKind, memoryKinds, type Snapshot } from '../../../archive/archive.ts'
import { createContext } from '../engine/context.ts'
import { filesIn } from '../engine/directory.ts'
import { StoreRefused } from '../engine/failures.ts'
import { requireCurrent } from '../engine/migrations.ts'
import { openForReading, prepared, requireSound } from '../engine/open-database.ts'
import { archiveReads } from './reads.ts'

const kinds: readonly ArchiveKind[] = ['identity', 'run', ...memoryKinds, 'account', 'usage', 'key']
const pageSize = 200

/**
 * One read transaction, in this thread, beside the process that writes: it needs no lock and holds up nobody. What is
 * written meanwhile stays in the log until it ends.
 */
export function openEmbeddedSnapshot(directory: string): Snapshot {
  const { database } = filesIn(directory)
  if (!existsSync(database))
    throw new StoreRefused(
      'missing',
      `There is no store in ${directory}. Set DATA_DIR to the directory of one.`,
    )
  const db = openForReading({ directory })
  prepared(db, database, () => {
    // The first read begins the snapshot.
    db.exec('BEGIN')
    requireCurrent(db, database)
    requireSound(db, database)
  })
  const context = createContext(db)
  return {
    read: async (take) => {
      for (const kind of kinds) {
        let after: string | null = null
        do {
          const page = archiveReads['archive.page'](context, { kind, after, limit: pageSize, only: null })
          if (page.records.length > 0) await take(page.records)
          after = page.cursor
        } while (after !== null)
      }
    },
    close: async () => db.close(),
  }
}
