import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { asChunkId, asItemId } from '../../core/ids.ts'
import type { FoundChunk } from '../ports.ts'
import { type Candidate, noMatch } from './candidate.ts'
import { featureNames } from './feature-rows.ts'
import {
  answerSigns,
  bandScore,
  type Row,
  scoreRows,
  type Weights,
  type Whole,
  weights,
  withReading,
} from './rank.ts'

const fitted = [weights.late, weights.plain]
const unit = fc.double({ min: 0, max: 1, noNaN: true })
const row = fc
  .record({
    features: fc.array(unit, { minLength: featureNames.length, maxLength: featureNames.length }),
    isFact: fc.boolean(),
    isByPerson: fc.boolean(),
  })
  .map(({ features, ...rest }): Row => ({ ...rest, features: Float64Array.from(features) }))
const whole = fc.record({ late: unit, least: unit, asksSlot: fc.boolean(), asksKind: fc.boolean() })
const rows = fc.array(row, { minLength: 1, maxLength: 12 })

test('every feature and every sign has a weight, and every weight a feature or a sign', () => {
  for (const { features, answerable } of fitted) {
    assert.deepEqual(Object.keys(features).toSorted(), featureNames.toSorted())
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

describe('what is read in the best texts', () => {
  const read = (list: readonly Row[], about: Whole, chosen: Weights, chances: readonly number[]) => {
    const { scores, answerable, crowd } = scoreRows(list, about, chosen)
    const scored = scores.map((score, at) => ({
      ...{ ...score, read: 0, features: new Float64Array(), candidate: candidateOf(at) },
    }))
    const reads = new Map(chances.map((chance, at) => [asChunkId(`${at}`), chance]))
    return { before: scores, after: withReading({ scored, answerable, crowd, weights: chosen }, reads) }
  }

  test('of one text, it moves every score the same way, and no place', () => {
    for (const chosen of fitted) {
      fc.assert(
        fc.property(rows, whole, unit, unit, (list, about, a, b) => {
          const [less, more] = [Math.min(a, b), Math.max(a, b)].map((chance) =>
            read(list, about, chosen, [chance]),
          )
          assert.ok(less !== undefined && more !== undefined)
          assert.ok(0 <= less.after.answerable && less.after.answerable <= more.after.answerable)
          assert.ok(more.after.answerable <= 1)
          for (const [at, one] of less.after.scored.entries()) {
            assert.ok(one.score <= (more.after.scored[at]?.score ?? 0) + 1e-9)
            assert.ok(one.probability <= less.after.answerable + 1e-9)
            for (const [other, two] of less.after.scored.entries())
              if ((less.before[at]?.score ?? 0) > (less.before[other]?.score ?? 0))
                assert.ok(one.score >= two.score)
          }
        }),
      )
    }
  })

  test('of two texts, the one that answers less surely falls, by what the explanation says', () => {
    for (const chosen of fitted) {
      fc.assert(
        fc.property(rows, whole, unit, unit, (list, about, a, b) => {
          fc.pre(list.length >= 2)
          const { before, after } = read(list, about, chosen, [a, b])
          for (const [at, one] of after.scored.entries()) {
            assert.ok(one.read <= 0)
            const moved = (before[at]?.linear ?? 0) + chosen.reading.choice * one.read
            assert.ok(Math.abs(one.linear - moved) < 1e-9)
          }
          assert.equal(Math.max(...after.scored.slice(0, 2).map((one) => one.read)), 0)
        }),
      )
    }
  })
})

const kept = { base: 1, createdAt: 1, lastAccessAt: 1, accessCount: 0, pinned: false } as const

function candidateOf(at: number): Candidate {
  const chunk: FoundChunk = {
    ...{ ...kept, persona: 'shared', sessionId: null, source: 'user', metadata: null, speaker: null },
    ...{ id: asChunkId(`${at}`), itemId: asItemId(`${at}`), text: `text ${at}`, start: 0, end: 1 },
    ...{ factCount: 0, closedFactCount: 0, replaced: null },
  }
  return { id: chunk.id, chunk, fact: null, hot: null, hotRank: -1, hit: null, own: noMatch, path: null }
}
