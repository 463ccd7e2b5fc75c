import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Row } from './connection.ts'
import { chunkOf } from './rows.ts'
import { TornRow, untorn, withoutTornRows } from './torn-rows.ts'
import { number, text } from './values.ts'

test('a record that goes away while it is read is read again, and is gone then', async () => {
  const readings: Row[][] = [[{ id: 'one', at: null }], []]
  const store = {
    list: async (column: string) => (readings.shift() ?? []).map((row) => number(row, column)),
  }
  assert.deepEqual(await withoutTornRows(store).list('at'), [])
})

test('a record that stays torn is said to be broken', async () => {
  let readings = 0
  const read = async () => {
    readings += 1
    return chunkOf({ id: 'one' })
  }
  await assert.rejects(untorn(read), TornRow)
  assert.equal(readings, 4)
})

test('a value of another kind is a bug in a query: it is not tried again', async () => {
  let readings = 0
  const read = async () => {
    readings += 1
    return text({ id: 7 }, 'id')
  }
  await assert.rejects(untorn(read), (error: unknown) => !(error instanceof TornRow))
  assert.equal(readings, 1)
})
