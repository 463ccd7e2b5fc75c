import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { RetrieveReply, RetrieveRequest } from '../src/memory/memory.ts'
import { createDice, matchesNaively, someFilter, someMetadata } from '../src/stores/contracts/filters.ts'
import { aNamespace, openSmallMemory, type SmallMemory } from './support/small-memory.ts'

const places = ['Lisbon', 'Berlin', 'Rome']
const statement = fc.oneof(
  fc
    .constantFrom('I', 'Ana')
    .chain((who) =>
      fc
        .constantFrom(...places)
        .chain((place) =>
          fc.constantFrom(
            who === 'I' ? `I live in ${place}.` : `Ana lives in ${place}.`,
            who === 'I' ? `I work at ${place} Bank.` : `Ana works at ${place} Bank.`,
            who === 'I' ? `I no longer live in ${place}.` : `Ana no longer lives in ${place}.`,
            `I like ${place}. I live in ${place}.`,
            `I know Ana. Ana likes ${place}.`,
          ),
        ),
    ),
  fc.constantFrom('The weather in Lisbon was fine.', 'Ana baked bread for Rome.'),
)

const told = fc.record({
  text: statement,
  persona: fc.constantFrom('shared', 'shared', 'work'),
  sessionId: fc.constantFrom(null, 's', 't'),
  pause: fc.constantFrom(1, 100, 100_000),
})

const questions: readonly (readonly [string, Partial<RetrieveRequest>])[] = [
  ['Where do I live?', {}],
  ['Where does Ana live?', { k: 20, minScore: 0 }],
  ['Where do I live?', { includeEpisodic: false, k: 20, minScore: 0 }],
  ['Where did I live, in Lisbon?', { includeSemantic: false, k: 20, minScore: 0, persona: 'work' }],
  ['What does Ana like?', { maxHops: 3, k: 20, minScore: 0 }],
  ['What about the weather and the bread?', { maxHops: 2, k: 3 }],
]

/** An answer without what accesses change, and without how long it took. */
function answer(reply: RetrieveReply) {
  const { context, answerable, reasoningChain, episodicCount, semanticCount, workingCount } = reply
  const facts = reply.facts.map(({ id, fact, score, rank, superseded, until, sourceType, certainty }) => ({
    ...{ id, fact, score, rank, superseded, until, sourceType, certainty },
  }))
  return { context, answerable, reasoningChain, episodicCount, semanticCount, workingCount, facts }
}

async function answers(small: SmallMemory, asked: Partial<RetrieveRequest>) {
  const found = []
  for (const [query, request] of questions)
    found.push(answer(await small.retrieve(query, { ...request, ...asked })))
  return found
}

describe('as_of', () => {
  test('answers at any time as a memory that stopped then', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(told, { minLength: 2, maxLength: 12 }), async (texts) => {
        const small = openSmallMemory()
        const stopped = []
        for (const { text, persona, sessionId, pause } of texts) {
          small.clock.advance(pause)
          await small.ingest(text, { persona, sessionId })
          stopped.push({ asOf: small.clock.now(), expected: await answers(small, {}) })
        }
        small.clock.advance(1_000)
        for (const { asOf, expected } of stopped) {
          assert.deepEqual(await answers(small, { asOf }), expected)
          assert.deepEqual(await answers(small, { asOf: asOf + 0.5 }), expected)
        }
      }),
      { numRuns: 20 },
    )
  })

  test('what was replaced later still holds, what was replaced earlier does not', async () => {
    const small = openSmallMemory()
    const times: number[] = []
    for (const place of places) {
      await small.ingest(`I live in ${place}.`)
      times.push(small.clock.now())
      small.clock.advance(86_400)
    }
    const [lisbon = 0, berlin = 0] = times
    const then = await small.retrieve('Where do I live?', { asOf: berlin + 60, k: 10, minScore: 0 })
    const best = then.facts.find(({ rank }) => rank === 1)
    assert.match(best?.fact ?? '', /Berlin/)
    assert.deepEqual([best?.superseded, best?.until], [false, null])
    assert.ok(then.facts.every(({ fact }) => !fact.includes('Rome')))
    const old = then.facts.filter(({ fact }) => fact.includes('Lisbon'))
    assert.ok(old.length > 0 && old.every(({ superseded, until }) => superseded && until === berlin))
    assert.deepEqual((await small.retrieve('Where do I live?', { asOf: lisbon - 1 })).facts, [])
    const now = await small.retrieve('Where do I live?', { asOf: small.clock.now() + 1e9 })
    assert.match(now.facts.find(({ rank }) => rank === 1)?.fact ?? '', /Rome/)
  })

  test('leaves the working memory of the session out, which is about now', async () => {
    const small = openSmallMemory()
    await small.ingest('I like sardines.', { sessionId: 's' })
    const asked = { sessionId: 's', minScore: 0 }
    assert.ok((await small.retrieve('Anything?', asked)).workingCount > 0)
    assert.equal((await small.retrieve('Anything?', { ...asked, asOf: small.clock.now() })).workingCount, 0)
  })
})

