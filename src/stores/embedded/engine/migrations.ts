import type { DatabaseSync } from 'node:sqlite'
import { accountsSchema } from '../commands/accounts.ts'
import { idempotencySchema } from '../commands/idempotency.ts'
import { ledgerSchema } from '../commands/ledger.ts'
import { memorySchema } from '../memory/schema.ts'
import { StoreRefused } from './failures.ts'

/** Marks the file as ours: "memd" in ASCII. */
export const applicationId = 0x6d656d64

/** Applied in order, each once; the file's user_version says how many it has. Released ones never change. */
const migrations: readonly string[] = [
  // 0001: accounts
  accountsSchema + ledgerSchema + idempotencySchema,
  // 0002: memory
  memorySchema,
]

/** Brings the file to this version, one transaction per step; a file from a newer memoryd is refused. */
export function migrate(db: DatabaseSync, file: string): void {
  const found = userVersion(db)
  if (found > migrations.length) {
    throw new StoreRefused(
      'newer',
      `${file} was written by a newer memoryd (its format is ${found}, this version knows ${migrations.length}). Update memoryd, or restore a backup made by this version.`,
    )
  }
  migrations.forEach((sql, index) => {
    if (index >= found) apply(db, sql, index + 1)
  })
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
