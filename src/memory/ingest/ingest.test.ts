import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aNamespace, anItem, openSmallMemory } from '../../../test/support/small-memory.ts'
import { ServiceError } from '../../core/errors.ts'
import type { IngestReply } from '../memory.ts'
import type { Extractor, MemoryStores } from '../ports.ts'

const everything = { ids: null, persona: null, sessionId: null }

describe('ingest', () => {
  test('counts the relationships, chunks and entities that it stored', async () => {
    const { ingest, memory } = openSmallMemory()
    const reply = await ingest('I live in Lisbon. Ana works at Siemens.')
    assert.equal(reply.factsIngested, 2)
    assert.equal(reply.triplesExtracted, reply.factsIngested)
    assert.equal(reply.episodicChunks, 1)
    assert.equal(reply.entitiesExtracted, 4)
    assert.equal(reply.deduplicated, false)
    assert.match(reply.msg, /2 facts, 1 episodic chunk and 4 entities/)
    assert.ok(reply.latencyMs >= 0)
    assert.deepEqual(await memory.stats(aNamespace, 'shared'), {
      episodicCount: 1,
      semanticEntities: 4,
      semanticRelations: 2,
    })
  })

  test('does not touch working memory without a session', async () => {
    const { ingest } = openSmallMemory()
    assert.equal((await ingest('I live in Lisbon.')).workingMemoryUpdated, false)
  })

  test('updates the session: its topic, and the facts that the text gave', async () => {
    const { ingest, stores, clock } = openSmallMemory()
    assert.equal((await ingest('I live in Lisbon.', { sessionId: 's' })).workingMemoryUpdated, true)
    const session = await stores.working.session(aNamespace, 's', clock.now())
    assert.deepEqual(
      session?.facts.map(({ fact }) => fact),
      ['user lives in Lisbon'],
    )
  })

  test('keeps a text without facts hot as it is', async () => {
    const { ingest, stores, clock } = openSmallMemory()
    await ingest('The weather was lovely.', { sessionId: 's' })
    const session = await stores.working.session(aNamespace, 's', clock.now())
    assert.deepEqual(
      session?.facts.map(({ fact }) => fact),
      ['The weather was lovely.'],
    )
  })

  test('works without working memory, and says that it was not updated', async () => {
    const { ingest } = openSmallMemory({ around: withoutWorking })
    const reply = await ingest('I live in Lisbon.', { sessionId: 's' })
    assert.equal(reply.workingMemoryUpdated, false)
    assert.equal(reply.factsIngested, 1)
  })

  for (const [source, chunk, fact] of [
    ['user', 1, 1],
    ['document', 0.8, 0.72],
    ['assistant', 0.6, 0.54],
  ] as const) {
    test(`trusts a ${source}'s text ${chunk}, and times the extractor's 0.9 a fact of it ${fact}`, async () => {
      const { ingest, memory } = openSmallMemory()
      await ingest('Ana lives in Lisbon.', { source })
      const { memories } = await memory.list(aNamespace, wholeList)
      const confidence = (type: string) =>
        memories.find((record) => record.type === type)?.confidence ?? Number.NaN
      assert.ok(Math.abs(confidence('episodic') - chunk) < 1e-9)
      assert.ok(Math.abs(confidence('semantic') - fact) < 1e-9)
    })
  }

  test('stores the metadata with chunk and facts', async () => {
    const { ingest, memory } = openSmallMemory()
    await ingest('I live in Lisbon.', { metadata: { from: 'test' } })
    const { memories } = await memory.list(aNamespace, wholeList)
    assert.deepEqual(
      memories.map(({ metadata }) => metadata),
      [{ from: 'test' }, { from: 'test' }],
    )
  })

  test('does not store what is only supposed', async () => {
    const { ingest } = openSmallMemory()
    const reply = await ingest('If I lived in Lisbon.')
    assert.equal(reply.factsIngested, 0)
    assert.equal(reply.episodicChunks, 1)
  })

  test('cuts a long text into chunks whose offsets point into it', async () => {
    const { ingest, stores } = openSmallMemory()
    const text = `  ${Array.from({ length: 80 }, (_, at) => `Sentence number ${at} tells of subject ${at % 3}.`).join(' ')}`
    const { episodicChunks } = await ingest(text)
    const chunks = await stores.episodic.list(aNamespace, wholeFilter, { after: null, limit: 100 })
    assert.ok(episodicChunks > 1)
    assert.equal(chunks.length, episodicChunks)
    for (const chunk of chunks) assert.equal(text.slice(chunk.start, chunk.end), chunk.text)
  })

  test('embeds a short text once, and of the facts only names that are new', async () => {
    const { ingest, embedder } = openSmallMemory()
    await ingest('I live in Lisbon.')
    assert.deepEqual(embedder.asked, ['I live in Lisbon.', 'user', 'Lisbon'])
    embedder.asked.length = 0
    await ingest('I work at Lisbon.')
    assert.deepEqual(embedder.asked, ['I work at Lisbon.'])
  })
})

