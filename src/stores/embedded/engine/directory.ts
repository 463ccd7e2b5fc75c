import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StoreRefused, sqliteCode } from './failures.ts'

/** The names inside a data directory. */
export function filesIn(directory: string) {
  return {
    database: join(directory, 'memory.db'),
    log: join(directory, 'memory.db-wal'),
    lock: join(directory, 'lock.db'),
    owner: join(directory, 'owner.pid'),
    /** `open` while a process uses the store, `closed` after a clean shutdown. */
    state: join(directory, 'state'),
    reserve: join(directory, 'reserve'),
    defaultKey: join(directory, 'default-key'),
  }
}

export interface DirectoryLock {
  release(): void
}

/** Makes the directory, for its owner only. One that exists keeps its rights. */
export function makeDirectory(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
}

/**
 * Holds the directory for this process. The lock is the kernel's, on an SQLite file: it ends with the process,
 * however that ends, so there is no stale lock to clean up.
 */
export function lockDirectory(directory: string): DirectoryLock {
  const files = filesIn(directory)
  const db = new DatabaseSync(files.lock, { timeout: 0 })
  try {
    // A transaction without end. No journal file: a full disk does not stop the lock.
    db.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    db.close()
    if (sqliteCode(error) !== 5) throw error
    throw new StoreRefused('in_use', inUseMessage(directory, files.owner))
  }
  return { release: () => db.close() }
}

/** Leaves a note for whoever finds the directory locked. */
export function noteOwner(directory: string): void {
  writeFileSync(filesIn(directory).owner, `${process.pid}\n`, { mode: 0o600 })
}

function inUseMessage(directory: string, owner: string): string {
  const pid = existsSync(owner) ? readFileSync(owner, 'utf8').trim() : ''
  const who = pid === '' ? 'another process' : `process ${pid}`
  return `The data directory ${directory} is in use by ${who}. Stop that process, or set DATA_DIR to another directory.`
}

/** Refuses a directory whose database is gone although other files show that there was one. */
export function refuseLostDatabase(directory: string): void {
  const files = filesIn(directory)
  if (existsSync(files.database)) return
  const trace = [files.state, files.log, files.defaultKey].find((file) => existsSync(file))
  if (trace === undefined) return
  throw new StoreRefused(
    'missing',
    `${files.database} is missing, but ${trace} shows that there was a store. Put it back with "memoryd restore FILE"; to start empty instead, move the whole directory ${directory} away.`,
  )
}

/** Whether the last process that used the store ended without closing it. */
export function endedUncleanly(directory: string): boolean {
  const { state } = filesIn(directory)
  return existsSync(state) && readFileSync(state, 'utf8') !== 'closed'
}

export function markState(directory: string, state: 'open' | 'closed'): void {
  writeFileSync(filesIn(directory).state, state, { mode: 0o600, flush: true })
}

/** Whether a store was completed here at some time. */
export function hadStore(directory: string): boolean {
  return existsSync(filesIn(directory).state)
}

/** Refuses a directory without a store: opening it would make one. */
export function requireStore(directory: string): void {
  if (hadStore(directory)) return
  throw new StoreRefused(
    'missing',
    `DATA_DIR is ${directory}, but there is no store in it. Set DATA_DIR to the directory of one, or start the server, which makes one.`,
  )
}

/** Makes the database file, for its owner only: its log and its index take their rights from it. */
export function makeFile(file: string): void {
  closeSync(openSync(file, 'a', 0o600))
}
