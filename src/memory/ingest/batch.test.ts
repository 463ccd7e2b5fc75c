import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aNamespace, anItem, openSmallMemory } from '../../../test/support/small-memory.ts'
import { createWordEmbedder } from '../../../test/support/small-models.ts'
import { vectorsOnly } from '../../../test/support/vectors-only.ts'
import { ServiceError } from '../../core/errors.ts'
import type { IngestReply } from '../memory.ts'
import type { MemoryStores } from '../ports.ts'

const wholeFilter = { persona: null, sessionId: null, source: null, since: null, until: null }
const wholeList = { ...wholeFilter, type: null, limit: 50, cursor: null }

const everything = { ids: null, persona: null, sessionId: null }

describe('batch ingest', () => {
  test('answers one result an item, in order, and the sums', async () => {
    const { memory } = openSmallMemory()
    const items = [anItem('I live in Lisbon.'), anItem('I live in lisbon'), anItem('Ana works at Siemens.')]
    const reply = await memory.ingestBatch(aNamespace, items)
    assert.deepEqual(
      reply.results.map((result) => 'deduplicated' in result && result.deduplicated),
      [false, true, false],
    )
    assert.deepEqual([reply.succeeded, reply.failed], [3, 0])
    assert.deepEqual(counts(reply), [2, 2, 4, 2])
  })

  test('an item of which no facts are to be read changes nothing for its neighbours', async () => {
    const { memory } = openSmallMemory()
    const items = [{ ...anItem('I live in Lisbon.'), readFacts: false }, anItem('Ana works at Siemens.')]
    const { results } = await memory.ingestBatch(aNamespace, items)
    assert.deepEqual(
      results.map((result) => 'factsIngested' in result && result.factsIngested),
      [0, 1],
    )
  })

  test('a later item may replace an earlier one, and a further one bring it back', async () => {
    const { memory, find } = openSmallMemory()
    const items = ['I live in Lisbon.', 'I live in Berlin.', 'I live in Lisbon.'].map((text) => anItem(text))
    const reply = await memory.ingestBatch(aNamespace, items)
    assert.equal(reply.factsIngested, 3)
    assert.equal((await find('Where do I live?', { includeEpisodic: false }))[0], 'user lives in Lisbon')
  })

  test('what one item closes is closed for the next, also when both were known before', async () => {
    const { memory, ingest } = openSmallMemory()
    await ingest('I live in Lisbon.')
    const items = ['I live in Berlin.', 'I live in Lisbon.'].map((text) => anItem(text))
    const { results } = await memory.ingestBatch(aNamespace, items)
    assert.deepEqual(
      results.map((result) => 'deduplicated' in result && result.deduplicated),
      [false, false],
    )
  })

  test('the sentence of a batch says where an LLM was asked for and not there, as that of an item does', async () => {
    const { memory } = openSmallMemory()
    const notice = 'No LLM is configured, so the default extractor was used.'
    const asked = { ...anItem('I live in Lisbon.'), useLlmExtraction: true }
    const one = await memory.ingestBatch(aNamespace, [asked])
    assert.ok(one.msg.endsWith(`1 episodic chunk and 2 entities. ${notice}`), one.msg)
    const texts = ['Ana works at Siemens.', 'Bea works at Nokia.', 'Cleo works at Bosch.']
    const items = texts.map((text, at) => ({ ...anItem(text), useLlmExtraction: at > 0 }))
    const several = await memory.ingestBatch(aNamespace, items)
    assert.ok(several.msg.endsWith(`For 2 items: ${notice}`), several.msg)
    const plain = await memory.ingestBatch(aNamespace, [anItem('Dora works at Siemens.')])
    assert.ok(!plain.msg.includes('LLM'), plain.msg)
  })

  test('an item that fails does not touch the others', async () => {
    const { memory } = openSmallMemory({ around: failingOn('poison') })
    const texts = ['I live in Lisbon.', 'poison', 'Ana works at Siemens.']
    const reply = await memory.ingestBatch(
      aNamespace,
      texts.map((text) => anItem(text)),
    )
    assert.deepEqual([reply.succeeded, reply.failed], [2, 1])
    assert.deepEqual(reply.results[1], { error: 'storage_full', detail: 'storage_full' })
  })

  test('a bug in an item tells nothing of itself', async () => {
    const { memory } = openSmallMemory({ around: failingOn('poison', new Error('secret')) })
    const reply = await memory.ingestBatch(aNamespace, [anItem('poison'), anItem('I live in Lisbon.')])
    assert.ok(!JSON.stringify(reply).includes('secret'))
    assert.deepEqual([reply.succeeded, reply.failed], [1, 1])
  })

  test('asks the extractor once for several items', async () => {
    const { memory, extractor } = openSmallMemory()
    const items = Array.from({ length: 20 }, (_, at) => anItem(`Person number ${at} came by.`))
    await memory.ingestBatch(aNamespace, items)
    assert.ok(extractor.calls <= items.length / 5, `${extractor.calls} calls`)
  })

  test('one text that a model cannot read fails alone', async () => {
    const embedder = createWordEmbedder()
    const { memory } = openSmallMemory({
      parts: {
        embedder: {
          ...embedder,
          ...vectorsOnly(async (texts) => {
            if (texts.includes('poison')) throw new ServiceError('store_unavailable')
            return embedder.embed(texts)
          }),
        },
      },
    })
    const texts = Array.from({ length: 20 }, (_, at) =>
      at === 11 ? 'poison' : `Person number ${at} came by.`,
    )
    const { results } = await memory.ingestBatch(
      aNamespace,
      texts.map((text) => anItem(text)),
    )
    assert.deepEqual(
      results.flatMap((result, at) => ('error' in result ? [at] : [])),
      [11],
    )
  })

  test('keeps the order of a batch in time', async () => {
    const { memory } = openSmallMemory()
    const texts = Array.from({ length: 70 }, (_, at) => `Story ${at} of the evening.`)
    await memory.ingestBatch(
      aNamespace,
      texts.map((text) => anItem(text)),
    )
    const { memories } = await memory.list(aNamespace, { ...wholeList, limit: 100 })
    assert.deepEqual(memories.map(({ fact }) => fact).toReversed(), texts)
  })
})

test('a failing graph or vector store rejects the ingest, and nothing is stored', async () => {
  const small = openSmallMemory({
    around: failingOn('I live in Lisbon.', new ServiceError('store_unavailable')),
  })
  await assert.rejects(small.ingest('I live in Lisbon.'), { code: 'store_unavailable' })
  assert.equal(await small.stores.episodic.count(aNamespace, everything), 0)
})

function counts(reply: IngestReply): readonly number[] {
  return [reply.factsIngested, reply.episodicChunks, reply.entitiesExtracted, reply.triplesExtracted]
}

function failingOn(
  text: string,
  error: Error = new ServiceError('storage_full'),
): (stores: MemoryStores) => MemoryStores {
  return (stores) => ({
    ...stores,
    journal: {
      ...stores.journal,
      remember: (namespace, item) =>
        item.chunks.some((chunk) => chunk.text === text)
          ? Promise.reject(error)
          : stores.journal.remember(namespace, item),
    },
  })
}
