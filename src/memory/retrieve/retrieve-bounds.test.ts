import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  aNamespace,
  anItem,
  aRequest,
  openSmallMemory,
  switchable,
  withLisbon,
} from '../../../test/support/small-memory.ts'
import { ServiceError } from '../../core/errors.ts'
import { asNamespace } from '../../core/ids.ts'

describe('compression', () => {
  test('shortens the facts and leaves out what is not needed', async () => {
    const compressContext = async ({ facts }: { facts: readonly string[] }) =>
      facts.map((fact) => (fact.includes('Lisbon') ? 'Lisbon' : null))
    const { retrieve } = await withLisbon(openSmallMemory({ parts: { compressContext } }))
    const { facts } = await retrieve('Where do I live?', { useCompression: true, minScore: 0 })
    assert.ok(facts.length > 0 && facts.every(({ fact }) => fact === 'Lisbon'))
  })

  for (const [state, compressContext] of [
    ['is not configured', null],
    ['fails', () => Promise.reject(new ServiceError('llm_unavailable'))],
  ] as const) {
    test(`answers uncompressed when the LLM ${state}`, async () => {
      const { find } = await withLisbon(openSmallMemory({ parts: { compressContext } }))
      assert.deepEqual(
        await find('Where do I live?', { useCompression: true }),
        await find('Where do I live?', { useCompression: false }),
      )
    })
  }
})

describe('degraded', () => {
  for (const [port, name] of [
    ['graph', 'neo4j'],
    ['episodic', 'qdrant'],
    ['working', 'redis'],
  ] as const) {
    test(`answers from the others when ${name} is down, and says so`, async () => {
      const { off, around } = switchable()
      const small = openSmallMemory({ around })
      await small.ingest('I live in Lisbon.', { sessionId: 's' })
      off.add(port)
      const reply = await small.retrieve('Where do I live?', { sessionId: 's', maxHops: 2 })
      assert.deepEqual(reply.degraded, [name])
      assert.ok(reply.facts.some(({ fact }) => fact.includes('Lisbon')))
    })
  }

  test('rejects when everything that was asked for is down', async () => {
    const { off, around } = switchable()
    const small = await withLisbon(openSmallMemory({ around }))
    off.add('graph').add('episodic')
    await assert.rejects(small.retrieve('Where do I live?'), { code: 'store_unavailable' })
    off.delete('graph')
    await assert.rejects(small.retrieve('Where do I live?', { includeSemantic: false }), {
      code: 'store_unavailable',
    })
  })

  test('a fault that is no outage is not taken for one', async () => {
    const broken = new Error('a bug')
    const small = openSmallMemory({
      around: (stores) => ({
        ...stores,
        episodic: { ...stores.episodic, search: () => Promise.reject(broken) },
      }),
    })
    await assert.rejects(small.retrieve('Where do I live?'), broken)
  })
})

describe('namespaces', () => {
  test('a search that returns what belongs to another namespace is not believed', async () => {
    const other = asNamespace('other')
    const small = openSmallMemory({
      around: (stores) => ({
        ...stores,
        episodic: { ...stores.episodic, search: (_, query) => stores.episodic.search(other, query) },
        graph: { ...stores.graph, searchFacts: (_, query) => stores.graph.searchFacts(other, query) },
      }),
    })
    await small.memory.ingest(other, anItem('I live in Lisbon.'))
    const { facts } = await small.retrieve('Where do I live?', { minScore: 0, maxHops: 3 })
    assert.deepEqual(facts, [])
  })

  test('scores do not depend on what other namespaces hold, nor on the neighbours of a batch', async () => {
    const words = fc.constantFrom('Lisbon', 'Berlin', 'tea', 'sardines', 'garden', 'Ana', 'Zoe', 'theatre')
    const noise = fc.array(
      fc.tuple(words, words, words).map((parts) => `I know ${parts.join(' and ')}.`),
      { maxLength: 12 },
    )
    const alone = await withLisbon(openSmallMemory())
    const expected = (await alone.retrieve('Where do I live?', { minScore: 0 })).facts.map(
      ({ fact, score }) => [fact, score],
    )
    await fc.assert(
      fc.asyncProperty(noise, async (texts) => {
        const small = openSmallMemory()
        const other = asNamespace('other')
        await small.memory.ingestBatch(
          other,
          texts.map((text) => anItem(text)),
        )
        const own = [anItem('I live in Lisbon.', { metadata: { id: 'm1' } }), anItem('I like sardines.')]
        await small.memory.ingestBatch(aNamespace, own)
        const [, reply] = await Promise.all([
          small.memory.retrieve(other, aRequest('Where do I live?')),
          small.retrieve('Where do I live?', { minScore: 0 }),
        ])
        assert.deepEqual(
          reply.facts.map(({ fact, score }) => [fact, score]),
          expected,
        )
      }),
      { numRuns: 25 },
    )
  })
})
