import { randomUUID } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { filesIn } from './directory.ts'
import { sqliteCode } from './failures.ts'

/**
 * The files with the search indexes in a data directory. One is good when the log of changes names it: a database with
 * that entry has all that was in the indexes then, and its log has what changed since. What a crash left half written has
 * none, a foreign one neither, and one that is too old has lost it when the log was cut.
 */
export interface SnapshotFiles {
  /** The newest that is good, and its place in the log. */
  find(db: DatabaseSync): Snapshot | null
  /** For a new one. */
  create(): string
  /** It is written: names it, and removes the others. False while somebody else writes to the store. */
  publish(file: string, contents: Contents, patienceMs: number): boolean
  /** There is none any more. */
  remove(): void
}

/** What is in a file. */
export interface Contents {
  /** Nothing in it was removed from the store then. */
  readonly isPure: boolean
  /** The last change that all of it has seen. */
  readonly change: number
}

interface Snapshot {
  readonly file: string
  readonly change: number
  /** Nothing in it was removed from the store, when it was written or since. */
  readonly isPure: boolean
}

const ours = /^indexes-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** What versions before this one wrote. */
const formers = /^indexes(?:-\d+-\d+|\.part-\d+)?$/

const inLog = `SELECT change, seq AS is_pure FROM memory_change WHERE namespace = ? AND kind = 'snapshot'
ORDER BY change DESC LIMIT 1`
const changedSince = "SELECT 1 FROM memory_change WHERE change > :change AND kind <> 'snapshot'"
const enterInLog = `INSERT INTO memory_change (namespace, kind, seq, replaced)
SELECT :name, 'snapshot', :isPure AND NOT EXISTS (${changedSince}), 0`

const busy = 5

export function snapshotFiles(directory: string): SnapshotFiles {
  return {
    find: (db) => findIn(directory, db),
    create: () => join(directory, `indexes-${randomUUID()}`),
    publish: (file, { isPure, change }, patienceMs) => {
      const name = basename(file)
      // The thread that searches has no other way to write, and one entry is soon made.
      const db = new DatabaseSync(filesIn(directory).database, { timeout: patienceMs })
      try {
        db.exec('PRAGMA wal_autocheckpoint = 0; PRAGMA synchronous = FULL')
        db.prepare(enterInLog).run({ name, isPure: isPure ? 1 : 0, change })
      } catch (error) {
        if (sqliteCode(error) === busy) return false
        throw error
      } finally {
        db.close()
      }
      remove(directory, (each) => ours.test(each) && each !== name)
      return true
    },
    remove: () => removeSnapshots(directory),
  }
}

function findIn(directory: string, db: DatabaseSync): Snapshot | null {
  const entry = db.prepare(inLog)
  const found = readdirSync(directory)
    .filter((name) => ours.test(name))
    .map((name) => ({ file: join(directory, name), entry: entry.get(name) }))
    .map(({ file, entry }) => ({ file, change: Number(entry?.change ?? 0), wasPure: entry?.is_pure === 1 }))
    .filter(({ change }) => change > 0)
    .sort((a, b) => b.change - a.change)[0]
  if (found === undefined) return null
  const { file, change, wasPure } = found
  return { file, change, isPure: wasPure && db.prepare(changedSince).get({ change }) === undefined }
}

/** At the start: only what is good stays. */
export function removeOldSnapshots(directory: string, db: DatabaseSync): void {
  const good = findIn(directory, db)?.file
  remove(directory, (name) => formers.test(name) || (ours.test(name) && join(directory, name) !== good))
}

/** They save time alone: on a full disk they make room. */
export function removeSnapshots(directory: string): void {
  remove(directory, (name) => ours.test(name))
}

function remove(directory: string, isMeant: (name: string) => boolean): void {
  for (const name of readdirSync(directory).filter(isMeant))
    ignoringFailure(() => rmSync(join(directory, name), { force: true }))
}

/** A snapshot saves time, and nothing else: what goes wrong with it stops nobody. */
export function ignoringFailure(work: () => void): void {
  try {
    work()
  } catch {
    // The indexes are read from the database.
  }
}
