import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aNamespace, anItem, openSmallMemory, type SmallMemory } from '../../test/support/small-memory.ts'
import { asNamespace } from '../core/ids.ts'
import type { ListRequest } from './memory.ts'

const wholeList: ListRequest = {
  ...{ persona: null, type: null, sessionId: null, source: null, since: null, until: null, limit: 50 },
  cursor: null,
}

describe('forget', () => {
  const gone = { minScore: 0, k: 20, maxHops: 3, sessionId: 's' } as const

  async function filled(): Promise<SmallMemory> {
    const small = openSmallMemory()
    await small.ingest('I live in Lisbon. I like tea.', { sessionId: 's' })
    await small.ingest('Ana works at Siemens.', { persona: 'work', sessionId: 's' })
    await small.ingest('We had a coffee with Ana.', { sessionId: 'other' })
    return small
  }

  const texts = async (small: SmallMemory) => {
    const { facts } = await small.retrieve('Ana Lisbon tea coffee Siemens live work like', gone)
    return facts.map(({ fact }) => fact)
  }

  test('by the id of a chunk: the text and all facts read from it are gone from every store', async () => {
    const small = await filled()
    const { memories } = await small.memory.list(aNamespace, {
      ...wholeList,
      type: 'episodic',
      persona: 'shared',
      sessionId: 's',
    })
    const reply = await small.memory.forget(aNamespace, { by: 'ids', ids: [memories[0]?.id ?? ''] })
    assert.deepEqual([reply.chunks, reply.relations, reply.entities, reply.remaining], [1, 2, 3, 0])
    assert.ok(!(await texts(small)).some((text) => /Lisbon|tea/.test(text)))
  })

  test('by the id of a fact: the text that says it goes with it', async () => {
    const small = await filled()
    const { memories } = await small.memory.list(aNamespace, {
      ...wholeList,
      type: 'semantic',
      persona: 'shared',
    })
    const lisbon = memories.find(({ fact }) => fact.includes('Lisbon'))
    const reply = await small.memory.forget(aNamespace, { by: 'ids', ids: [lisbon?.id ?? '', 'unknown'] })
    assert.deepEqual([reply.chunks, reply.relations, reply.remaining], [1, 2, 0])
    assert.ok(!(await texts(small)).some((text) => /Lisbon/.test(text)))
  })

  for (const way of [
    { by: 'ids', ids: ['id-000001'] },
    { by: 'session', sessionId: 's' },
    { by: 'filter', filter: { field: 'team', in: ['red'] }, persona: null, sessionId: null },
  ] as const)
    test(`by ${way.by}: a fact that another text told, too, stays as that one's`, async () => {
      const small = openSmallMemory()
      await small.ingest('I live in Lisbon. I like tea.', { sessionId: 's', metadata: { team: 'red' } })
      await small.ingest('I live in Lisbon. It rains.', { sessionId: 'other', metadata: { team: 'blue' } })
      const before = await small.memory.list(aNamespace, wholeList)
      const ids = before.memories
        .filter(({ fact }) => fact === 'I live in Lisbon. I like tea.')
        .map(({ id }) => id)
      const request = way.by === 'ids' ? { ...way, ids } : way
      const preview = await small.memory.previewForget(aNamespace, request)
      assert.deepEqual([preview.chunks, preview.relations, preview.entities], [1, 1, 1])
      const reply = await small.memory.forget(aNamespace, request)
      assert.deepEqual([reply.chunks, reply.relations, reply.entities, reply.remaining], [1, 1, 1, 0])
      const left = (await small.memory.list(aNamespace, wholeList)).memories
      assert.deepEqual(left.map(({ fact }) => fact).toSorted(), [
        ...['I live in Lisbon. It rains.', 'user lives in Lisbon'],
      ])
      assert.ok(left.every(({ sessionId }) => sessionId === 'other'))
      const again = { by: 'session', sessionId: 'other' } as const
      assert.equal((await small.memory.forget(aNamespace, again)).relations, 1)
    })

  test('by entity: its facts and the texts they were read from; the name is taken in any case', async () => {
    const small = await filled()
    const reply = await small.memory.forget(aNamespace, { by: 'entity', entity: 'ana' })
    assert.deepEqual([reply.chunks, reply.relations, reply.entities, reply.remaining], [1, 1, 2, 0])
    const left = await texts(small)
    assert.ok(!left.some((text) => text.includes('Siemens')))
    assert.ok(left.includes('We had a coffee with Ana.'), 'no fact of this text touches her')
    assert.ok(left.includes('I live in Lisbon. I like tea.'))
  })

  test('by entity: what else its texts told stays, and does not quote them', async () => {
    const small = openSmallMemory()
    await small.ingest('I live in Lisbon. I like tea. Ana works at Siemens.')
    const reply = await small.memory.forget(aNamespace, { by: 'entity', entity: 'Ana' })
    assert.deepEqual([reply.chunks, reply.relations, reply.remaining], [1, 1, 0])
    const { memories } = await small.memory.list(aNamespace, wholeList)
    assert.deepEqual(memories.map(({ fact }) => fact).toSorted(), ['user likes tea', 'user lives in Lisbon'])
    assert.ok((await small.find('Where do I live? Lisbon?')).includes('user lives in Lisbon'))
    for (const { id, fact } of memories) {
      const history = (await small.memory.history(aNamespace, id))?.history ?? []
      assert.deepEqual(
        history.map(({ evidence }) => evidence),
        [fact],
      )
    }
  })

  for (const [entity, told] of [
    ['Will', ['I will call Ben tomorrow.', 'It will rain on Monday.']],
    ['Rose', ['I rose early today.']],
  ] as const) {
    test(`by a name that no entity has (${entity}): nothing goes, whatever words the texts hold`, async () => {
      const small = await filled()
      for (const text of told) await small.ingest(text)
      const before = await small.memory.list(aNamespace, wholeList)
      const { latencyMs: _, ...counts } = await small.memory.forget(aNamespace, { by: 'entity', entity })
      assert.deepEqual(counts, { chunks: 0, relations: 0, entities: 0, sessions: 0, remaining: 0 })
      assert.deepEqual(await small.memory.list(aNamespace, wholeList), before)
    })
  }

  for (const way of [
    { by: 'ids', ids: ['id-000001', 'id-000002', 'unknown'] },
    { by: 'entity', entity: 'Ana' },
    { by: 'entity', entity: 'nobody' },
    { by: 'session', sessionId: 's' },
    { by: 'persona', persona: 'work' },
    { by: 'everything' },
  ] as const) {
    test(`a preview of ${JSON.stringify(way)} counts and lists what goes, and changes nothing`, async () => {
      const small = await filled()
      const before = await small.memory.list(aNamespace, wholeList)
      const preview = await small.memory.previewForget(aNamespace, way)
      assert.deepEqual(await small.memory.list(aNamespace, wholeList), before)
      const { chunks, relations, entities } = await small.memory.forget(aNamespace, way)
      assert.deepEqual([preview.chunks, preview.relations, preview.entities], [chunks, relations, entities])
      const left = new Set((await small.memory.list(aNamespace, wholeList)).memories.map(({ id }) => id))
      const gone = before.memories.filter(({ id }) => !left.has(id))
      assert.deepEqual(
        preview.memories.map(({ id, type, fact }) => `${id} ${type} ${fact}`).toSorted(),
        gone.map(({ id, type, fact }) => `${id} ${type} ${fact}`).toSorted(),
      )
    })
  }

  test('a preview shows at most 100 texts and counts all', async () => {
    const small = openSmallMemory()
    for (let n = 0; n < 120; n++) await small.ingest(`Note ${n} about the weather.`)
    const preview = await small.memory.previewForget(aNamespace, { by: 'everything' })
    assert.deepEqual([preview.chunks, preview.memories.length], [120, 100])
  })

  test('by session: its texts, facts and working memory', async () => {
    const small = await filled()
    const reply = await small.memory.forget(aNamespace, { by: 'session', sessionId: 's' })
    assert.deepEqual([reply.chunks, reply.relations, reply.sessions, reply.remaining], [2, 3, 1, 0])
    assert.deepEqual(await texts(small), ['We had a coffee with Ana.'])
  })

  test('by persona: its memories, and its hot facts in every session', async () => {
    const small = await filled()
    const reply = await small.memory.forget(aNamespace, { by: 'persona', persona: 'work' })
    assert.deepEqual([reply.chunks, reply.relations, reply.remaining], [1, 1, 0])
    assert.ok(!(await texts(small)).some((text) => text.includes('Siemens')))
    assert.ok((await texts(small)).some((text) => text.includes('Lisbon')))
  })

  test('everything: nothing is left to count, and other namespaces are untouched', async () => {
    const small = await filled()
    const other = asNamespace('other')
    await small.memory.ingest(other, anItem('I live in Rome.', { sessionId: 's' }))
    const reply = await small.memory.forget(aNamespace, { by: 'everything' })
    assert.deepEqual([reply.chunks, reply.sessions, reply.remaining], [3, 2, 0])
    assert.deepEqual(await texts(small), [])
    assert.deepEqual(await small.memory.stats(aNamespace, null), {
      episodicCount: 0,
      semanticEntities: 0,
      semanticRelations: 0,
    })
    assert.equal((await small.memory.stats(other, null)).episodicCount, 1)
  })

  test('of nothing is nothing', async () => {
    const { memory } = openSmallMemory()
    const nothing = { chunks: 0, relations: 0, entities: 0, sessions: 0, remaining: 0 }
    for (const request of [
      { by: 'ids', ids: ['unknown'] },
      { by: 'entity', entity: '???' },
      { by: 'session', sessionId: 'unknown' },
      { by: 'persona', persona: 'unknown' },
      { by: 'everything' },
    ] as const) {
      const { latencyMs, ...counts } = await memory.forget(aNamespace, request)
      assert.ok(latencyMs >= 0)
      assert.deepEqual(counts, nothing)
    }
  })

  test('a superseded fact is forgotten with the rest, not left in the history', async () => {
    const small = openSmallMemory()
    await small.ingest('I live in Lisbon.')
    await small.ingest('I live in Berlin.')
    const { memories } = await small.memory.list(aNamespace, { ...wholeList, type: 'semantic' })
    await small.memory.forget(aNamespace, { by: 'entity', entity: 'Lisbon' })
    const reply = await small.memory.history(aNamespace, memories[0]?.id ?? '')
    assert.deepEqual(
      reply?.history.map(({ fact }) => fact),
      ['user lives in Berlin'],
    )
  })
})
