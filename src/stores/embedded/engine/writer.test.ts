import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { createContext } from './context.ts'
import type { Reserve } from './reserve.ts'
import { createReserve } from './reserve.ts'
import { withDirectory } from './test-directory.ts'
import { createWriter } from './writer.ts'

/** A database that cannot grow beyond its limit of pages, as on a full disk, and a writer for it. */
function openSmall(pages: number, reserve: Reserve | null, onFull = () => {}) {
  const db = new DatabaseSync(':memory:')
  db.exec(`CREATE TABLE big (bytes BLOB); PRAGMA max_page_count = ${pages}`)
  const table = {
    grow: () => db.exec('INSERT INTO big VALUES (zeroblob(400000))'),
    note: () => db.exec("INSERT INTO big VALUES (x'00')"),
    remove: () => db.exec('DELETE FROM big'),
  }
  const writer = createWriter({
    context: createContext(db),
    table,
    growing: new Set(['grow']),
    reserve,
    onFull,
  })
  const run = (...names: string[]) =>
    writer
      .run(names.map((name, id) => ({ id, name, args: null })))
      .toSorted((left, right) => left.id - right.id)
      .map((outcome) => (outcome.ok ? 'done' : outcome.failure.service?.code))
  return { db, run }
}

/** A disk without room: the reserve was there once and cannot be had again. */
function lastReserve(events: string[]): Reserve {
  let taken = false
  return {
    bytes: 300_000,
    take: () => {
      const first = !taken
      taken = true
      return first
    },
    release: () => events.push('released'),
  }
}

test('on a full disk refuses to grow, goes on with the rest, and grows again in the room that deleting made', () => {
  const events: string[] = []
  const { run } = openSmall(210, lastReserve(events), () => events.push('full'))
  assert.deepEqual(run('grow', 'note'), ['done', 'done'])
  assert.deepEqual(run('grow'), ['done'])
  assert.deepEqual(run('grow', 'note'), ['storage_full', 'done'])
  assert.deepEqual(events, ['released', 'full'])
  assert.deepEqual(run('note', 'grow', 'note'), ['done', 'storage_full', 'done'])
  assert.deepEqual(run('remove'), ['done'])
  assert.deepEqual(run('grow'), ['done'])
  assert.deepEqual(events, ['released', 'full'])
})

test('keeps space on a disk that has some, and gives it up', () =>
  withDirectory(async (directory) => {
    const file = join(directory, 'reserve')
    const reserve = createReserve(directory, file)
    assert.equal(reserve.take(), true)
    assert.ok(existsSync(file))
    reserve.release()
    assert.ok(!existsSync(file))
    reserve.release()
  }))