describe('deduplication', () => {
  test('skips a near-duplicate: counts 0, the message says so and how similar, the session moves on', async () => {
    const { ingest, memory } = openSmallMemory()
    await ingest('I live in Lisbon.')
    const reply = await ingest('i live in Lisbon!', { sessionId: 's' })
    assert.deepEqual(counts(reply), [0, 0, 0, 0])
    assert.equal(reply.deduplicated, true)
    assert.match(reply.msg, /near-duplicate.*similarity 1\.00/)
    assert.equal(reply.workingMemoryUpdated, true)
    assert.equal((await memory.stats(aNamespace, null)).episodicCount, 1)
  })

  test('counts the matched chunk as accessed', async () => {
    const { ingest, memory, clock } = openSmallMemory()
    await ingest('I live in Lisbon.')
    clock.advance(86_400)
    await ingest('I live in Lisbon.')
    const { memories } = await memory.list(aNamespace, { ...wholeList, type: 'episodic' })
    assert.deepEqual(
      memories.map(({ accessCount, lastAccessAt }) => [accessCount, lastAccessAt]),
      [[1, clock.now()]],
    )
  })

  test('looks at the same persona only', async () => {
    const { ingest } = openSmallMemory()
    await ingest('I live in Lisbon.')
    assert.equal((await ingest('I live in Lisbon.', { persona: 'work' })).deduplicated, false)
  })

  test('upgrades what a less trusted source said', async () => {
    const { ingest, memory } = openSmallMemory()
    await ingest('Ana lives in Lisbon.', { source: 'document' })
    const reply = await ingest('Ana lives in Lisbon.', { source: 'user' })
    assert.deepEqual(counts(reply), [0, 0, 0, 0])
    assert.equal(reply.deduplicated, true)
    assert.match(reply.msg, /upgraded/)
    const { memories } = await memory.list(aNamespace, wholeList)
    assert.deepEqual(
      memories.map(({ source, confidence }) => [source, confidence]),
      [
        ['user', 1],
        ['user', 1],
      ],
    )
  })

  test('does not downgrade what a more trusted source said', async () => {
    const { ingest, memory } = openSmallMemory()
    await ingest('Ana lives in Lisbon.', { source: 'user' })
    const reply = await ingest('Ana lives in Lisbon.', { source: 'assistant' })
    assert.match(reply.msg, /near-duplicate/)
    const { memories } = await memory.list(aNamespace, wholeList)
    assert.ok(memories.every(({ source }) => source === 'user'))
  })

  test('what was replaced meanwhile may be said again: Lisbon, Berlin, Lisbon', async () => {
    const { ingest, find } = openSmallMemory()
    await ingest('I live in Lisbon.')
    await ingest('I live in Berlin.')
    assert.equal((await ingest('I live in Lisbon.')).deduplicated, false)
    assert.equal((await find('Where do I live?', { includeEpisodic: false }))[0], 'user lives in Lisbon')
  })

  test('skips a long text only when every piece of it is there, in order', async () => {
    const { ingest } = openSmallMemory()
    const piece = (name: string) =>
      Array.from({ length: 20 }, (_, at) => `${name} told me story ${at} about the ${name} house.`)
    const text = [...piece('Anna'), ...piece('Boris'), ...piece('Clara')].join(' ')
    assert.ok((await ingest(text)).episodicChunks > 2)
    assert.equal((await ingest(text)).deduplicated, true)
    assert.equal((await ingest(text.replace('story 3 ', 'story 33 '))).deduplicated, false)
  })

  test('stores a text once that is ingested many times at once', async () => {
    const { ingest, memory } = openSmallMemory()
    const replies = await Promise.all(Array.from({ length: 10 }, () => ingest('I live in Lisbon.')))
    assert.equal(replies.filter(({ deduplicated }) => !deduplicated).length, 1)
    assert.equal((await memory.stats(aNamespace, null)).episodicCount, 1)
  })

  test('a forgotten text is not blocked by leftovers', async () => {
    const { ingest, memory } = openSmallMemory()
    await ingest('I live in Lisbon.')
    await memory.forget(aNamespace, { by: 'everything' })
    assert.equal((await ingest('I live in Lisbon.')).deduplicated, false)
  })
})

