import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Namespace } from '../../core/ids.ts'
import { retention } from '../../memory/lifecycle/decay.ts'
import type { LinkDraft, MemoryStores } from '../../memory/ports.ts'
import {
  anyFilter,
  chunkId,
  day,
  everything,
  factId,
  item,
  type OpenStores,
  start,
  unit,
  withStores,
} from './journal-drafts.ts'

/** Rules J11, J12, ES12 to ES14, ES16, GS16 and GS17 of docs/ports/memory.md: what replaces what, and how that is undone. */
export function statementLinkContract(backend: string, open: OpenStores): void {
  describe(`statement links: ${backend}`, () => {
    linkRules(open)
    undoRules(open)
    reopenRules(open)
    pinRules(open)
  })
}

/** A link from the item of one name to that of another. */
export function link(newer: string, older: string, more: Partial<LinkDraft> = {}): LinkDraft {
  const ends = { newer: chunkId(newer), older: chunkId(older) }
  return { ...ends, kind: 'replaces', probability: 0.995, closes: [], ...more }
}

const names = ['Lisbon', 'Berlin', 'Rome']

/** Three texts, each of which replaces the one before and closes its fact, which stands in no common slot. */
export async function chain({ journal }: MemoryStores, mine: Namespace): Promise<void> {
  for (const [at, name] of names.entries()) {
    const older = names[at - 1]
    const links = older === undefined ? [] : [link(name, older, { closes: [factId(older)] })]
    const facts = [{ relation: 'likes', object: name.toLowerCase() }]
    await journal.remember(mine, item(name, { facts, links, at: start + at }))
  }
}

/** Forgets a text and what was read from it, as a user does. */
export async function forget(
  { graph, episodic }: MemoryStores,
  mine: Namespace,
  ...texts: string[]
): Promise<void> {
  await graph.remove(mine, { ...everything, ids: texts.map(factId) })
  await episodic.remove(mine, { ...everything, ids: texts.map(chunkId) })
}

export const open = async ({ graph }: MemoryStores, mine: Namespace) =>
  (await graph.list(mine, anyFilter, { after: null, limit: 99 })).map(({ objectName }) => objectName).sort()

export const replacedBy = async ({ episodic }: MemoryStores, mine: Namespace, name: string) =>
  (await episodic.get(mine, [chunkId(name)]))[0]?.replaced?.by ?? null

