import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aNamespace, openSmallMemory, type SmallMemory } from '../../test/support/small-memory.ts'
import { asNamespace } from '../core/ids.ts'
import type { ListRequest } from './memory.ts'

const wholeList: ListRequest = {
  ...{
    persona: null,
    type: null,
    sessionId: null,
    source: null,
    since: null,
    until: null,
    limit: 50,
    cursor: null,
  },
}

describe('stats', () => {
  test('counts a persona exactly, and with null the whole namespace', async () => {
    const { ingest, memory } = openSmallMemory()
    await ingest('I live in Lisbon.')
    await ingest('I like tea. I like coffee.', { persona: 'work' })
    const shared = { episodicCount: 1, semanticEntities: 2, semanticRelations: 1 }
    const work = { episodicCount: 1, semanticEntities: 3, semanticRelations: 2 }
    assert.deepEqual(await memory.stats(aNamespace, 'shared'), shared)
    assert.deepEqual(await memory.stats(aNamespace, 'work'), work)
    assert.deepEqual(await memory.stats(aNamespace, null), {
      episodicCount: 2,
      semanticEntities: 4,
      semanticRelations: 3,
    })
    assert.equal((await memory.stats(aNamespace, 'nobody')).episodicCount, 0)
  })

  test('counts current relationships, not superseded ones', async () => {
    const { ingest, memory } = openSmallMemory()
    await ingest('I live in Lisbon.')
    await ingest('I live in Berlin.')
    assert.equal((await memory.stats(aNamespace, 'shared')).semanticRelations, 1)
  })
})

describe('list', () => {
  async function filled(): Promise<SmallMemory> {
    const small = openSmallMemory()
    await small.ingest('I live in Lisbon.', { sessionId: 's' })
    small.clock.advance(10)
    await small.ingest('Ana works at Siemens.', { source: 'document', persona: 'work' })
    small.clock.advance(10)
    await small.ingest('The weather was lovely.', { source: 'assistant' })
    return small
  }

  test('shows chunks and facts together, newest first', async () => {
    const { memory } = await filled()
    const { memories, nextCursor } = await memory.list(aNamespace, wholeList)
    assert.deepEqual(new Set(memories.map(({ fact }) => fact)).size, 5)
    assert.equal(memories[0]?.fact, 'The weather was lovely.')
    const times = memories.map(({ createdAt }) => createdAt)
    assert.deepEqual(
      times,
      times.toSorted((a, b) => b - a),
    )
    assert.equal(nextCursor, null)
  })

  test('pages through everything once, whatever the size of the page', async () => {
    const { memory } = await filled()
    const all = (await memory.list(aNamespace, wholeList)).memories.map(({ id }) => id)
    for (const limit of [1, 2, 3, 5]) {
      const seen: string[] = []
      let cursor: string | null = null
      do {
        const page = await memory.list(aNamespace, { ...wholeList, limit, cursor })
        assert.ok(page.memories.length <= limit)
        seen.push(...page.memories.map(({ id }) => id))
        cursor = page.nextCursor
      } while (cursor !== null)
      assert.deepEqual(seen, all)
    }
  })

  for (const [filter, expected] of [
    [{ type: 'episodic' }, 3],
    [{ type: 'semantic' }, 2],
    [{ persona: 'work' }, 2],
    [{ sessionId: 's' }, 2],
    [{ source: 'assistant' }, 1],
  ] as const) {
    test(`keeps to the filter ${JSON.stringify(filter)}`, async () => {
      const { memory } = await filled()
      assert.equal((await memory.list(aNamespace, { ...wholeList, ...filter })).memories.length, expected)
    })
  }

  test('since is included, until is not', async () => {
    const { memory, clock } = await filled()
    const now = clock.now()
    assert.equal((await memory.list(aNamespace, { ...wholeList, since: now })).memories.length, 1)
    assert.equal((await memory.list(aNamespace, { ...wholeList, until: now })).memories.length, 4)
  })

  test('a cursor that is none is the caller’s mistake', async () => {
    const { memory } = await filled()
    for (const cursor of ['x', '', 'e30', Buffer.from('[1]').toString('base64url')]) {
      await assert.rejects(memory.list(aNamespace, { ...wholeList, cursor }), { code: 'invalid_request' })
    }
  })

  test('get shows one memory with its triple, and null for an unknown or a foreign id', async () => {
    const { memory } = await filled()
    const { memories } = await memory.list(aNamespace, { ...wholeList, type: 'semantic', persona: 'work' })
    const [fact] = memories
    assert.deepEqual(await memory.get(aNamespace, fact?.id ?? ''), fact)
    assert.deepEqual(fact?.triple, {
      ...{ subject: 'Ana', relation: 'works_at', object: 'Siemens', negated: false },
    })
    assert.equal(await memory.get(aNamespace, 'unknown'), null)
    assert.equal(await memory.get(asNamespace('other'), fact?.id ?? ''), null)
  })
})

