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

test('a measure leaves without the noise of binary fractions; decay keeps what it promises, metadata everything', () => {
  const noisy = 0.6 * 0.68
  assert.notEqual(noisy, 0.408)
  const metadata = { score: noisy }
  const inside = {
    facts: [{ score: noisy, confidence: noisy, retention: noisy, metadata, createdAt: 1.23456789e9 }],
    reasoningChain: [{ confidence: noisy }],
    latencyMs: 1.23456,
  }
  assert.deepEqual(toWire(inside), {
    facts: [{ score: 0.408, confidence: 0.408, retention: 0.408, metadata, created_at: 1.23456789e9 }],
    reasoning_chain: [{ confidence: 0.408 }],
    latency_ms: 1.235,
  })
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (retention) => {
      const shown = toWire({ retention }) as { retention: number }
      assert.ok(Math.abs(shown.retention - retention) < 1e-9)
    }),
  )
})
