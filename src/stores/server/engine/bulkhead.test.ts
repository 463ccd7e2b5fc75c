import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBulkhead } from './bulkhead.ts'

const slowMs = 100

/** Takes every place there is. */
async function fill(bulkhead: ReturnType<typeof createBulkhead>) {
  const places = []
  for (let left = bulkhead.limit(); left > 0; left--) {
    const leave = await bulkhead.enter(() => 0)
    assert.ok(leave)
    places.push(leave)
  }
  return places
}

test('lets in as many as the limit says; the others wait in their order and get a place as one is left', async () => {
  const bulkhead = createBulkhead({ slowMs })
  const places = await fill(bulkhead)
  assert.equal(await bulkhead.enter(() => 0), null)
  const order: string[] = []
  const first = bulkhead.enter(() => 60_000).then((leave) => order.push('first') && leave)
  const second = bulkhead.enter(() => 60_000).then((leave) => order.push('second') && leave)
  for (const leave of places) leave(null)
  await Promise.all([first, second])
  assert.deepEqual(order, ['first', 'second'])
})

test('gives up waiting when the time is over, and refuses when too many wait', async () => {
  const bulkhead = createBulkhead({ slowMs, maxWaiting: 1 })
  const [leave] = await fill(bulkhead)
  let left = 1
  const waiting = bulkhead.enter(() => left--)
  assert.equal(await bulkhead.enter(() => 60_000), null, 'the queue is full')
  assert.equal(await waiting, null, 'its time is over')
  leave?.(null)
  assert.ok(await bulkhead.enter(() => 0), 'who gave up takes no place')
})

test('slow answers lower the limit once a round, and never below the least', async () => {
  const bulkhead = createBulkhead({ slowMs, least: 4 })
  const before = bulkhead.limit()
  for (const leave of await fill(bulkhead)) leave(slowMs + 1)
  assert.equal(bulkhead.limit(), Math.floor(before * 0.8), 'sixteen slow answers at once are one sign')
  for (let round = 0; round < 50; round++) for (const leave of await fill(bulkhead)) leave(slowMs * 10)
  assert.equal(bulkhead.limit(), 4)
})

test('quick answers raise the limit while it is used up, and only then', async () => {
  const bulkhead = createBulkhead({ slowMs, most: 20 })
  const before = bulkhead.limit()
  for (let call = 0; call < 1_000; call++) (await bulkhead.enter(() => 0))?.(1)
  assert.equal(bulkhead.limit(), before, 'one call at a time says nothing of many')
  const places = await fill(bulkhead)
  for (let call = 0; call < 1_000; call++) {
    places.pop()?.(1)
    for (let leave = await bulkhead.enter(() => 0); leave !== null; leave = await bulkhead.enter(() => 0))
      places.push(leave)
  }
  assert.equal(bulkhead.limit(), 20)
})
