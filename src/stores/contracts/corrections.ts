import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Namespace } from '../../core/ids.ts'
import type { ItemWrite, LinkDraft, MemoryStores } from '../../memory/ports.ts'
import { chunkId, everything, factId, item, type OpenStores, start, withStores } from './journal-drafts.ts'
import { chain, forget, link, open, replacedBy } from './statement-links.ts'

/** Rules J15 and J16 of docs/ports/memory.md: what becomes of what a wrong memory had closed. */
export function correctionContract(backend: string, opened: OpenStores): void {
  describe(`corrections: ${backend}`, () => {
    correctionRules(opened)
    withdrawalRules(opened)
  })
}

/** An edition takes the place of a text that was wrong; what else it makes out of date comes beside that. */
const edition = (newer: string, older: string, at: number, more: Edition = {}): ItemWrite => ({
  ...item(newer, {
    links: [link(newer, older, { probability: 1, closes: [factId(older)] }), ...(more.links ?? [])],
    facts: [{ relation: 'likes', object: newer.toLowerCase() }],
    at: start + at,
  }),
  undoes: [older, ...(more.earlier ?? [])].flatMap((name) => [chunkId(name), factId(name)]),
})

interface Edition {
  readonly links?: readonly LinkDraft[]
  readonly earlier?: readonly string[]
}

/** Rule J16: a correction that goes leaves things as they were. */
function withdrawalRules(opened: OpenStores): void {
  /** The service removes texts first; who was cut off in between does the rest later. */
  const textFirst = async ({ graph, episodic }: MemoryStores, mine: Namespace, name: string) => {
    await episodic.remove(mine, { ...everything, ids: [chunkId(name)] })
    await graph.remove(mine, { ...everything, ids: [factId(name)] })
  }
  const factFirst = (stores: MemoryStores, mine: Namespace, name: string) => forget(stores, mine, name)

  for (const [order, takeAway] of Object.entries({ textFirst, factFirst })) {
    test(`[J16] puts back what a correction had undone when it goes, ${order}`, () =>
      withStores(opened, async (stores, mine, other) => {
        for (const namespace of [mine, other]) {
          await chain(stores, namespace)
          await stores.journal.remember(namespace, edition('Right', 'Rome', 9))
          assert.deepEqual(await open(stores, namespace), ['berlin', 'right'])
        }
        await takeAway(stores, mine, 'Right')
        assert.deepEqual(await open(stores, mine), ['rome'])
        assert.equal(await replacedBy(stores, mine, 'Berlin'), chunkId('Rome'))
        assert.equal(await replacedBy(stores, mine, 'Rome'), null)
        assert.deepEqual(await open(stores, other), ['berlin', 'right'])
      }))

    test(`[J16] puts back what the correction closed, too, ${order}`, () =>
      withStores(opened, async (stores, mine) => {
        await chain(stores, mine)
        const links = [link('Right', 'Berlin', { closes: [factId('Berlin')] })]
        await stores.journal.remember(mine, edition('Right', 'Rome', 9, { links }))
        assert.deepEqual(await open(stores, mine), ['right'])
        await takeAway(stores, mine, 'Right')
        assert.deepEqual(await open(stores, mine), ['rome'])
        assert.equal(await replacedBy(stores, mine, 'Berlin'), chunkId('Rome'))
      }))

    test(`[J16] a correction of the correction keeps it back, ${order}`, () =>
      withStores(opened, async (stores, mine) => {
        await chain(stores, mine)
        await stores.journal.remember(mine, edition('Right', 'Rome', 8))
        await stores.journal.remember(mine, edition('Better', 'Right', 9, { earlier: ['Rome'] }))
        await takeAway(stores, mine, 'Right')
        assert.deepEqual(await open(stores, mine), ['berlin', 'better'])
        await takeAway(stores, mine, 'Better')
        assert.deepEqual(await open(stores, mine), ['rome'])
        assert.equal(await replacedBy(stores, mine, 'Berlin'), chunkId('Rome'))
      }))
  }

  test('[J16] after a correction to the very value that was replaced the corrected one holds again', () =>
    withStores(opened, async (stores, mine) => {
      const told = (object: string, at: number, links: readonly LinkDraft[]) =>
        item(`${object} ${at}`, {
          name: `${object} ${at}`,
          facts: [{ object }],
          at: start + at,
          links: [...links],
        })
      await stores.journal.remember(mine, told('lisbon', 0, []))
      await stores.journal.remember(mine, told('berlin', 1, [link('berlin 1', 'lisbon 0')]))
      const closes = [factId('berlin 1')]
      const back = told('lisbon', 2, [link('lisbon 2', 'berlin 1', { probability: 1, closes })])
      await stores.journal.remember(mine, { ...back, undoes: [chunkId('berlin 1'), factId('berlin 1')] })
      assert.deepEqual(await open(stores, mine), ['lisbon'])
      await textFirst(stores, mine, 'lisbon 2')
      assert.deepEqual(await open(stores, mine), ['berlin'])
    }))

  test('[J16] puts back nothing of a memory that is gone', () =>
    withStores(opened, async (stores, mine) => {
      await chain(stores, mine)
      await stores.journal.remember(mine, edition('Right', 'Rome', 9))
      await forget(stores, mine, 'Rome')
      await forget(stores, mine, 'Right')
      assert.deepEqual(await open(stores, mine), ['berlin'])
      assert.equal(await replacedBy(stores, mine, 'Berlin'), null)
    }))

  test('[J16] leaves closed what something else has closed since', () =>
    withStores(opened, async (stores, mine) => {
      await chain(stores, mine)
      await stores.journal.remember(mine, edition('Right', 'Rome', 8))
      const links = [link('Oslo', 'Berlin', { closes: [factId('Berlin')] })]
      await stores.journal.remember(mine, item('Oslo', { links, at: start + 9 }))
      await forget(stores, mine, 'Right')
      assert.deepEqual(await open(stores, mine), ['rome'])
      const [berlin] = await stores.graph.get(mine, [factId('Berlin')])
      assert.equal(berlin?.closer, chunkId('Oslo'))
    }))
}

