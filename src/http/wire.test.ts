import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fromWire, toWire } from './wire.ts'

test('names change at every depth, metadata stays as the caller wrote it', () => {
  const wire = { dry_run: true, items: [{ session_id: 's', metadata: { my_key: { inner_key: 1 } } }], k: 1 }
  const inside = { dryRun: true, items: [{ sessionId: 's', metadata: { my_key: { inner_key: 1 } } }], k: 1 }
  assert.deepEqual(fromWire(wire), inside)
  assert.deepEqual(toWire(inside), wire)
})

test('there and back again is the same, for any names of our kind', () => {
  const name = fc.stringMatching(/^[a-z]{1,5}(_[a-z]{1,5}){0,3}$/).filter((word) => word !== 'metadata')
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.integer(),
      fc.string(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
    ),
  }))
  fc.assert(fc.property(value, (wire) => assert.deepEqual(toWire(fromWire(wire)), wire)))
})
