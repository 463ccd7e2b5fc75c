import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aNamespace, openSmallMemory } from '../../../test/support/small-memory.ts'
import { createWordEmbedder } from '../../../test/support/small-models.ts'
import { vectorsOnly } from '../../../test/support/vectors-only.ts'
import { normalize } from '../../core/vectors.ts'
import type { IngestReply } from '../memory.ts'
import type { StatementRelation } from '../ports.ts'

const wholeFilter = { persona: null, sessionId: null, source: null, since: null, until: null }
const wholeList = { ...wholeFilter, type: null, limit: 50, cursor: null }

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

  test('what may have been replaced is stored again when it is told again, stands first, and once more is a repetition', async () => {
    const chances = { same: 0, replaces: 0.9, ends: 0, beside: 0.1 }
    const relation: StatementRelation = { judge: async (pairs) => pairs.map(() => chances) }
    const { ingest, find, clock } = openSmallMemory({ parts: { relation } })
    await ingest('My train goes at 7:42.')
    clock.advance(60)
    await ingest('My train goes at 8:12.')
    const then = clock.now()
    const first = async (asked = {}) => (await find('My train goes at 7:42.', asked))[0]
    assert.equal(await first(), 'My train goes at 8:12.')
    clock.advance(60)
    assert.equal((await ingest('My train goes at 7:42.')).deduplicated, false)
    assert.equal(await first(), 'My train goes at 7:42.')
    assert.equal((await ingest('My train goes at 7:42.')).deduplicated, true)
    assert.equal(await first({ asOf: then }), 'My train goes at 8:12.')
  })

  test('what cannot come to hold, because a more trusted source says otherwise, is stored once', async () => {
    const { ingest, memory } = openSmallMemory()
    await ingest('I live in Oslo.')
    const replies = []
    for (let round = 0; round < 3; round++)
      replies.push(await ingest('You live in Paris.', { source: 'assistant' }))
    assert.deepEqual(
      replies.map(({ deduplicated }) => deduplicated),
      [false, true, true],
    )
    assert.equal((await memory.stats(aNamespace, null)).episodicCount, 2)
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

  test('what only the journal knows is refused when it is identical, and msg says the cosine that was measured', async () => {
    let turned = 0
    const base = createWordEmbedder()
    /** A model that never says quite the same twice. */
    const embed: typeof base.embed = async (texts) =>
      (await base.embed(texts)).map((vector) =>
        normalize(vector.map((value, at) => value + (at === turned ? 0.3 : 0))),
      )
    const { memory, ingest } = openSmallMemory({
      around: (stores) => ({ ...stores, episodic: { ...stores.episodic, nearest: async () => [] } }),
      parts: { embedder: { ...base, ...vectorsOnly(embed) } },
    })
    await ingest('I live in Lisbon.')
    turned = 1
    const [again, spaced] = [await ingest('I live in Lisbon.'), await ingest('I live in  Lisbon.')]
    assert.equal(again.deduplicated, true)
    assert.match(again.msg, /similarity 0\.\d\d/)
    assert.equal(spaced.deduplicated, false)
    assert.equal((await memory.stats(aNamespace, null)).episodicCount, 2)
  })

  test('what is gone again when the journal named it is not called stored: the call fails and can be sent again', async () => {
    const { ingest } = openSmallMemory({
      around: (stores) => ({
        ...stores,
        episodic: { ...stores.episodic, nearest: async () => [], get: async () => [] },
      }),
    })
    await ingest('I live in Lisbon.')
    await assert.rejects(ingest('I live in Lisbon.'), { code: 'store_unavailable' })
  })

  test('a forgotten text is not blocked by leftovers', async () => {
    const { ingest, memory } = openSmallMemory()
    await ingest('I live in Lisbon.')
    await memory.forget(aNamespace, { by: 'everything' })
    assert.equal((await ingest('I live in Lisbon.')).deduplicated, false)
  })
})

function counts(reply: IngestReply): readonly number[] {
  return [reply.factsIngested, reply.episodicChunks, reply.entitiesExtracted, reply.triplesExtracted]
}
