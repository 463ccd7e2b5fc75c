import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Namespace } from '../../core/ids.ts'
import type { Fact, ItemWrite, MemoryStores } from '../../memory/ports.ts'
import {
  anyFilter,
  chunkId,
  factId,
  item,
  type OpenStores,
  start,
  unit,
  withStores,
} from './journal-drafts.ts'

/** Rules J13, GS21 and ES19 of docs/ports/memory.md: what was told in the past and is stored later. */
export function toldTimesContract(backend: string, open: OpenStores): void {
  describe(`told times: ${backend}`, () => {
    slotRules(open)
    linkRules(open)
    readRules(open)
  })
}

const now = start + 1_000

type Told = NonNullable<Parameters<typeof item>[1]>

/** Told at a time of the past, stored now. */
const past = (object: string, at: number, more: Told = {}): ItemWrite => {
  const written = item(object, { facts: [{ object }], ...more, at: start + at })
  const chunks = written.chunks.map((chunk) => ({ ...chunk, lastAccessAt: now }))
  return { ...written, chunks, storedAt: now }
}

async function factOf({ graph }: MemoryStores, mine: Namespace, name: string): Promise<Fact> {
  const [fact] = await graph.get(mine, [factId(name)])
  assert.ok(fact, `${name} is not there`)
  return fact
}

/** Since when a fact was told, until when it held, and what took its place. */
async function standing(stores: MemoryStores, mine: Namespace, name: string) {
  const { createdAt, closedAt, closedBy } = await factOf(stores, mine, name)
  return [createdAt - start, closedAt === null ? null : closedAt - start, closedBy]
}

function slotRules(open: OpenStores): void {
  test('[J13] settles the facts of a slot by when they were told, in whatever order they come', async () => {
    const told = [past('lisbon', 1), past('berlin', 2), past('rome', 3)]
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
      [0, 2, 1],
    ])
      await withStores(open, async (stores, mine) => {
        for (const at of order) await stores.journal.remember(mine, told[at] as ItemWrite)
        assert.deepEqual(await standing(stores, mine, 'lisbon'), [1, 2, factId('berlin')])
        assert.deepEqual(await standing(stores, mine, 'berlin'), [2, 3, factId('rome')])
        assert.deepEqual(await standing(stores, mine, 'rome'), [3, null, null])
        const [chunk] = await stores.episodic.get(mine, [chunkId('berlin')])
        assert.deepEqual([chunk?.factCount, chunk?.closedFactCount], [1, 1])
      })
  })

  test('[J13] an end that was told later ends what is stored after it', () =>
    withStores(open, async (stores, mine) => {
      const end = past('left', 5, { facts: [{ object: 'rome', ended: true }] })
      await stores.journal.remember(mine, end)
      await stores.journal.remember(mine, past('rome', 2))
      assert.deepEqual(await standing(stores, mine, 'rome'), [2, 5, null])
    }))

  test('[J13] a less trusted source holds nothing against what was told before it', () =>
    withStores(open, async (stores, mine) => {
      await stores.journal.remember(mine, past('rome', 5, { source: 'assistant' }))
      await stores.journal.remember(mine, past('oslo', 2))
      assert.deepEqual(await standing(stores, mine, 'oslo'), [2, null, null])
      assert.deepEqual(await standing(stores, mine, 'rome'), [5, 5, factId('oslo')])
    }))

  test('[J13] the same fact of another time is one fact, from its first telling on; what came between does not end it', () =>
    withStores(open, async (stores, mine) => {
      await stores.journal.remember(mine, past('rome', 5))
      await stores.journal.remember(mine, past('again', 2, { facts: [{ object: 'rome' }] }))
      assert.deepEqual(await standing(stores, mine, 'rome'), [2, null, null])
      await stores.journal.remember(mine, past('oslo', 3))
      assert.deepEqual(await standing(stores, mine, 'oslo'), [3, 5, factId('rome')])
      assert.deepEqual(await standing(stores, mine, 'rome'), [2, null, null])
    }))

  test('[J13] fades from when it was stored', () =>
    withStores(open, async (stores, mine) => {
      await stores.journal.remember(mine, past('rome', 5))
      assert.equal((await factOf(stores, mine, 'rome')).lastAccessAt, now)
    }))

  test('[J13] without a time of its own an item comes after all that is stored, whatever the clocks say', () =>
    withStores(open, async (stores, mine) => {
      await stores.journal.remember(mine, item('rome', { facts: [{ object: 'rome' }], at: now }))
      await stores.journal.remember(mine, item('oslo', { facts: [{ object: 'oslo' }], at: start }))
      assert.equal((await factOf(stores, mine, 'oslo')).closedAt, null)
      assert.equal((await factOf(stores, mine, 'rome')).closedBy, factId('oslo'))
    }))
}