describe('LLM extraction', () => {
  const llm: Extractor = {
    extract: async (inputs) =>
      inputs.map(({ text }) => ({
        facts: [
          {
            ...{
              subject: 'Zoe',
              relation: 'knows',
              object: 'Yan',
              confidence: 0.9,
              negated: false,
              ended: false,
            },
            ...{ hypothetical: false, when: null, start: 0, end: text.length },
          },
        ],
        entities: [],
        notice: null,
      })),
  }
  const failing: Extractor = { extract: () => Promise.reject(new ServiceError('llm_unavailable')) }

  test('is used when asked for', async () => {
    const { ingest, memory } = openSmallMemory({ parts: { llmExtractor: llm } })
    await ingest('Zoe and Yan go back a long way.', { useLlmExtraction: true })
    const { memories } = await memory.list(aNamespace, { ...wholeList, type: 'semantic' })
    assert.deepEqual(
      memories.map(({ fact }) => fact),
      ['Zoe knows Yan'],
    )
  })

  test('is not used by default', async () => {
    const { ingest } = openSmallMemory({ parts: { llmExtractor: llm } })
    assert.equal((await ingest('Zoe and Yan go back a long way.')).factsIngested, 0)
  })

  for (const [state, llmExtractor, word] of [
    ['is not configured', null, /No LLM is configured/],
    ['fails', failing, /LLM could not be used/],
  ] as const) {
    test(`gives way to the default extractor when it ${state}, and the message says so`, async () => {
      const { ingest } = openSmallMemory({ parts: { llmExtractor } })
      const reply = await ingest('I live in Lisbon.', { useLlmExtraction: true })
      assert.equal(reply.factsIngested, 1)
      assert.match(reply.msg, word)
    })
  }
})

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

  test('asks each model once for many items', async () => {
    const { memory, extractor } = openSmallMemory()
    const items = Array.from({ length: 20 }, (_, at) => anItem(`Person number ${at} came by.`))
    await memory.ingestBatch(aNamespace, items)
    assert.equal(extractor.calls, 1)
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

function counts(reply: IngestReply): readonly number[] {
  return [reply.factsIngested, reply.episodicChunks, reply.entitiesExtracted, reply.triplesExtracted]
}

const wholeFilter = { persona: null, sessionId: null, source: null, since: null, until: null }
const wholeList = { ...wholeFilter, type: null, limit: 50, cursor: null }

function withoutWorking(stores: MemoryStores): MemoryStores {
  const down = () => Promise.reject(new ServiceError('store_unavailable'))
  return { ...stores, working: { observe: down, session: down, dropFacts: down, forget: down } }
}

function failingOn(
  text: string,
  error: Error = new ServiceError('storage_full'),
): (stores: MemoryStores) => MemoryStores {
  return (stores) => ({
    ...stores,
    journal: {
      remember: (namespace, item) =>
        item.chunks.some((chunk) => chunk.text === text)
          ? Promise.reject(error)
          : stores.journal.remember(namespace, item),
    },
  })
}

test('a failing graph or vector store rejects the ingest, and nothing is stored', async () => {
  const small = openSmallMemory({
    around: failingOn('I live in Lisbon.', new ServiceError('store_unavailable')),
  })
  await assert.rejects(small.ingest('I live in Lisbon.'), { code: 'store_unavailable' })
  assert.equal(await small.stores.episodic.count(aNamespace, everything), 0)
})
