import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  aFadedQuery,
  anyFilter,
  aQuestion,
  chunkId,
  everything,
  item,
  type OpenStores,
  start,
  textsOf,
  unit,
  withStores,
} from './journal-drafts.ts'

/** Rules ES7 to ES10 of docs/ports/memory.md: what is listed, what fades and what is removed. */
export function episodicKeepingRules(open: OpenStores): void {
  test('[ES7] lists newest first, page by page', () =>
    withStores(open, async ({ journal, episodic }, mine) => {
      for (const name of ['a', 'b', 'c', 'd', 'e']) {
        await journal.remember(mine, item(name, { at: start + (name > 'c' ? 1 : 0) }))
      }
      const all = await episodic.list(mine, anyFilter, { after: null, limit: 10 })
      const expected = all.toSorted((x, y) => y.createdAt - x.createdAt || (x.id < y.id ? 1 : -1))
      assert.deepEqual(
        all.map(({ id }) => id),
        expected.map(({ id }) => id),
      )
      const paged: string[] = []
      for (let after = null, size = 2; size === 2; ) {
        const page = await episodic.list(mine, anyFilter, { after, limit: 2 })
        paged.push(...page.map(({ id }) => id))
        after = page.at(-1) ?? null
        size = page.length
      }
      assert.deepEqual(
        paged,
        all.map(({ id }) => id),
      )
    }))

  test('[ES7] narrows a list by every filter', () =>
    withStores(open, async ({ journal, episodic }, mine) => {
      await journal.remember(mine, item('plain', { at: start }))
      await journal.remember(
        mine,
        item('late', { at: start + 10, source: 'document', metadata: { page: 3 } }),
      )
      await journal.remember(mine, item('work', { at: start + 20, persona: 'work', session: 's' }))
      const list = async (filter: Partial<typeof anyFilter> | object) =>
        (await episodic.list(mine, { ...anyFilter, ...filter }, { after: null, limit: 9 })).map(
          ({ text }) => text,
        )
      assert.deepEqual(await list({ persona: 'work' }), ['work'])
      assert.deepEqual(await list({ sessionId: 's' }), ['work'])
      assert.deepEqual(await list({ source: 'document' }), ['late'])
      assert.deepEqual(await list({ since: start + 10 }), ['work', 'late'])
      assert.deepEqual(await list({ until: start + 10 }), ['plain'])
      assert.deepEqual(await list({ text: 'LA' }), ['late', 'plain'])
      assert.deepEqual(await list({ text: 'l%' }), [])
      await episodic.pin(mine, chunkId('late'), true)
      assert.deepEqual(await list({ pinned: true }), ['late'])
      assert.deepEqual(await list({ pinned: false }), ['work', 'plain'])
      const [late] = await episodic.get(mine, [chunkId('late'), chunkId('unknown')])
      assert.deepEqual(late?.metadata, { page: 3 })
    }))

  test('[ES7] lists what no longer holds, or what does, where it is asked for', () =>
    withStores(open, async ({ journal, episodic }, mine) => {
      for (const name of ['corrected', 'unsure']) await journal.remember(mine, item(name))
      await journal.remember(mine, item('rome', { facts: [{ object: 'rome' }] }))
      await journal.remember(mine, item('oslo', { at: start + 1, facts: [{ object: 'oslo' }] }))
      const replaces = (older: string, probability: number) =>
        ({ newer: chunkId('new'), older: chunkId(older), kind: 'replaces', probability, closes: [] }) as const
      const links = [replaces('corrected', 1), replaces('unsure', 0.6)]
      await journal.remember(mine, item('new', { at: start + 2, links }))
      const list = async (superseded: boolean | null) =>
        (await episodic.list(mine, { ...anyFilter, superseded }, { after: null, limit: 9 }))
          .map(({ text }) => text)
          .sort()
      assert.deepEqual(await list(true), ['corrected', 'rome'])
      assert.deepEqual(await list(false), ['new', 'oslo', 'unsure'])
      assert.equal((await list(null)).length, 5)
    }))

  test('[ES8] counts every access and resets the clock, never backwards', () =>
    withStores(open, async ({ journal, episodic }, mine) => {
      await journal.remember(mine, item('told', { source: 'assistant', base: 0.6 }))
      const id = chunkId('told')
      await episodic.touch(mine, [id, chunkId('unknown')], start + 50)
      await episodic.touch(mine, [id, id], start + 20)
      const [touched] = await episodic.get(mine, [id])
      assert.deepEqual([touched?.accessCount, touched?.lastAccessAt], [3, start + 50])
      await episodic.upgrade(mine, id, 'user', 1, start + 70)
      const [raised] = await episodic.get(mine, [id])
      assert.deepEqual([raised?.source, raised?.base, raised?.lastAccessAt], ['user', 1, start + 70])
      assert.equal(raised?.createdAt, start)
    }))

  test('[ES9] takes as faded what is strictly below the threshold now', () =>
    withStores(open, async ({ journal, episodic }, mine) => {
      for (const [name, base] of [
        ['strong', 1],
        ['weak', 0.9],
      ] as const) {
        await journal.remember(mine, item(name, { base }))
      }
      await journal.remember(mine, item('other persona', { base: 0.9, persona: 'work' }))
      assert.equal(await episodic.countFaded(mine, { ...aFadedQuery, threshold: 0.45 - 1e-9 }), 0)
      assert.equal(await episodic.countFaded(mine, { ...aFadedQuery, threshold: 0.46 }), 2)
      assert.equal(await episodic.countFaded(mine, { ...aFadedQuery, threshold: 0.46, persona: 'work' }), 1)
      assert.equal(await episodic.countFaded(mine, { ...aFadedQuery, threshold: 1, now: start }), 2)
      assert.deepEqual(await episodic.faded(mine, { ...aFadedQuery, threshold: 0.46, persona: 'shared' }), [
        chunkId('weak'),
      ])
      assert.deepEqual(
        (await episodic.faded(mine, { ...aFadedQuery, threshold: 1 })).at(-1),
        chunkId('strong'),
        'the most faded come first',
      )
      assert.equal((await episodic.faded(mine, { ...aFadedQuery, threshold: 1, limit: 2 })).length, 2)
      assert.equal(await episodic.removeFaded(mine, { ...aFadedQuery, threshold: 1, limit: 0 }), 0)
      await episodic.touch(mine, [chunkId('weak')], aFadedQuery.now)
      assert.equal(await episodic.removeFaded(mine, { ...aFadedQuery, threshold: 0.46 }), 1)
      const left = await episodic.list(mine, anyFilter, { after: null, limit: 9 })
      assert.deepEqual(left.map(({ text }) => text).sort(), ['strong', 'weak'])
    }))

  test('[ES10] removes what the selection names, and finds nothing of it afterwards', () =>
    withStores(open, async ({ journal, episodic }, mine) => {
      await journal.remember(mine, item('boat one', { session: 's' }))
      await journal.remember(mine, item('boat two', { session: 't' }))
      await journal.remember(mine, item('boat three', { session: 's', persona: 'work' }))
      const asked = { ...aQuestion, terms: ['boat'] }
      assert.equal((await episodic.search(mine, asked)).hits.length, 3)
      assert.equal(await episodic.remove(mine, { ...everything, ids: [] }), 0)
      const selection = { ids: null, persona: 'shared', sessionId: 's' }
      assert.equal(await episodic.count(mine, selection), 1)
      assert.equal(await episodic.remove(mine, selection), 1)
      assert.equal(await episodic.remove(mine, selection), 0)
      assert.deepEqual(textsOf((await episodic.search(mine, asked)).hits), ['boat three', 'boat two'])
      assert.deepEqual(await episodic.get(mine, [chunkId('boat one')]), [])
      assert.equal(await episodic.remove(mine, everything), 2)
      assert.deepEqual(await episodic.search(mine, { ...asked, terms: [] }), { hits: [], idfSum: 0 })
      assert.deepEqual(await episodic.nearest(mine, ['work'], unit(1), 3), [])
    }))
}