function linkRules(open: OpenStores): void {
  const likes = (object: string) => ({ facts: [{ relation: 'likes', object }] })
  const link = (newer: string, older: string, at: number) => ({
    ...{ newer: chunkId(newer), older: chunkId(older), kind: 'replaces' as const, probability: 0.995 },
    ...{ at: start + at, closes: [factId(older)] },
  })

  test('[J13] a link may come from what is stored already, and closes facts of the item then', () =>
    withStores(open, async (stores, mine) => {
      await stores.journal.remember(mine, past('new', 5, likes('tea')))
      const links = [link('new', 'old', 5)]
      await stores.journal.remember(mine, past('old', 2, { ...likes('coffee'), links }))
      const [old] = await stores.episodic.get(mine, [chunkId('old')])
      assert.deepEqual([old?.replaced?.by, old?.replaced?.at], [chunkId('new'), start + 5])
      assert.deepEqual([old?.factCount, old?.closedFactCount], [1, 1])
      const fact = await factOf(stores, mine, 'old')
      assert.deepEqual([fact.closedAt, fact.closer], [start + 5, chunkId('new')])
      const { facts } = { facts: await stores.graph.list(mine, anyFilter, { after: null, limit: 9 }) }
      assert.deepEqual(
        facts.map(({ objectName }) => objectName),
        ['tea'],
      )
    }))

  test('[J13] what is out of date by an earlier statement is so by that one', () =>
    withStores(open, async (stores, mine) => {
      await stores.journal.remember(mine, past('first', 1, likes('milk')))
      await stores.journal.remember(
        mine,
        past('third', 3, { ...likes('tea'), links: [link('third', 'first', 3)] }),
      )
      const links = [link('second', 'first', 2), link('third', 'second', 3)]
      await stores.journal.remember(mine, past('second', 2, { ...likes('coffee'), links }))
      const found = await stores.episodic.links(mine, chunkId('first'))
      assert.deepEqual(
        found.map(({ newer, at }) => [newer, at - start]),
        [[chunkId('second'), 2]],
      )
      const fact = await factOf(stores, mine, 'first')
      assert.deepEqual([fact.closedAt, fact.closer], [start + 2, chunkId('second')])
      const [chunk] = await stores.episodic.get(mine, [chunkId('first')])
      assert.equal(chunk?.closedFactCount, 1)
    }))
}

function readRules(open: OpenStores): void {
  test('[GS21] rivals are those that held at a time, those told since, and those as if others had never been told', () =>
    withStores(open, async (stores, mine) => {
      for (const [at, object] of ['lisbon', 'berlin', 'rome'].entries())
        await stores.journal.remember(mine, past(object, at + 1))
      await stores.journal.remember(mine, past('left', 9, { facts: [{ object: 'oslo', ended: true }] }))
      const place = { persona: 'shared', subject: 'user', slot: 'lives_in', limit: 9 }
      const names = (facts: readonly Fact[]) => facts.map(({ objectName }) => objectName)
      const rivals = (query: object) => stores.graph.rivals(mine, { ...place, ...query })
      assert.deepEqual(names(await rivals({})), ['rome'])
      assert.deepEqual(names(await rivals({ at: start + 2.5 })), ['berlin'])
      assert.deepEqual(names(await rivals({ at: start + 1, later: true })), ['berlin', 'rome', 'oslo'])
      const without = [chunkId('rome'), factId('rome')]
      assert.deepEqual(names(await rivals({ without })), ['berlin'])
    }))

  test('[ES19] told again: created no later, told no earlier; without it neither changes', () =>
    withStores(open, async ({ journal, episodic, graph }, mine, other) => {
      for (const namespace of [mine, other])
        await journal.remember(namespace, past('rome', 5, { vector: unit(1) }))
      const times = async (namespace: Namespace) => {
        const [chunk] = await episodic.get(namespace, [chunkId('rome')])
        const [fact] = await graph.get(namespace, [factId('rome')])
        return [chunk, fact].map((one) => [one?.createdAt, one?.toldAt ?? one?.createdAt])
      }
      await episodic.touch(mine, [chunkId('rome')], now)
      await graph.touch(mine, [factId('rome')], now)
      assert.deepEqual(await times(mine), [Array(2).fill(start + 5), Array(2).fill(start + 5)])
      for (const told of [start + 9, start + 2, start + 4]) {
        await episodic.touch(mine, [chunkId('rome')], now, told)
        await graph.touch(mine, [factId('rome')], now, told)
      }
      assert.deepEqual(await times(mine), [
        [start + 2, start + 9],
        [start + 2, start + 9],
      ])
      assert.deepEqual(await times(other), [Array(2).fill(start + 5), Array(2).fill(start + 5)])
    }))
}
