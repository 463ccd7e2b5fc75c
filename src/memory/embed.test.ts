import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aNamespace, anItem, aRequest, openSmallMemory } from '../../test/support/small-memory.ts'
import { createWordEmbedder } from '../../test/support/small-models.ts'
import { vectorsOnly } from '../../test/support/vectors-only.ts'
import type { Embedder } from './ports.ts'

/** An embedder that leaves out the vector of every text in which it finds these words. */
function forgetful(words: RegExp): Embedder {
  const whole = createWordEmbedder()
  return {
    ...whole,
    ...vectorsOnly((texts, signal) =>
      whole.embed(
        texts.filter((text) => !words.test(text)),
        signal,
      ),
    ),
  }
}

for (const [what, words] of [
  ['a text', /^I live/],
  ['a name', /^Lisbon$/],
] as const) {
  test(`a missing vector of ${what} fails the ingest, and nothing is stored`, async () => {
    const { memory } = openSmallMemory({ parts: { embedder: forgetful(words) } })
    await assert.rejects(memory.ingest(aNamespace, anItem('I live in Lisbon.')), /vectors for/)
    const { failed } = await memory.ingestBatch(aNamespace, [anItem('I live in Lisbon.')])
    assert.equal(failed, 1)
    const counts = await memory.stats(aNamespace, null)
    assert.deepEqual(Object.values(counts), [0, 0, 0])
  })
}

test('a missing vector of a question fails the retrieve', async () => {
  const { memory } = openSmallMemory({ parts: { embedder: forgetful(/Where/) } })
  await memory.ingest(aNamespace, anItem('I live in Lisbon.'))
  await assert.rejects(memory.retrieve(aNamespace, aRequest('Where do I live?')), /0 vectors for 1 texts/)
})
