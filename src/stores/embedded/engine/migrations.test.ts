import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { asChunkId, asNamespace } from '../../../core/ids.ts'
import { createEmbeddedMemoryStores } from '../memory/stores.ts'
import { filesIn } from './directory.ts'
import { openEngine } from './engine.ts'
import { applicationId, readMigrations } from './migrations.ts'
import { withDirectory } from './test-directory.ts'

/** SHA-256 of every released migration. A line is added with a new file; none ever changes. */
const released: Readonly<Record<string, string>> = {
  '0001-accounts.sql': 'a9b7f95e03fae7bc40bee9a52b744b311823698f14588c6d820b839be22add6a',
  '0002-memory.sql': 'ff3a1e7eec45d64bd0395f9f0c64bc5db808604b15bbcd514f10fee7e6f7aa36',
  '0003-links.sql': '017ad3c3e16ab8112a9dcce95667e2b1d8c19b268ed1d4df9296572278cfe804',
  '0004-tokens.sql': '9f6063631c81b0e3f4f4521d49fb595f3824fd0d55c47f03bd744f90494a2bda',
  '0005-told.sql': '2be7f77e97e59051def51259a3900a7d63bd535a44b91cceca257443f09cf741',
  '0006-looking.sql': 'dd7fba7ede7066127c2eef6e715d03e0c67b1ef6911cafc99d6055f59429afc6',
  '0007-runs.sql': '4d8955f6fef159cad43ed5f7d3560f8bdaf1aa100b9bb304d61cdc22d75ff89c',
  '0008-set-aside.sql': 'ecf309e839b9f5d854951dd7c2bcacb0b064cdf792aa8c19a94202affaba47e5',
  '0009-statistics.sql': '60225bba2f2a7fcf3fd5c7348864c775ee66580e0cdf7e793178f0de3131dab1',
  '0010-pieces.sql': '82917c6c48cbc6e0143cd14662b792c5c59ad1cb5b776bd6bcb5c5a502177035',
}

test('a released migration never changes, and every migration has its line here', () => {
  const found = readMigrations().map(({ name, sql }) => [
    name,
    createHash('sha256').update(sql).digest('hex'),
  ])
  assert.deepEqual(Object.fromEntries(found), released)
})

test('migrations are numbered from 0001 without a gap', () => {
  const numbers = readMigrations().map(({ name }) => Number(name.slice(0, 4)))
  assert.deepEqual(
    numbers,
    numbers.map((_, at) => at + 1),
  )
})

/** A store as the version left it that knew the first so many migrations, with an account and, where it had any, a memory. */
function writeStore(directory: string, format: number): void {
  mkdirSync(directory, { recursive: true })
  const db = new DatabaseSync(filesIn(directory).database)
  for (const { sql } of readMigrations().slice(0, format)) db.exec(sql)
  db.exec(
    `PRAGMA journal_mode = WAL; PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${format}`,
  )
  db.exec("INSERT INTO accounts VALUES ('acme', 'n', 'pro', 7, 1000.5)")
  if (format >= 2) {
    db.exec(`INSERT INTO memory_text (seq, namespace, kind, id, persona, terms, rounded)
      VALUES (1, 'n', 'chunk', 'c', 'shared', '{}', x'7f000000')`)
    db.exec("INSERT INTO memory_vector VALUES (1, x'0000803f000000000000000000000000')")
    db.exec(`INSERT INTO chunk (seq, namespace, id, item_id, persona, source, text, start_at, end_at, base, created_at,
        last_access_at, access_count) VALUES (1, 'n', 'c', 'i', 'shared', 'user', 'Rome', 0, 4, 1, 1000, 1000, 3)`)
  }
  db.close()
}

for (let format = 1; format <= readMigrations().length; format++) {
  test(`a store of format ${format} opens with all it holds, and is of the newest afterwards`, () =>
    withDirectory(async (directory) => {
      writeStore(directory, format)
      const engine = await openEngine({ directory })
      const [account] = await engine.read('accounts.all')
      assert.deepEqual([account?.name, account?.monthlyOps, account?.createdAt], ['acme', 7, 1000.5])
      const [chunk] = await createEmbeddedMemoryStores(engine).episodic.get(asNamespace('n'), [
        asChunkId('c'),
      ])
      assert.deepEqual(
        [chunk?.text, chunk?.accessCount, chunk?.vector[0], chunk?.pinned],
        format < 2 ? [undefined, undefined, undefined, undefined] : ['Rome', 3, 1, false],
      )
      await engine.close()
      const db = new DatabaseSync(filesIn(directory).database)
      assert.equal(db.prepare('PRAGMA user_version').get()?.user_version, readMigrations().length)
      db.close()
    }))
}