test('a triple tells whether it is denied', async () => {
  const { ingest, memory } = openSmallMemory()
  await ingest('Ana does not like tea.')
  const { memories } = await memory.list(aNamespace, { ...wholeList, type: 'semantic' })
  assert.deepEqual(memories[0]?.triple, {
    ...{ subject: 'Ana', relation: 'likes', object: 'tea', negated: true },
  })
})

describe('history', () => {
  test('tells which statements a text replaced and which replaced it, with what they said', async () => {
    const { ingest, memory, clock } = openSmallMemory()
    const said = ['Lisbon', 'Berlin', 'Rome'].map((city) => `I live in ${city}.`)
    for (const text of said) {
      clock.advance(60)
      await ingest(text)
    }
    const { memories } = await memory.list(aNamespace, { ...wholeList, type: 'episodic' })
    const [rome, berlin, lisbon] = memories
    const links = async (id = '') =>
      ((await memory.history(aNamespace, id))?.links ?? []).map(({ newer, older }) => [
        older.fact,
        newer.fact,
      ])
    assert.deepEqual(await links(berlin?.id), [
      [said[0], said[1]],
      [said[1], said[2]],
    ])
    assert.deepEqual(await links(rome?.id), [[said[1], said[2]]])
    await memory.forget(aNamespace, { by: 'ids', ids: [berlin?.id ?? ''] })
    assert.deepEqual(await links(lisbon?.id), [[said[0], said[2]]])
  })

  test('tells what a fact replaced, what replaced it, when, and from which text', async () => {
    const { ingest, memory, clock } = openSmallMemory()
    const times: number[] = []
    for (const city of ['Lisbon', 'Berlin', 'Rome']) {
      clock.advance(60)
      times.push(clock.now())
      await ingest(`I live in ${city}.`)
    }
    const { memories } = await memory.list(aNamespace, { ...wholeList, type: 'semantic' })
    const reply = await memory.history(aNamespace, memories[0]?.id ?? '')
    const entries = reply?.history ?? []
    const [lisbon, berlin, rome] = entries
    assert.deepEqual(
      entries.map(({ createdAt }) => createdAt),
      times,
    )
    assert.deepEqual(
      entries.map(({ closedAt }) => closedAt),
      [times[1], times[2], null],
    )
    assert.deepEqual(
      entries.map(({ replacedBy }) => replacedBy),
      [berlin?.id, rome?.id, null],
    )
    assert.deepEqual(
      entries.map(({ replaces }) => replaces),
      [[], [lisbon?.id], [berlin?.id]],
    )
    assert.deepEqual(
      entries.map(({ evidence }) => evidence),
      ['I live in Lisbon', 'I live in Berlin', 'I live in Rome'],
    )
    assert.deepEqual(
      entries.map(({ current }) => current),
      [false, false, true],
    )
  })

  test('of a chunk it is the history of the facts read from it', async () => {
    const { ingest, memory } = openSmallMemory()
    await ingest('I live in Lisbon.')
    await ingest('I live in Berlin.')
    const { memories } = await memory.list(aNamespace, { ...wholeList, type: 'episodic' })
    for (const { id } of memories) assert.equal((await memory.history(aNamespace, id))?.history.length, 2)
  })

  test('an end without a successor closes the fact and is kept', async () => {
    const { ingest, memory } = openSmallMemory()
    await ingest('I live in Lisbon.')
    const { memories } = await memory.list(aNamespace, { ...wholeList, type: 'semantic' })
    await ingest('I no longer live in Lisbon.')
    const reply = await memory.history(aNamespace, memories[0]?.id ?? '')
    assert.ok(reply?.history.every(({ current }) => !current))
    assert.equal(reply?.history[0]?.replacedBy, null)
  })

  test('is null for an unknown or a foreign id', async () => {
    const { ingest, memory } = openSmallMemory()
    await ingest('I live in Lisbon.')
    const { memories } = await memory.list(aNamespace, wholeList)
    assert.equal(await memory.history(aNamespace, 'unknown'), null)
    for (const { id } of memories) assert.equal(await memory.history(asNamespace('other'), id), null)
  })
})
