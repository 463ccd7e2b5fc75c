import { readdirSync, readFileSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { StoreRefused } from './failures.ts'

/** Marks the file as ours: "memd" in ASCII. */
export const applicationId = 0x6d656d64

const folder = new URL('./migrations/', import.meta.url)

/**
 * The SQL of each version, in order: the files of the folder by their numbers. They are applied once each; the
 * database's user_version says how many it has. A released file never changes, and a test holds its hash: what a
 * version needs beyond it is a new file.
 */
export function readMigrations(): readonly { readonly name: string; readonly sql: string }[] {
  const names = readdirSync(folder).sort()
  return names.map((name) => ({ name, sql: readFileSync(new URL(name, folder), 'utf8') }))
}

/** Brings the file to this version, one transaction per step; a file from a newer memoryd is refused. */
export function migrate(db: DatabaseSync, file: string): void {
  const migrations = readMigrations()
  const found = userVersion(db)
  if (found > migrations.length) throw newer(file, found, migrations.length)
  migrations.forEach(({ sql }, index) => {
    if (index >= found) apply(db, sql, index + 1)
  })
}

/** Refuses a file that is not of this version, for those that only read. */
export function requireCurrent(db: DatabaseSync, file: string): void {
  const [found, known] = [userVersion(db), readMigrations().length]
  if (found > known) throw newer(file, found, known)
  if (found === known) return
  throw new StoreRefused(
    'older',
    `${file} was written by an older memoryd (its format is ${found}, this version's is ${known}). Use that one, or start this one once, which brings the file to its format.`,
  )
}

function newer(file: string, found: number, known: number): StoreRefused {
  return new StoreRefused(
    'newer',
    `${file} was written by a newer memoryd (its format is ${found}, this version knows ${known}). Update memoryd, or restore a backup made by this version.`,
  )
}

function apply(db: DatabaseSync, sql: string, version: number): void {
  db.exec('BEGIN IMMEDIATE')
  try {
    // Asked again under the lock: another process may have done it meanwhile.
    if (userVersion(db) < version) {
      db.exec(sql)
      db.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version}`)
    }
    db.exec('COMMIT')
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

function userVersion(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.user_version)
}
