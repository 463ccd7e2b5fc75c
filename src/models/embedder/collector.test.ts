import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createCollector } from './collector.ts'
import type { EncodedWindow } from './combine.ts'
import type { Unit } from './scheduler.ts'

const unit = (text: number, window: number, windows: number): Unit => ({
  job: 1,
  text,
  window,
  windows,
  tokens: [],
  fresh: 1,
  weight: window + 1,
})
const units = [unit(0, 0, 1), unit(1, 0, 3), unit(1, 1, 3), unit(1, 2, 3), unit(2, 0, 2), unit(2, 1, 2)]
const encoded = ({ text, window, weight }: Unit): EncodedWindow => ({
  vector: Float32Array.of(text + 0.1, window + 0.3, 0.7),
  tokens: { count: 1, codes: Int8Array.of(text, window), importance: Float32Array.of(window / 4) },
  weight,
})

function collect(order: readonly Unit[]) {
  const collector = createCollector()
  collector.start(1, 3)
  return order.map((each) => collector.add(each, encoded(each)))
}

test('a call is finished by its last window, whichever that is, and its texts are the same bit by bit', () => {
  const expected = collect(units).at(-1)
  assert.equal(expected?.length, 3)
  assert.deepEqual(expected?.[1]?.tokens, {
    count: 3,
    codes: Int8Array.of(1, 0, 1, 1, 1, 2),
    importance: Float32Array.of(0, 0.25, 0.5),
  })
  const orders = fc.shuffledSubarray(units, { minLength: units.length })
  fc.assert(
    fc.property(orders, (order) => {
      const results = collect(order)
      assert.ok(results.slice(0, -1).every((result) => result === null))
      assert.deepEqual(results.at(-1), expected)
    }),
  )
})

test('windows of a dropped call are ignored', () => {
  const collector = createCollector()
  collector.start(1, 1)
  collector.drop(1)
  assert.equal(collector.add(unit(0, 0, 1), encoded(unit(0, 0, 1))), null)
})