function linkRules(opened: OpenStores): void {
  test('[J11] writes links with the item, closes the facts they name and says so', () =>
    withStores(opened, async (stores, mine, other) => {
      const { journal, graph, episodic } = stores
      const facts = [
        { name: 'train', relation: 'takes', object: 'the 7:42' },
        { name: 'desk', relation: 'sits_by', object: 'the door' },
        { name: 'lunch', relation: 'eats', object: 'soup' },
      ]
      await journal.remember(mine, item('old', { facts }))
      await journal.remember(other, item('old', { facts }))
      const closes = [factId('train'), factId('desk'), factId('unknown')]
      const links = [link('new', 'old', { closes, kind: 'ends' })]
      // It tells the desk again.
      const told = { facts: [{ name: 'new desk', relation: 'sits_by', object: 'the door' }], links }
      const receipt = await journal.remember(mine, item('new', { ...told, at: start + 5 }))
      assert.deepEqual(receipt.outcome === 'stored' && receipt.closed, [factId('train')])
      const [train] = await graph.get(mine, [factId('train')])
      assert.deepEqual([train?.closedAt, train?.closedBy, train?.closer], [start + 5, null, chunkId('new')])
      assert.deepEqual(await open(stores, mine), ['soup', 'the door'])
      assert.equal((await open(stores, other)).length, 3)
      const [old] = await episodic.get(mine, [chunkId('old')])
      assert.deepEqual([old?.factCount, old?.closedFactCount], [3, 1])
      const expected = { by: chunkId('new'), kind: 'ends', probability: 0.995, at: start + 5 }
      assert.deepEqual(old?.replaced, expected)
      const { hits } = await episodic.search(mine, {
        ...{ vector: unit(1), terms: [], personas: null, nearest: 9, lexical: 0 },
      })
      assert.deepEqual(hits.find(({ chunk }) => chunk.id === old?.id)?.chunk.replaced, expected)
      const [listed] = (await episodic.list(mine, anyFilter, { after: null, limit: 9 })).filter(
        ({ id }) => id === old?.id,
      )
      assert.deepEqual(listed?.replaced, expected)
      assert.equal(await replacedBy(stores, other, 'old'), null)
      assert.deepEqual(await episodic.links(other, chunkId('old')), [])
    }))

  test('[J11] leaves out a link to a text that is gone, and closes facts without a text', () =>
    withStores(opened, async (stores, mine) => {
      const { journal, episodic } = stores
      await journal.remember(mine, item('old', { facts: [{ object: 'rome' }] }))
      await episodic.remove(mine, { ...everything, ids: [chunkId('old')] })
      await journal.remember(mine, item('other', { facts: [{ relation: 'likes', object: 'tea' }] }))
      const links = [
        link('new', 'old'),
        { ...link('new', 'other', { closes: [factId('other')] }), older: null },
      ]
      const receipt = await journal.remember(mine, item('new', { links, at: start + 1 }))
      assert.deepEqual(receipt.outcome === 'stored' && receipt.closed, [factId('other')])
      assert.deepEqual(await episodic.links(mine, chunkId('new')), [])
      assert.equal(await replacedBy(stores, mine, 'other'), null)
    }))

  test('[J11] writes no link of an item that is refused', () =>
    withStores(opened, async (stores, mine) => {
      const { journal } = stores
      await journal.remember(mine, item('old', { facts: [{ object: 'rome' }] }))
      const written = item('new', { links: [link('new', 'old', { closes: [factId('old')] })] })
      const broken = { ...written, chunks: [...written.chunks, ...written.chunks] }
      await assert.rejects(journal.remember(mine, broken))
      assert.deepEqual(await open(stores, mine), ['rome'])
      assert.equal(await replacedBy(stores, mine, 'old'), null)
    }))

  test('[J12] stores a replaced text again', () =>
    withStores(opened, async ({ journal }, mine) => {
      await journal.remember(mine, item('I take the 7:42'))
      await journal.remember(mine, item('new', { links: [link('new', 'I take the 7:42')] }))
      const again = item('I take the 7:42', { name: 'again', at: start + 2 })
      assert.equal((await journal.remember(mine, again)).outcome, 'stored')
    }))

  test('[J12] stores a text again that only may have been replaced, and leaves the first as it is', () =>
    withStores(opened, async (stores, mine) => {
      const { journal } = stores
      await journal.remember(mine, item('I take the 7:42'))
      const links = [link('new', 'I take the 7:42', { probability: 0.7 })]
      await journal.remember(mine, item('new', { links }))
      const again = item('I take the 7:42', { name: 'again', at: start + 2 })
      assert.equal((await journal.remember(mine, again)).outcome, 'stored')
      assert.equal(await replacedBy(stores, mine, 'I take the 7:42'), chunkId('new'))
      const third = item('I take the 7:42', { name: 'third', at: start + 3 })
      assert.equal((await journal.remember(mine, third)).outcome, 'duplicate')
    }))

  test('[ES14] gives the links of a text in both directions, oldest first', () =>
    withStores(opened, async (stores, mine, other) => {
      await chain(stores, mine)
      const stored = (newer: string, older: string, at: number) => ({
        ...{ newer: chunkId(newer), older: chunkId(older), kind: 'replaces', probability: 0.995, at },
      })
      const links = await stores.episodic.links(mine, chunkId('Berlin'))
      assert.deepEqual(links, [stored('Berlin', 'Lisbon', start + 1), stored('Rome', 'Berlin', start + 2)])
      assert.deepEqual(await stores.episodic.links(other, chunkId('Berlin')), [])
      assert.deepEqual(await stores.episodic.links(mine, chunkId('unknown')), [])
    }))
}

