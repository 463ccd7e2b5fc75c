import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { ServiceError } from '../../core/errors.ts'
import { dot } from '../../core/vectors.ts'
import type { Embedder } from '../../memory/ports.ts'
import { createLocalEmbedder } from './local-embedder.ts'
import { verifyModelFiles } from './model-files.ts'

let cacheDir = ''
let embedder: Embedder & { close(): Promise<void> }

before(async () => {
  cacheDir = await mkdtemp(join(tmpdir(), 'embedder-'))
  // Without a memory of texts, so that every vector is computed anew.
  embedder = await createLocalEmbedder({ cacheDir, recentBytes: 0 })
})
after(async () => {
  await embedder.close()
  await rm(cacheDir, { recursive: true })
})

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

test('a text has the same vector, bit by bit, alone, in any company and in any order', async () => {
  const alone = new Map<string, Float32Array>()
  for (const text of texts) {
    const [vector] = await embedder.embed([text])
    assert.ok(vector)
    alone.set(text, vector)
  }
  const company = fc.array(fc.constantFrom(...texts), { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(company, async (batch) => {
      const vectors = await embedder.embed(batch)
      assert.equal(vectors.length, batch.length)
      for (const [i, text] of batch.entries()) assert.deepEqual(vectors[i], alone.get(text))
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
  const [nurse, twin, report] = await embedder.embed([
    'My sister Maria works as a nurse in Porto.',
    'my sister Maria works as a nurse in Porto',
    'The quarterly report is due on Friday, and nobody has started it.',
  ])
  assert.ok(nurse && twin && report)
  assert.ok(Math.abs(dot(nurse, report)) < 0.25, `unrelated: ${dot(nurse, report)}`)
  assert.ok(dot(nurse, twin) >= 0.92, `near-identical: ${dot(nurse, twin)}`)
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

test('the identity names weights, precision, scale and dimensions', () => {
  assert.deepEqual(embedder.identity, {
    model: 'gte-small',
    weights: '398a29991324e0b383afa13375d681ced3079c83e097fb1ebd9290d7498523b3/int8',
    scale: 'centred-2',
    dimensions: 384,
  })
})

test('a damaged cache is noticed and replaced', async () => {
  const [name = ''] = await readdir(cacheDir)
  await writeFile(join(cacheDir, name), 'not a model')
  const again = await createLocalEmbedder({ cacheDir })
  const [vector] = await again.embed(['I live in Lisbon'])
  assert.deepEqual([vector], await embedder.embed(['I live in Lisbon']))
  await again.close()
  assert.deepEqual(await readdir(cacheDir), [name])
})

test('the files of the model are what was published', async () => {
  const reports = await verifyModelFiles()
  assert.equal(reports.length, 3)
  for (const report of reports) assert.deepEqual([report.ok, report.problem], [true, null], report.file)
})

test('a cache that cannot be written costs time and nothing else', async () => {
  const blocked = join(cacheDir, 'blocked')
  await writeFile(blocked, '')
  const uncached = await createLocalEmbedder({ cacheDir: join(blocked, 'inside') })
  assert.deepEqual(await uncached.embed(['I live in Lisbon']), await embedder.embed(['I live in Lisbon']))
  await uncached.close()
})

test('closing rejects what is still waiting, and every later call', async () => {
  const other = await createLocalEmbedder({ cacheDir })
  const waiting = other.embed(texts)
  const refused = (cause: unknown): boolean => cause instanceof ServiceError && cause.code === 'shutting_down'
  await Promise.all([assert.rejects(waiting, refused), other.close()])
  await assert.rejects(other.embed(['late']), refused)
})
