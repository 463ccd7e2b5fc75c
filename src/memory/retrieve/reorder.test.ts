import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { longContextOrder } from './reorder.ts'

test('puts the best at both ends and the least in the middle', () => {
  assert.deepEqual(longContextOrder([1, 2, 3, 4, 5]), [1, 3, 5, 4, 2])
  assert.deepEqual(longContextOrder([1, 2, 3, 4]), [1, 3, 4, 2])
  assert.deepEqual(longContextOrder([1]), [1])
  assert.deepEqual(longContextOrder([]), [])
})

test('loses and adds nothing, and quality falls from each end to the middle', () => {
  fc.assert(
    fc.property(fc.nat(40), (count) => {
      const ranks = Array.from({ length: count }, (_, rank) => rank)
      const ordered = longContextOrder(ranks)
      assert.deepEqual(
        ordered.toSorted((a, b) => a - b),
        ranks,
      )
      const middle = ordered.indexOf(Math.max(-1, ...ranks))
      const front = ordered.slice(0, middle + 1)
      const back = ordered.slice(Math.max(0, middle)).toReversed()
      for (const side of [front, back])
        assert.deepEqual(
          side,
          side.toSorted((a, b) => a - b),
        )
    }),
  )
})