function undoRules(opened: OpenStores): void {
  test('[ES12] shows the surest link, and the next when the newer text is removed', () =>
    withStores(opened, async (stores, mine) => {
      const { journal, episodic } = stores
      await journal.remember(mine, item('old'))
      for (const [name, probability] of [
        ['unsure', 0.6],
        ['sure', 0.999],
        ['later', 0.8],
      ] as const) {
        await journal.remember(mine, item(name, { links: [link(name, 'old', { probability })] }))
      }
      assert.equal(await replacedBy(stores, mine, 'old'), chunkId('sure'))
      await episodic.remove(mine, { ...everything, ids: [chunkId('sure')] })
      assert.equal(await replacedBy(stores, mine, 'old'), chunkId('later'))
      await episodic.remove(mine, { ...everything, ids: [chunkId('later'), chunkId('unsure')] })
      assert.equal(await replacedBy(stores, mine, 'old'), null)
      assert.deepEqual(await episodic.links(mine, chunkId('old')), [])
    }))

  test('[ES12] reopens what the last text replaced, and passes on what one in between did', () =>
    withStores(opened, async (stores, mine) => {
      await chain(stores, mine)
      assert.deepEqual(await open(stores, mine), ['rome'])
      await forget(stores, mine, 'Berlin')
      assert.deepEqual(await open(stores, mine), ['rome'])
      assert.equal(await replacedBy(stores, mine, 'Lisbon'), chunkId('Rome'))
      await forget(stores, mine, 'Rome')
      assert.deepEqual(await open(stores, mine), ['lisbon'])
      assert.equal(await replacedBy(stores, mine, 'Lisbon'), null)
      const [told] = await stores.episodic.get(mine, [chunkId('Lisbon')])
      assert.equal(told?.closedFactCount, 0)
    }))

  test('[ES12] reopens only the text before when the newest is removed, whatever the order', () =>
    withStores(opened, async (stores, mine, other) => {
      await chain(stores, mine)
      await forget(stores, mine, 'Rome')
      assert.deepEqual(await open(stores, mine), ['berlin'])
      assert.equal(await replacedBy(stores, mine, 'Lisbon'), chunkId('Berlin'))
      await chain(stores, other)
      await forget(stores, other, 'Berlin', 'Rome')
      assert.deepEqual(await open(stores, other), ['lisbon'])
      assert.equal(await replacedBy(stores, other, 'Lisbon'), null)
    }))

  test('[ES12] passes nothing on to a text that was not sure', () =>
    withStores(opened, async (stores, mine) => {
      const { journal } = stores
      await journal.remember(mine, item('old', { facts: [{ object: 'rome' }] }))
      const sure = [link('sure', 'old', { closes: [factId('old')] })]
      await journal.remember(mine, item('sure', { links: sure, at: start + 1 }))
      const unsure = [link('unsure', 'sure', { probability: 0.6 })]
      await journal.remember(mine, item('unsure', { links: unsure, at: start + 2 }))
      await forget(stores, mine, 'sure')
      assert.deepEqual(await open(stores, mine), ['rome'])
      const [old] = await stores.episodic.get(mine, [chunkId('old')])
      assert.deepEqual([old?.replaced?.by, old?.replaced?.probability], [chunkId('unsure'), 0.6])
    }))

  test('[ES12] reopens nothing when the newer text fades', () =>
    withStores(opened, async (stores, mine) => {
      await chain(stores, mine)
      await stores.episodic.touch(mine, [chunkId('Lisbon')], start + 30 * day)
      const query = { persona: null, threshold: 0.5, halfLifeDays: 7, now: start + 30 * day }
      assert.equal(await stores.episodic.removeFaded(mine, query), 2)
      assert.equal(await replacedBy(stores, mine, 'Lisbon'), chunkId('Berlin'))
      await stores.graph.touch(mine, [factId('Lisbon')], start + 30 * day)
      await stores.graph.removeFaded(mine, query)
      assert.deepEqual(await open(stores, mine), [])
    }))
}

