import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { normalize } from '../../core/vectors.ts'
import { openEncoder, TOKEN_WIDTH } from './encoder.ts'
import { openLowerLayers } from './lower.ts'
import { openTokenizer } from './tokenizer.ts'
import reference from './weights/reference.json' with { type: 'json' }

const [lower, tokenizer] = await Promise.all([openLowerLayers(1), openTokenizer()])
const encoder = await openEncoder(lower, 1)
/** Knows nothing of what the other has read. */
const fresh = await openEncoder(await openLowerLayers(1), 1)

/** The largest difference between numbers of two lists. */
const distance = (a: readonly number[], b: readonly number[]): number =>
  Math.max(...a.map((value, i) => Math.abs(value - (b[i] ?? Number.NaN))))

for (const { text, ids, vector, tokens, importance } of reference) {
  test(`answers as the trained model does, up to the 8 bits: ${text}`, async () => {
    const { first, last } = tokenizer.marks
    assert.deepEqual([first, ...tokenizer.encode(text), last], ids)
    const [encoded] = await encoder.encode([ids])
    assert.ok(encoded)
    assert.ok(distance(vector, [...normalize(encoded.vector)]) < 0.01)
    assert.ok(distance(importance, [...encoded.importance]) < 0.02)
    for (const [row, expected] of tokens.entries()) {
      const codes = encoded.tokens.subarray(row * TOKEN_WIDTH, (row + 1) * TOKEN_WIDTH)
      assert.ok(
        distance(
          expected,
          [...codes].map((code) => code / 127),
        ) < 0.03,
      )
      assert.ok(Math.abs(Math.hypot(...codes) - 127) < 4, 'a token vector has unit length')
    }
  })
}

test('a text is read the same, bit by bit, alone and in any company of its length', async () => {
  const length = fc.constantFrom(3, 8, 31, 100)
  const token = fc.integer({ min: 1_000, max: 30_000 })
  const batches = length.chain((size) =>
    fc.array(fc.array(token, { minLength: size, maxLength: size }), { minLength: 2, maxLength: 20 }),
  )
  await fc.assert(
    fc.asyncProperty(batches, async (texts) => {
      const together = await encoder.encode(texts)
      for (const [i, text] of texts.entries()) assert.deepEqual(together[i], (await fresh.encode([text]))[0])
    }),
    { numRuns: 12 },
  )
})

test('a text that was read before is read the same beside new ones', async () => {
  const texts = [2_000, 3_000, 4_000].map((word) => [101, word, word + 1, 102])
  await encoder.encode(texts.slice(1, 2))
  assert.deepEqual(await encoder.encode(texts), await fresh.encode(texts))
})

test('texts of unequal length are refused', () =>
  assert.rejects(encoder.encode([[101, 102], [101]]), /unequal length/))

test('a word is what has a letter or a digit', () => {
  const kinds = tokenizer.encode('Anna, 42 (naïve)!').map((id) => tokenizer.isWord(id))
  assert.deepEqual(kinds, [true, false, true, false, true, false, false])
  assert.equal(tokenizer.isWord(tokenizer.marks.first), false)
  assert.equal(tokenizer.isWord(tokenizer.marks.last), false)
})