function correctionRules(opened: OpenStores): void {
  const told = (object: string, at: number) =>
    item(`${object} ${at}`, { name: `${object} ${at}`, facts: [{ object }], at: start + at })
  const closing = async ({ graph }: MemoryStores, mine: Namespace, name: string) =>
    (await graph.get(mine, [factId(name)]))[0]?.closedBy ?? null

  test('[J15] settles what a wrong memory had closed as if it had never been told', () =>
    withStores(opened, async (stores, mine, other) => {
      const { journal } = stores
      await chain(stores, mine)
      await chain(stores, other)
      const links = [link('right', 'Rome', { closes: [factId('Rome')] })]
      const undoes = [chunkId('Rome'), factId('Rome')]
      const right = { ...item('right', { links, at: start + 9 }), undoes }
      const receipt = await journal.remember(mine, right)
      assert.deepEqual(receipt.outcome === 'stored' && receipt.closed, [factId('Rome')])
      assert.deepEqual([await open(stores, mine), await open(stores, other)], [['berlin'], ['rome']])
      assert.equal(await replacedBy(stores, mine, 'Berlin'), null)
      assert.equal(await replacedBy(stores, mine, 'Lisbon'), chunkId('Berlin'))
      assert.equal(await replacedBy(stores, mine, 'Rome'), chunkId('right'))
      assert.equal((await journal.remember(mine, right)).outcome, 'duplicate')
      assert.deepEqual(await open(stores, mine), ['berlin'])
    }))

  test('[J15] leaves what the wrong memory had corrected itself as it is', () =>
    withStores(opened, async (stores, mine) => {
      const { journal } = stores
      await chain(stores, mine)
      const edition = (newer: string, older: string, at: number, undoes: readonly string[]) => ({
        ...item(newer, { links: [link(newer, older, { probability: 1, closes: [factId(older)] })], at }),
        undoes,
      })
      await journal.remember(mine, edition('right', 'Rome', start + 8, [chunkId('Rome'), factId('Rome')]))
      const wrong = ['right', 'Rome'].flatMap((name) => [chunkId(name), factId(name)])
      await journal.remember(mine, edition('better', 'right', start + 9, wrong))
      assert.deepEqual(await open(stores, mine), ['berlin'])
      assert.equal(await replacedBy(stores, mine, 'Rome'), chunkId('right'))
      assert.equal(await replacedBy(stores, mine, 'right'), chunkId('better'))
      await forget(stores, mine, 'better')
      assert.deepEqual(await open(stores, mine), ['berlin'])
      assert.equal(await replacedBy(stores, mine, 'right'), null)
    }))

  test('[J15] leaves a fact that the user corrected by itself closed', () =>
    withStores(opened, async (stores, mine) => {
      const { journal } = stores
      await journal.remember(mine, item('old', { facts: [{ relation: 'likes', object: 'tea' }] }))
      const closing = { ...link('right', 'old', { probability: 1, closes: [factId('old')] }), older: null }
      await journal.remember(mine, item('right', { links: [closing], at: start + 1 }))
      assert.deepEqual(await open(stores, mine), [])
      const better = item('better', { links: [link('better', 'right', { probability: 1 })], at: start + 2 })
      await journal.remember(mine, { ...better, undoes: [chunkId('right')] })
      assert.deepEqual(await open(stores, mine), [])
    }))

  test('[J15] keeps what was corrected closed when what had closed it before goes', () =>
    withStores(opened, async (stores, mine) => {
      const { journal } = stores
      await chain(stores, mine)
      const correction = link('right', 'Lisbon', { probability: 1 })
      const undoes = [chunkId('Lisbon'), factId('Lisbon')]
      await journal.remember(mine, { ...item('right', { links: [correction], at: start + 9 }), undoes })
      await forget(stores, mine, 'Berlin', 'Rome')
      assert.deepEqual(await open(stores, mine), [])
      assert.equal(await replacedBy(stores, mine, 'Lisbon'), chunkId('right'))
      await forget(stores, mine, 'right')
      assert.deepEqual(await open(stores, mine), ['lisbon'])
    }))

  test('[J15] closes anew what the item itself closes', () =>
    withStores(opened, async (stores, mine) => {
      const { journal } = stores
      await journal.remember(mine, told('lisbon', 0))
      const berlin = { ...told('berlin', 1), links: [link('berlin 1', 'lisbon 0')] }
      await journal.remember(mine, berlin)
      const undoes = [chunkId('berlin 1'), factId('berlin 1')]
      await journal.remember(mine, { ...told('rome', 2), undoes })
      assert.deepEqual(await open(stores, mine), ['rome'])
      assert.deepEqual(await closing(stores, mine, 'lisbon 0'), factId('rome 2'))
    }))
}
