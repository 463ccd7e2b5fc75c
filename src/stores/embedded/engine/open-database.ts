import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import {
  type DirectoryLock,
  endedUncleanly,
  filesIn,
  hadStore,
  lockDirectory,
  makeDirectory,
  makeFile,
  markState,
  noteOwner,
  refuseLostDatabase,
} from './directory.ts'
import { StoreRefused, sqliteCode } from './failures.ts'
import { applicationId, migrate } from './migrations.ts'
import { createReserve, type Reserve } from './reserve.ts'
import { ignoringFailure, removeOldSnapshots } from './snapshot-files.ts'

export interface OpenOptions {
  readonly directory: string
  /** FULL survives power loss. OFF exists for the crash test that must then fail. */
  readonly synchronous?: 'FULL' | 'OFF'
  /** No directory lock, several processes at once: only for tests of the statements themselves. */
  readonly shared?: boolean
}

export interface WriteDatabase {
  readonly db: DatabaseSync
  /** Released when the file was opened, so that opening works on a full disk. Null for a shared store. */
  readonly reserve: Reserve | null
  /** Moves the log into the file, marks the clean end, lets the directory go. */
  close(): void
}

/** SQLite's result code. */
const diskFull = 13

/** How long a connection waits for another one's lock; only shared stores and checkpoints ever wait. */
const busyTimeoutMs = 10_000

/** A full check reads the whole file, about 0.7 s for 1 GB in the page cache: larger ones would delay the start. */
const checkedWhenClean = 128 * 2 ** 20
const checkedWhenUnclean = 2 ** 31

/** Opens the connection that writes: the directory is locked, the file is checked and brought to this version. */
export function openForWriting({
  directory,
  synchronous = 'FULL',
  shared = false,
}: OpenOptions): WriteDatabase {
  makeDirectory(directory)
  const files = filesIn(directory)
  const lock = shared ? null : lockDirectory(directory)
  const reserve = shared ? null : createReserve(directory, files.reserve)
  let db: DatabaseSync | null = null
  try {
    reserve?.release()
    if (!shared) noteOwner(directory)
    if (!shared) refuseLostDatabase(directory)
    if (hadStore(directory) && statSync(files.database).size === 0) {
      throw damaged(files.database, 'it is empty')
    }
    const checked = openChecked(files.database, !shared && endedUncleanly(directory))
    db = checked
    db.exec(`PRAGMA synchronous = ${synchronous}; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -8192`)
    migrate(db, files.database)
    if (!shared) endLeases(db)
    if (!shared) ignoringFailure(() => removeOldSnapshots(directory, checked))
    if (!shared) markState(directory, 'open')
  } catch (error) {
    db?.close()
    lock?.release()
    throw error
  }
  return { db, reserve, close: () => closeWriter(directory, db, lock) }
}

/** Opens the connection that reads. The writer must be open. */
export function openForReading({ directory }: OpenOptions): DatabaseSync {
  const file = filesIn(directory).database
  const db = new DatabaseSync(file, { readOnly: true, timeout: busyTimeoutMs })
  return prepared(db, file, () => db.exec('PRAGMA temp_store = MEMORY; PRAGMA cache_size = -8192'))
}

function closeWriter(directory: string, db: DatabaseSync, lock: DirectoryLock | null): void {
  try {
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    db.close()
    if (lock !== null) markState(directory, 'closed')
  } finally {
    if (db.isOpen) db.close()
    lock?.release()
  }
}

function openChecked(file: string, unclean: boolean): DatabaseSync {
  makeFile(file)
  const db = new DatabaseSync(file, { timeout: busyTimeoutMs })
  return prepared(db, file, () => {
    db.exec('PRAGMA journal_mode = WAL')
    check(db, file, unclean)
  })
}

/** The connection after its first statements, which find a damaged file; closed when they fail. */
export function prepared(db: DatabaseSync, file: string, prepare: () => void): DatabaseSync {
  try {
    prepare()
    return db
  } catch (error) {
    db.close()
    const code = sqliteCode(error)
    if (code === 11 || code === 26) throw damaged(file, (error as Error).message)
    throw error
  }
}

function check(db: DatabaseSync, file: string, unclean: boolean): void {
  const number = (pragma: string) => Number(Object.values(db.prepare(`PRAGMA ${pragma}`).get() ?? {})[0])
  const pages = number('page_count')
  // A file without a page is what a first start leaves that was killed before its first commit.
  if (pages === 0 || (number('application_id') === 0 && tableCount(db) === 0)) return
  if (number('application_id') !== applicationId) {
    throw new StoreRefused(
      'foreign',
      `${file} is an SQLite file, but not one of memoryd. Set DATA_DIR to another directory.`,
    )
  }
  // Without room the log stays, and with it the only sign of a missing end; reading must go on all the same.
  const emptied = emptyLog(db)
  const size = statSync(file).size
  if (emptied && size < number('page_count') * number('page_size')) throw damaged(file, 'its end is missing')
  if (size > (unclean ? checkedWhenUnclean : checkedWhenClean)) return
  requireSound(db, file)
}

/** Reads the whole file. */
export function requireSound(db: DatabaseSync, file: string): void {
  const verdict = Object.values(db.prepare('PRAGMA quick_check(1)').get() ?? {})[0]
  if (verdict !== 'ok') throw damaged(file, String(verdict))
}

/** Nobody else has the directory: whoever held a lease is gone, and what it was doing need not be waited for. */
function endLeases(db: DatabaseSync): void {
  db.exec('UPDATE lease SET expires_at = -9e999 WHERE expires_at > -9e999')
}

function emptyLog(db: DatabaseSync): boolean {
  try {
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    return true
  } catch (error) {
    if (sqliteCode(error) === diskFull) return false
    throw error
  }
}

function tableCount(db: DatabaseSync): number {
  return Number(db.prepare('SELECT count(*) AS tables FROM sqlite_schema').get()?.tables)
}

function damaged(file: string, what: string): StoreRefused {
  return new StoreRefused(
    'damaged',
    `${file} is damaged (${what}). Nothing was changed. To go on, move the data directory away and restore a backup with "memoryd restore FILE"; without one, memoryd starts empty.`,
  )
}