function reopenRules(opened: OpenStores): void {
  const told = (object: string, at: number, more: object = {}) =>
    item(`${object} ${at}`, { name: `${object} ${at}`, facts: [{ object, ...more }], at: start + at })
  const closing = async ({ graph }: MemoryStores, mine: Namespace, name: string) => {
    const [fact] = await graph.get(mine, [factId(name)])
    return [fact?.closedAt ?? null, fact?.closedBy ?? null, fact?.closer ?? null]
  }

  test('[GS17] closes by the next value what a removed one had closed, then opens it', () =>
    withStores(opened, async (stores, mine) => {
      const { journal, graph } = stores
      for (const [at, object] of ['lisbon', 'berlin', 'rome'].entries()) {
        await journal.remember(mine, told(object, at))
      }
      await graph.remove(mine, { ...everything, ids: [factId('berlin 1')] })
      const byRome = [start + 2, factId('rome 2'), factId('rome 2')]
      assert.deepEqual(await closing(stores, mine, 'lisbon 0'), byRome)
      await graph.remove(mine, { ...everything, ids: [factId('rome 2')] })
      assert.deepEqual(await closing(stores, mine, 'lisbon 0'), [null, null, null])
      const query = { vector: unit(1), terms: ['lisbon'], personas: null, limit: 9 }
      assert.equal((await graph.searchFacts(mine, query)).length, 1)
    }))

  test('[GS17] opens what a removed end had closed, unless something else holds', () =>
    withStores(opened, async (stores, mine) => {
      const { journal, graph } = stores
      const end = (at: number) => journal.remember(mine, told('rome', at, { ended: true }))
      await journal.remember(mine, told('rome', 0))
      await end(1)
      assert.deepEqual(await closing(stores, mine, 'rome 0'), [start + 1, null, factId('rome 1')])
      await graph.remove(mine, { ...everything, ids: [factId('rome 1')] })
      assert.deepEqual(await open(stores, mine), ['rome'])
      await end(2)
      await journal.remember(mine, told('oslo', 3))
      await graph.remove(mine, { ...everything, ids: [factId('rome 2')] })
      assert.deepEqual(await open(stores, mine), ['oslo'])
      assert.deepEqual((await closing(stores, mine, 'rome 0'))[1], factId('oslo 3'))
      await graph.remove(mine, { ...everything, ids: [factId('oslo 3')] })
      assert.deepEqual(await open(stores, mine), ['rome'])
    }))

  test('[GS17] keeps closed what a second end, told since, ends as well, until that goes, too', () =>
    withStores(opened, async (stores, mine) => {
      const { journal, graph } = stores
      await journal.remember(mine, told('rome', 0))
      for (const at of [1, 2]) await journal.remember(mine, told('rome', at, { ended: true }))
      await graph.remove(mine, { ...everything, ids: [factId('rome 1')] })
      assert.deepEqual(await closing(stores, mine, 'rome 0'), [start + 2, null, factId('rome 2')])
      await graph.remove(mine, { ...everything, ids: [factId('rome 2')] })
      assert.deepEqual(await open(stores, mine), ['rome'])
    }))

  test('[GS17] opens the newest of the weaker claims that a removed fact had held back', () =>
    withStores(opened, async (stores, mine) => {
      const { journal, graph, episodic } = stores
      await journal.remember(mine, told('rome', 0))
      for (const [at, object] of ['oslo', 'bern'].entries()) {
        const claim = { name: object, source: 'assistant', at: start + 1 + at, facts: [{ object }] } as const
        await journal.remember(mine, item(`in ${object}`, claim))
      }
      assert.deepEqual(await open(stores, mine), ['rome'])
      await graph.remove(mine, { ...everything, ids: [factId('rome 0')] })
      assert.deepEqual(await open(stores, mine), ['bern'])
      assert.deepEqual(await closing(stores, mine, 'oslo'), [start + 2, factId('bern'), factId('bern')])
      const counts = await episodic.get(mine, [chunkId('bern')])
      assert.deepEqual([counts[0]?.factCount, counts[0]?.closedFactCount], [1, 0])
      await graph.remove(mine, { ...everything, ids: [factId('bern')] })
      assert.deepEqual(await open(stores, mine), ['oslo'])
    }))

  test('[GS17] opens what the facts of a removed entity had closed, in this namespace alone', () =>
    withStores(opened, async (stores, mine, other) => {
      for (const namespace of [mine, other]) {
        await stores.journal.remember(namespace, told('rome', 0))
        await stores.journal.remember(namespace, told('oslo', 1))
      }
      const { relationships } = await stores.graph.linkedTo(mine, 'oslo')
      await stores.graph.remove(mine, { ...everything, ids: relationships })
      assert.deepEqual([await open(stores, mine), await open(stores, other)], [['rome'], ['oslo']])
    }))
}

function pinRules(opened: OpenStores): void {
  const late = { persona: null, threshold: 0.9, halfLifeDays: 7, now: start + 300 * day }

  test('[ES13] never lets a pinned text fade', () =>
    withStores(opened, async ({ journal, episodic }, mine, other) => {
      const id = chunkId('kept')
      for (const namespace of [mine, other]) await journal.remember(namespace, item('kept', { base: 0.8 }))
      assert.equal(await episodic.pin(mine, chunkId('unknown'), true), false)
      assert.equal(await episodic.pin(mine, id, true), true)
      const [pinned] = await episodic.get(mine, [id])
      assert.equal(pinned?.pinned, true)
      assert.equal(pinned && retention(pinned, late.now, late.halfLifeDays), 0.8)
      assert.deepEqual(
        [await episodic.countFaded(mine, late), await episodic.removeFaded(mine, late)],
        [0, 0],
      )
      assert.equal(await episodic.removeFaded(other, late), 1)
      assert.equal(await episodic.pin(mine, id, false), true)
      assert.equal(await episodic.removeFaded(mine, late), 1)
    }))

  test('[GS16] never lets a pinned fact fade or decay', () =>
    withStores(opened, async ({ journal, graph }, mine, other) => {
      const id = factId('kept')
      const kept = item('kept', { facts: [{ object: 'rome', base: 0.8 }] })
      for (const namespace of [mine, other]) await journal.remember(namespace, kept)
      assert.equal(await graph.pin(mine, factId('unknown'), true), false)
      assert.equal(await graph.pin(mine, id, true), true)
      assert.equal((await graph.get(mine, [id]))[0]?.pinned, true)
      assert.equal((await graph.get(other, [id]))[0]?.pinned, false)
      assert.deepEqual(await graph.decay(mine, late), { decayed: 0, reinforced: 0 })
      assert.deepEqual(await graph.decay(other, late), { decayed: 1, reinforced: 0 })
      assert.equal(await graph.countOrphans(mine, late), 0)
      assert.deepEqual([await graph.countFaded(mine, late), await graph.removeFaded(mine, late)], [0, 0])
      assert.equal(await graph.pin(mine, id, false), true)
      assert.equal(await graph.removeFaded(mine, late), 1)
    }))
}
