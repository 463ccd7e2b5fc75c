import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bandScore, probability } from './calibrate.ts'
import { weights } from './weights.ts'

for (const [chance, score] of [
  [0, 0],
  [0.007, 0.2],
  [0.08, 0.4],
  [0.35, 0.7],
  [1, 1],
] as const) {
  test(`a chance of ${chance} is a score of ${score}`, () => assert.equal(bandScore(chance), score))
}

const chance = fc.double({ min: 0, max: 1, noNaN: true })

test('a higher chance is a higher score, from 0 to 1', () => {
  fc.assert(
    fc.property(chance, chance, (a, b) => {
      const [low, high] = [bandScore(Math.min(a, b)), bandScore(Math.max(a, b))]
      assert.ok(low >= 0 && high <= 1 && low <= high)
      assert.ok(Math.abs(a - b) < 1e-9 || low < high)
    }),
  )
})

test('within one question the chance rises with the linear score, and a lead of the wrong speaker lowers it', () => {
  const crowd = { crowd: 8, elsewhere: 0 }
  assert.ok(probability(6, crowd, weights) > probability(5, crowd, weights))
  assert.ok(probability(6, crowd, weights) > probability(6, { ...crowd, elsewhere: 3 }, weights))
})

test('the more rivals a text has, the smaller its chance', () => {
  const at = (crowd: number) => probability(6, { crowd, elsewhere: 0 }, weights)
  assert.ok(at(6) > at(7))
})
