import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aNamespace, anItem, openSmallMemory } from '../../../test/support/small-memory.ts'
import { ServiceError } from '../../core/errors.ts'
import type { Extractor, MemoryStores } from '../ports.ts'

const wholeFilter = { persona: null, sessionId: null, source: null, since: null, until: null }
const wholeList = { ...wholeFilter, type: null, limit: 50, cursor: null }

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

  test('keeps a text alone where no facts are to be read, and finds it', async () => {
    const { ingest, memory, find } = openSmallMemory()
    const reply = await ingest('I live in Lisbon.', { readFacts: false })
    assert.deepEqual([reply.factsIngested, reply.entitiesExtracted, reply.episodicChunks], [0, 0, 1])
    const { memories } = await memory.list(aNamespace, wholeList)
    assert.deepEqual(
      memories.map(({ type, fact }) => [type, fact]),
      [['episodic', 'I live in Lisbon.']],
    )
    assert.deepEqual(await find('Where do I live?'), ['I live in Lisbon.'])
  })

  test('names the memories that hold the text, the known ones where it repeats them', async () => {
    const { ingest, memory } = openSmallMemory()
    const [first, again] = [await ingest('I live in Lisbon.'), await ingest('I live in lisbon')]
    assert.equal((await memory.get(aNamespace, first.ids?.[0] ?? ''))?.fact, 'I live in Lisbon.')
    assert.deepEqual(again.ids, first.ids)
  })

  describe('the extractor is told what came before', () => {
    /** What the extractor was told before each text. */
    const listening = () => {
      const told: (string | null)[] = []
      const extractor: Extractor = {
        extract: async (inputs) =>
          inputs.map(({ before = null, text }) => {
            told.push(before)
            const fact = { subject: 'Ana', relation: 'said', object: text, confidence: 1, when: null }
            const flags = { negated: false, ended: false, hypothetical: false, start: 0, end: text.length }
            return { facts: [{ ...fact, ...flags }], entities: [], notice: null }
          }),
      }
      return { told, small: openSmallMemory({ parts: { extractor } }) }
    }

    test('in the same session and persona, where the text leans on it', async () => {
      const { told, small } = listening()
      const say = (text: string, sessionId: string | null, persona = 'shared') =>
        small.ingest(text, { sessionId, persona })
      await say('Ana moved to Porto', 's', 'work')
      await say('She likes it there', 's', 'work')
      await say('Nobody came', 's', 'work')
      await say('She left again', null, 'work')
      await say('She paints', 's', 'home')
      await say('She sings', 'other', 'work')
      assert.deepEqual(told, [null, 'Ana moved to Porto.', null, null, null, null])
    })

    test('in a conversation, by the messages before it, also without a session', async () => {
      const { told, small } = listening()
      const { text: _, source: __, ...item } = anItem('')
      const messages = ['Ana moved to Porto', 'She likes it there.', 'She paints.'].map((content) => ({
        ...{ role: 'user' as const, content, name: null, occurredAt: null },
      }))
      await small.memory.ingest(aNamespace, { ...item, messages })
      assert.deepEqual(told, [null, 'Ana moved to Porto.', 'Ana moved to Porto. She likes it there.'])
    })

    test('by the last texts of the session, each once, whatever they told', async () => {
      const { told, small } = listening()
      for (const text of ['Ana moved to Porto', 'She likes it there', 'She paints'])
        await small.ingest(text, { sessionId: 's' })
      assert.deepEqual(told, [null, 'Ana moved to Porto.', 'Ana moved to Porto. She likes it there.'])
    })

    test('in a batch, by the item before it', async () => {
      const { told, small } = listening()
      const items = ['Ana moved to Porto.', 'Tea is ready.', 'She likes it there.'].map((text, at) =>
        anItem(text, { sessionId: at === 1 ? 'other' : 's' }),
      )
      await small.memory.ingestBatch(aNamespace, items)
      assert.deepEqual(told, [null, null, 'Ana moved to Porto.'])
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

  test('a full name that comes later is the person whose first name is known, in that persona alone', async () => {
    const { ingest, stores } = openSmallMemory()
    await ingest('Maria works at Siemens.')
    await ingest('Maria Silva lives in Lisbon.')
    const nodes = await stores.graph.entitiesNamed(aNamespace, ['maria', 'maria silva'])
    assert.equal(nodes.length, 1)
    const edges = await stores.graph.expand(aNamespace, {
      ...{ entities: nodes.map(({ id }) => id), personas: null, limit: 10 },
    })
    assert.deepEqual(edges.edges.map(({ fact }) => fact).sort(), [
      'Maria Silva lives in Lisbon',
      'Maria works at Siemens',
    ])
    await ingest('Maria Costa lives in Porto.')
    assert.equal((await stores.graph.entitiesNamed(aNamespace, ['maria costa'])).length, 1)
    await ingest('Tom works at Siemens.')
    await ingest('Tom Berg lives in Oslo.', { persona: 'home' })
    assert.equal((await stores.graph.entitiesNamed(aNamespace, ['tom', 'tom berg'])).length, 2)
  })
})

function withoutWorking(stores: MemoryStores): MemoryStores {
  const down = () => Promise.reject(new ServiceError('store_unavailable'))
  return { ...stores, working: { observe: down, session: down, dropFacts: down, forget: down } }
}
