import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { ServiceError } from '../../core/errors.ts'
import { dot } from '../../core/vectors.ts'
import type { Embedder, Encoding, TokenVectors } from '../../memory/ports.ts'
import { createLocalEmbedder } from './local-embedder.ts'

let embedder: Embedder & { close(): Promise<void> }

before(async () => {
  // Without a memory of texts, so that every vector is computed anew.
  embedder = await createLocalEmbedder({ recentBytes: 0 })
})
after(() => embedder.close())

const texts = [
  'I live in Lisbon',
  'lives in Lisbon',
  'I live in Berlin',
  'My sister Maria works as a nurse in Porto.',
  'The quarterly report is due on Friday, and nobody has started it.',
  '',
  '   ',
  'émigré naïve 日本語 🙂',
  'a',
  'word '.repeat(520),
]

test('a text has the same vectors, bit by bit, alone, in any company and in any order', async () => {
  const alone = new Map<string, Encoding>()
  for (const text of texts) {
    const [encoding] = await embedder.encode([text])
    assert.ok(encoding)
    assert.deepEqual(await embedder.embed([text]), [encoding.vector])
    alone.set(text, encoding)
  }
  const company = fc.array(fc.constantFrom(...texts), { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(company, async (batch) => {
      const encodings = await embedder.encode(batch)
      assert.equal(encodings.length, batch.length)
      for (const [i, text] of batch.entries()) assert.deepEqual(encodings[i], alone.get(text))
    }),
    { numRuns: 5 },
  )
})

test('concurrent calls each get their own vectors', async () => {
  const together = await Promise.all(texts.map((text) => embedder.embed([text])))
  const [alone] = await embedder.embed([texts[3] ?? ''])
  assert.deepEqual(together[3]?.[0], alone)
})

test('the common scale puts unrelated texts near 0 and near-identical ones above 0.92', async () => {
  const [nurse, repeat, report] = await embedder.embed([
    'My sister Maria works as a nurse in Porto.',
    'my sister Maria works as a nurse in Porto',
    'The quarterly report is due on Friday, and nobody has started it.',
  ])
  assert.ok(nurse && repeat && report)
  assert.ok(Math.abs(dot(nurse, report)) < 0.25, `unrelated: ${dot(nurse, report)}`)
  assert.ok(dot(nurse, repeat) >= 0.92, `near-identical: ${dot(nurse, repeat)}`)
  assert.ok(Math.abs(dot(nurse, nurse) - 1) < 1e-5)
})

test('the end of a long text counts: nothing is cut off', async () => {
  const opening = 'The committee met again and discussed the budget of the library. '.repeat(60)
  const [plain, changed, end] = await embedder.embed([
    opening,
    `${opening}${'My dog Rex swims in the cold sea every morning. '.repeat(12)}`,
    'My dog Rex swims in the cold sea every morning.',
  ])
  assert.ok(plain && changed && end)
  assert.ok(dot(changed, end) > dot(plain, end) + 0.05)
})

test('an aborted call rejects with its reason and does not hold up the next', async () => {
  const controller = new AbortController()
  const reason = new Error('nobody waits')
  const call = embedder.embed(
    texts.map((text) => `${text}!`),
    controller.signal,
  )
  controller.abort(reason)
  await assert.rejects(call, reason)
  await assert.rejects(embedder.embed(['late'], controller.signal), reason)
  assert.equal((await embedder.embed(['I live in Lisbon'])).length, 1)
})

test('no texts give no vectors', async () => {
  assert.deepEqual(await embedder.embed([]), [])
})

test('every word piece of a text has one row, punctuation has none, and long texts have each piece once', async () => {
  const [short, none, long] = await embedder.encode(['Anna, likes tea!', '?!', 'word '.repeat(1_300)])
  assert.equal(short?.tokens?.count, 3)
  assert.equal(none?.tokens?.count, 0)
  assert.equal(long?.tokens?.count, 1_300)
  for (const tokens of [short?.tokens, long?.tokens]) {
    assert.equal(tokens?.codes.length, 64 * (tokens?.count ?? 0))
    assert.equal(tokens?.importance.length, tokens?.count)
    assert.ok(tokens?.importance.every((value) => value > 0 && value < 1))
  }
})

test('a question is nearer to its answer than to another text, word by word', async () => {
  const [question, answer, other] = await embedder.encode([
    'Where does my sister work?',
    'Maria, my sister, is a nurse at the hospital in Porto.',
    'The quarterly report is due on Friday, and nobody has started it.',
  ])
  assert.ok(lateInteraction(question, answer) > lateInteraction(question, other) + 0.1)
})

/** For each word of the question its best match in the text, weighted by importance. */
function lateInteraction(question: Encoding | undefined, text: Encoding | undefined): number {
  assert.ok(question?.tokens && text?.tokens)
  const rows = ({ codes }: TokenVectors) =>
    Array.from({ length: codes.length / 64 }, (_, row) => codes.slice(row * 64, (row + 1) * 64))
  const found = rows(text.tokens)
  const best = rows(question.tokens).map((word) =>
    Math.max(
      ...found.map((other) => other.reduce((sum, code, i) => sum + code * (word[i] ?? 0), 0) / 127 ** 2),
    ),
  )
  const { importance } = question.tokens
  const total = importance.reduce((sum, weight) => sum + weight)
  return best.reduce((sum, match, i) => sum + match * (importance[i] ?? 0), 0) / total
}

test('the identity names the model, and changes with weights and scale', () => {
  const { model, weights, scale, dimensions } = embedder.identity
  assert.deepEqual([model, dimensions], ['memoryd-encoder', 384])
  assert.match(weights, /^[0-9a-f]{64}$/)
  assert.match(scale, /^centred-[0-9a-f]{8}$/)
})

test('closing rejects what is still waiting, and every later call', async () => {
  const other = await createLocalEmbedder()
  const waiting = other.embed(texts)
  const refused = (cause: unknown): boolean => cause instanceof ServiceError && cause.code === 'shutting_down'
  await Promise.all([assert.rejects(waiting, refused), other.close()])
  await assert.rejects(other.embed(['late']), refused)
})
