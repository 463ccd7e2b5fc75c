import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { dot, normalize } from '../../core/vectors.ts'
import { assertSound, combineWindows } from './combine.ts'
import { createCentredScale, identityScale } from './common-scale.ts'
import { encoderScale } from './local-embedder.ts'

const unit = fc
  .array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: 384, maxLength: 384 })
  .map((values) => normalize(Float32Array.from(values)))
  .filter((vector) => dot(vector, vector) > 0.5)

test('mapped vectors have unit length', () => {
  fc.assert(
    fc.property(unit, (vector) => {
      const mapped = encoderScale.map(vector)
      assert.ok(Math.abs(dot(mapped, mapped) - 1) < 1e-5)
    }),
    { numRuns: 20 },
  )
})

test('a vector is seen from the shift', () => {
  const mapped = createCentredScale('test', Float32Array.of(0.5, 0)).map(Float32Array.of(0.8, 0.4))
  assert.ok(Math.abs((mapped[0] ?? 0) - 0.6) < 1e-6 && Math.abs((mapped[1] ?? 0) - 0.8) < 1e-6)
})

test('the identity scale leaves a vector as it is', () => {
  const vector = Float32Array.of(0.6, 0.8)
  assert.deepEqual(identityScale.map(vector), vector)
})

test('a long window counts more than a short one', () => {
  const { vector } = combineWindows([
    { vector: Float32Array.of(5, 0), tokens: null, weight: 3 },
    { vector: Float32Array.of(0, 9), tokens: null, weight: 4 },
  ])
  assert.ok(Math.abs((vector[0] ?? 0) - 0.6) < 1e-6 && Math.abs((vector[1] ?? 0) - 0.8) < 1e-6)
})

for (const [what, vector] of [
  ['not a number', Float32Array.of(Number.NaN, 1)],
  ['infinite', Float32Array.of(Number.POSITIVE_INFINITY, 1)],
  ['too short', Float32Array.of(1)],
] as const) {
  test(`a vector that is ${what} is refused`, () =>
    assert.throws(() => assertSound(vector, 2), /embedding model/))
}
