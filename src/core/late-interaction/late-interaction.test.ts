import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createLateScorer } from './late-interaction.ts'

const width = 64
const rows = (most: number) =>
  fc
    .array(fc.int8Array({ minLength: width, maxLength: width }), { minLength: 1, maxLength: most })
    .map((list) => Int8Array.from(list.flatMap((row) => [...row])))

/** The definition, word by word. */
function plainly(question: Int8Array, importance: Float32Array, text: Int8Array) {
  const count = question.length / width
  const best = Array.from({ length: count }, (_, q) => {
    let most = Number.NEGATIVE_INFINITY
    for (let t = 0; t < text.length; t += width) {
      let dot = 0
      for (let k = 0; k < width; k++) dot += (question[q * width + k] ?? 0) * (text[t + k] ?? 0)
      most = Math.max(most, dot)
    }
    return most / (127 * 127)
  })
  const sum = (list: readonly number[]) => list.reduce((a, b) => a + b, 0)
  const weights = [...importance]
  const largest = Math.max(...weights)
  return {
    matches: Float32Array.from(best),
    weighted: sum(best.map((match, at) => match * (weights[at] ?? 0))) / sum(weights),
    even: sum(best) / count,
    least: Math.min(1, ...best.filter((_, at) => (weights[at] ?? 0) >= largest / 2)),
  }
}

test('gives for every token of the question its best match, and of these the weighted, even and least', () => {
  const scorer = createLateScorer()
  fc.assert(
    fc.property(rows(6), fc.array(rows(9), { maxLength: 4 }), (codes, texts) => {
      const count = codes.length / width
      const importance = Float32Array.from({ length: count }, (_, at) => (at + 1) / (count + 1))
      const found = scorer.score({ count, codes, importance }, texts)
      assert.equal(found.length, texts.length)
      for (const [at, text] of texts.entries()) {
        const [is, due] = [found[at], plainly(codes, importance, text)]
        assert.ok(is)
        for (const name of ['weighted', 'even', 'least'] as const)
          assert.ok(Math.abs(is[name] - due[name]) < 1e-6, name)
        assert.deepEqual(is.matches, due.matches)
      }
    }),
    { numRuns: 50 },
  )
})

test('says nothing of a text without tokens, nor for a question without', () => {
  const scorer = createLateScorer()
  const one = { count: 1, codes: new Int8Array(width).fill(15), importance: Float32Array.of(1) }
  const none = { count: 0, codes: new Int8Array(), importance: new Float32Array() }
  assert.deepEqual(scorer.score(one, [null, new Int8Array()]), [null, null])
  assert.deepEqual(scorer.score(none, [one.codes]), [null])
})

test('refuses token vectors of another length', () => {
  const one = { count: 1, codes: new Int8Array(width), importance: Float32Array.of(1) }
  assert.throws(() => createLateScorer().score(one, [new Int8Array(width - 16)]), /another length/)
})
