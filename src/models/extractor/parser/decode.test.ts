import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeTree } from './decode.ts'

const sizes = fc.integer({ min: 2, max: 12 })
const matrices = sizes.chain((size) =>
  fc
    .array(fc.double({ min: -10, max: 10, noNaN: true }), { minLength: size * size, maxLength: size * size })
    .map((values) => ({ size, values })),
)

test('whatever the scores: every word has a head, one root, no cycle', () =>
  fc.assert(
    fc.property(matrices, ({ size, values }) => {
      const heads = decodeTree({
        size,
        at: (dependent, head) => (dependent === head ? -1e4 : (values[dependent * size + head] ?? 0)),
      })
      const roots = [...heads].filter((head, word) => word > 0 && head === 0)
      assert.equal(roots.length, 1)
      for (let word = 1; word < size; word++) {
        let steps = 0
        for (let at = word; at !== 0; at = heads[at] ?? 0) assert.ok(steps++ < size, 'a cycle')
      }
    }),
  ))

test('takes the best heads where they form a tree', () => {
  const best = [0, 2, 0, 2]
  const heads = decodeTree({ size: 4, at: (dependent, head) => (best[dependent] === head ? 1 : 0) })
  assert.deepEqual([...heads].slice(1), [2, 0, 2])
})
