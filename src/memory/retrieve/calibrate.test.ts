import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bandScore, probability, topicChance } from './calibrate.ts'
import { weights } from './weights.ts'

for (const [chance, score] of [
  [0, 0],
  [0.003, 0.2],
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

const crowd = { crowd: 8, words: 0.8, meaning: 0.5, elsewhere: 0 }

test('within one question the chance rises with the linear score', () => {
  assert.ok(probability(6, crowd, weights) > probability(5, crowd, weights))
})

const worse = {
  'more rivals': { crowd: 9 },
  'fewer shared words': { words: 0.3 },
  'no near meaning': { meaning: 0.1 },
  'a better match by somebody who is not named': { elsewhere: 2 },
}

for (const [what, change] of Object.entries(worse)) {
  test(`${what} lowers the chance`, () => {
    assert.ok(probability(6, { ...crowd, ...change }, weights) < probability(6, crowd, weights))
  })
}

for (const [what, found, least, most] of [
  ['nothing shared and nothing near', { words: 0, meaning: 0.1 }, 0, 0.05],
  ['no shared word, but a near meaning', { words: 0, meaning: 0.5 }, 0.9, 1],
  ['shared words and a near meaning', { words: 0.8, meaning: 0.6 }, 0.99, 1],
] as const) {
  test(`${what}: the memory speaks of the matter with a chance of ${least} to ${most}`, () => {
    const chance = topicChance(found, weights)
    assert.ok(chance >= least && chance <= most, `${chance}`)
  })
}

test('the only text there is stays below the floor when it has nothing to do with the question', () => {
  const alone = { crowd: 2, words: 0, meaning: 0.1, elsewhere: 0 }
  assert.ok(bandScore(probability(2, alone, weights)) < 0.2)
})