describe('since and until', () => {
  test('only what was told in the span is found, in every memory, whatever replaced it', async () => {
    const small = openSmallMemory()
    const start = small.clock.now()
    for (const place of places) {
      await small.ingest(`I live in ${place}.`, { sessionId: 's' })
      small.clock.advance(100)
    }
    const span = { since: start + 100, until: start + 200, k: 20, minScore: 0, sessionId: 's', maxHops: 2 }
    const { facts } = await small.retrieve('Where do I live?', span)
    assert.ok(facts.length > 0)
    for (const { fact, createdAt, superseded } of facts) {
      assert.match(fact, /Berlin/)
      assert.deepEqual([createdAt, superseded], [start + 100, true])
    }
    assert.deepEqual((await small.retrieve('Where do I live?', { ...span, since: start + 300 })).facts, [])
  })
})

describe('a filter', () => {
  test('finds what comparing with every memory would, by retrieve, list and forget', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat({ max: 9 }), async (seed, size) => {
        const dice = createDice(seed)
        const metadatas = Array.from({ length: size + 1 }, () => someMetadata(dice))
        const filters = Array.from({ length: 4 }, () => someFilter(dice))
        const small = openSmallMemory()
        for (const [at, metadata] of metadatas.entries())
          await small.ingest(`Ana${at} knows Ben${at}.`, { metadata, sessionId: 's' })
        for (const filter of filters) {
          const expected = metadatas
            .flatMap((metadata, at) => (matchesNaively(filter, metadata) ? [`Ana${at}`] : []))
            .sort()
          const names = (memories: readonly { readonly fact: string }[]) =>
            [...new Set(memories.map(({ fact }) => fact.split(' ')[0]))].sort()
          const request = { filter, k: 20, minScore: 0, sessionId: 's', maxHops: 2 }
          for (const asked of [
            {},
            { includeSemantic: false },
            { includeEpisodic: false },
            { includeWorking: false },
          ]) {
            const { facts } = await small.retrieve('Who knows Ben?', { ...request, ...asked })
            assert.deepEqual(names(facts), expected, JSON.stringify(filter))
          }
          const all = { persona: null, type: null, sessionId: null, source: null, since: null, until: null }
          const list = { ...all, filter, limit: 100, cursor: null }
          const { memories } = await small.memory.list(aNamespace, list)
          assert.deepEqual([names(memories), memories.length], [expected, 2 * expected.length])
          const way = { by: 'filter', filter, persona: null, sessionId: null } as const
          const preview = await small.memory.previewForget(aNamespace, way)
          assert.deepEqual([preview.chunks, preview.relations], [expected.length, expected.length])
          assert.deepEqual(names(preview.memories), expected)
        }
        const [filter] = filters
        if (filter === undefined) return
        const way = { by: 'filter', filter, persona: null, sessionId: null } as const
        const { chunks, relations, remaining } = await small.memory.forget(aNamespace, way)
        const going = metadatas.filter((metadata) => matchesNaively(filter, metadata)).length
        assert.deepEqual([chunks, relations, remaining], [going, going, 0])
        const left = await small.memory.stats(aNamespace, null)
        assert.equal(left.episodicCount, metadatas.length - going)
      }),
      { numRuns: 25 },
    )
  })

  test('finds k results where there are k, however many others are nearer', async () => {
    const small = openSmallMemory()
    for (let at = 0; at < 60; at++) await small.ingest(`I like tea number ${at}.`)
    for (let at = 0; at < 4; at++)
      await small.ingest(`A talk about tea ${at}.`, { metadata: { kind: 'talk' } })
    const filter = { field: 'kind', in: ['talk'] }
    const { facts } = await small.retrieve('Which tea do I like?', { filter, k: 4, minScore: 0 })
    assert.equal(facts.length, 4)
  })

  test('does not add what replaced a memory when that lies outside, and explains it', async () => {
    const small = openSmallMemory()
    await small.ingest('I live in Lisbon.', { metadata: { kind: 'old' } })
    await small.ingest('I live in Rome.', { metadata: { kind: 'new' } })
    const filter = { field: 'kind', in: ['old'] }
    const { facts } = await small.retrieve('Where do I live?', { filter, k: 20, minScore: 0 })
    assert.ok(
      facts.length > 0 && facts.every(({ fact, superseded }) => fact.includes('Lisbon') && superseded),
    )
    const all = await small.retrieve('Where do I live?', { k: 20 })
    const rome = all.facts.find(({ fact }) => fact.includes('Rome'))
    const why = await small.retrieve('Where do I live?', { filter, explain: { id: rome?.id ?? '' } })
    assert.equal(why.explanation?.memory?.outcome, 'outside')
  })
})
