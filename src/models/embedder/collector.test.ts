import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createCollector } from './collector.ts'
import type { Unit } from './scheduler.ts'

const unit = (text: number, window: number, windows: number): Unit => ({
  job: 1,
  text,
  window,
  windows,
  tokens: [],
  weight: window + 1,
})
const units = [unit(0, 0, 1), unit(1, 0, 3), unit(1, 1, 3), unit(1, 2, 3), unit(2, 0, 2), unit(2, 1, 2)]
const vectorOf = ({ text, window }: Unit): Float32Array => Float32Array.of(text + 0.1, window + 0.3, 0.7)

function collect(order: readonly Unit[]) {
  const collector = createCollector()
  collector.start(1, 3)
  return order.map((each) => collector.add(each, vectorOf(each)))
}

test('a call is finished by its last window, whichever that is, and its vectors are the same bit by bit', () => {
  const expected = collect(units).at(-1)
  assert.equal(expected?.length, 3)
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
  assert.equal(collector.add(unit(0, 0, 1), Float32Array.of(1)), null)
})
