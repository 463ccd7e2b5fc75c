import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { featureNames } from './feature-rows.ts'
import { answerSigns, bandScore, type Row, scoreRows, weights, weightsFor } from './rank.ts'

const fitted = [weights.late, weights.plain]
const unit = fc.double({ min: 0, max: 1, noNaN: true })
const row = fc
  .record({
    features: fc.array(unit, { minLength: featureNames.length, maxLength: featureNames.length }),
    isFact: fc.boolean(),
    isByPerson: fc.boolean(),
  })
  .map(({ features, ...rest }): Row => ({ ...rest, features: Float64Array.from(features) }))
const whole = fc.record({
  ...{ late: unit, least: unit, lengthiness: fc.double({ min: 0, max: 2, noNaN: true }) },
  ...{ asksSlot: fc.boolean(), asksKind: fc.boolean() },
})
const rows = fc.array(row, { minLength: 1, maxLength: 12 })

test('every feature and every sign has a weight, and every weight a feature or a sign', () => {
  for (const { features, lengthy = features, answerable } of fitted) {
    assert.deepEqual(Object.keys(features).toSorted(), featureNames.toSorted())
    assert.deepEqual(Object.keys(lengthy).toSorted(), featureNames.toSorted())
    assert.deepEqual(Object.keys(answerable).toSorted(), answerSigns.toSorted())
  }
})

test('without token vectors nothing is expected of them', () => {
  for (const name of featureNames.filter((one) => /^late|Late$/.test(one)))
    assert.equal(weights.plain.features[name], 0, name)
})

test('a score rises with the probability, from 0 to 1, over the edges of the bands', () => {
  for (const { bands } of fitted) {
    assert.ok(0 < bands.floor && bands.floor < bands.probable && bands.probable < bands.direct)
    assert.ok(bands.direct < 1)
    const edges = [0, bands.floor, bands.probable, bands.direct, 1].map((p) => bandScore(p, bands))
    assert.deepEqual(
      edges.map((score) => Number(score.toFixed(9))),
      [0, 0.2, 0.4, 0.7, 1],
    )
    fc.assert(
      fc.property(
        unit,
        unit,
        // Neighbouring doubles may round to one score.
        (a, b) => Math.abs(a - b) < 1e-12 || a < b === bandScore(a, bands) < bandScore(b, bands),
      ),
    )
  }
})

test('the order inside one question is the order of the linear score, between 0 and 1', () => {
  for (const chosen of fitted) {
    fc.assert(
      fc.property(rows, whole, (list, about) => {
        const { scores, answerable } = scoreRows(list, about, chosen)
        assert.ok(answerable >= 0 && answerable <= 1)
        for (const a of scores) {
          assert.ok(a.score >= 0 && a.score <= 1)
          for (const b of scores) if (a.linear > b.linear) assert.ok(a.score >= b.score)
        }
      }),
    )
  }
})

test('where much is said at a time other weights put in order what was found, and there is an answer as likely', () => {
  const { lengthy } = weights.late
  assert.ok(lengthy)
  fc.assert(
    fc.property(rows, whole, (list, about) => {
      const [short, long] = [0, 1.5].map((lengthiness) => ({ ...about, lengthiness }))
      assert.ok(short && long)
      assert.equal(weightsFor(short, weights.late), weights.late)
      assert.deepEqual(weightsFor(long, weights.late), { ...weights.late, features: lengthy })
      const [usual, other] = [short, long].map((one) => scoreRows(list, one, weights.late))
      const sole = scoreRows(list, short, { ...weights.late, features: lengthy })
      assert.equal(other?.answerable, usual?.answerable)
      assert.deepEqual(
        other?.scores.map(({ linear }) => linear),
        sole.scores.map(({ linear }) => linear),
      )
    }),
  )
})

test('the order of the candidates changes nothing', () => {
  fc.assert(
    fc.property(rows, whole, (list, about) => {
      const there = scoreRows(list, about, weights.late)
      const back = scoreRows(list.toReversed(), about, weights.late)
      for (const [at, { score }] of back.scores.toReversed().entries())
        assert.ok(Math.abs(score - (there.scores[at]?.score ?? 0)) < 1e-9)
    }),
  )
})
