import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asItemId, type Namespace } from '../../core/ids.ts'
import type { Fact, MemoryStores } from '../../memory/ports.ts'
import {
  anyFilter,
  chunkId,
  everything,
  factId,
  item,
  type OpenStores,
  start,
  unit,
  withStores,
} from './journal-drafts.ts'

/** Rules J1 to J10 of docs/ports/memory.md. */
export function journalContract(backend: string, open: OpenStores): void {
  describe(`journal: ${backend}`, () => {
    storingRules(open)
    settlingRules(open)
    entityRules(open)
  })
}

const currentFacts = async ({ graph }: MemoryStores, namespace: Namespace): Promise<readonly Fact[]> =>
  graph.list(namespace, anyFilter, { after: null, limit: 100 })

const lives = (object: string) => ({ facts: [{ object }] })

function storingRules(open: OpenStores): void {
  test('[J1] shows chunks, facts and entities once it resolves, with all they were told with', () =>
    withStores(open, async ({ journal, episodic, graph }, mine) => {
      const written = item('I live in Rome', { ...lives('rome'), session: 's', metadata: { from: 'chat' } })
      assert.deepEqual(await journal.remember(mine, written), {
        ...{ outcome: 'stored', entities: 2, facts: 1, closed: [] },
      })
      const [chunk] = await episodic.get(mine, [chunkId('I live in Rome')])
      const [told] = written.chunks
      assert.ok(told !== undefined)
      const { tokens: _tokens, ...draft } = told
      assert.deepEqual(chunk, { ...draft, factCount: 1, closedFactCount: 0, replaced: null })
      const [fact] = await graph.get(mine, [factId('I live in Rome')])
      assert.equal(fact?.fact, 'user lives in rome')
      assert.deepEqual([fact?.subjectName, fact?.objectName, fact?.relation], ['user', 'rome', 'lives_in'])
      assert.deepEqual([fact?.sessionId, fact?.metadata, fact?.createdAt], ['s', { from: 'chat' }, start])
      assert.deepEqual(
        [fact?.closedAt, fact?.closedBy, fact?.closer, fact?.accessCount],
        [null, null, null, 0],
      )
      assert.deepEqual([fact?.evidence, fact?.extraction, fact?.base], ['I live in Rome', 0.9, 1])
      assert.deepEqual(fact?.chunkId, chunk?.id)
    }))

  test('[J1] leaves nothing behind when it rejects', () =>
    withStores(open, async ({ journal, episodic, graph }, mine) => {
      const written = item('I live in Rome', lives('rome'))
      const broken = { ...written, chunks: [...written.chunks, ...written.chunks] }
      await assert.rejects(journal.remember(mine, broken))
      assert.equal(await episodic.count(mine, everything), 0)
      assert.equal(await graph.countRelationships(mine, null), 0)
      assert.equal(await graph.countEntities(mine, null), 0)
      assert.equal((await journal.remember(mine, written)).outcome, 'stored')
    }))

  test('[J1] fails alone among those that come at once', () =>
    withStores(open, async ({ journal, episodic }, mine) => {
      const written = ['Rome', 'Oslo', 'Lima', 'Bonn'].map((town) =>
        item(`${town} is a town`, { name: town }),
      )
      const broken = written.map((one, at) =>
        at === 2 ? { ...one, chunks: [...one.chunks, ...one.chunks] } : one,
      )
      const outcomes = await Promise.allSettled(broken.map((one) => journal.remember(mine, one)))
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
      )
      assert.equal(await episodic.count(mine, everything), 3)
    }))

  test('[J2] stores a text once per namespace and persona', () =>
    withStores(open, async (stores, mine, other) => {
      const { journal } = stores
      const again = item('I live in Rome', { name: 'again', ...lives('rome'), at: start + 9 })
      await journal.remember(mine, item('I live in Rome', lives('rome')))
      assert.deepEqual(await journal.remember(mine, again), {
        ...{ outcome: 'duplicate', chunkId: chunkId('I live in Rome') },
      })
      assert.equal((await currentFacts(stores, mine)).length, 1)
      assert.equal(await stores.episodic.count(mine, everything), 1)
      const elsewhere = item('I live in Rome', { name: 'work', persona: 'work' })
      assert.equal((await journal.remember(mine, elsewhere)).outcome, 'stored')
      assert.equal((await journal.remember(other, again)).outcome, 'stored')
    }))

  test('[J3] stores a text again once a fact of it was closed', () =>
    withStores(open, async (stores, mine) => {
      const { journal } = stores
      await journal.remember(mine, item('I live in Rome', lives('rome')))
      await journal.remember(mine, item('I live in Oslo', { ...lives('oslo'), at: start + 1 }))
      const back = item('I live in Rome', { name: 'back', ...lives('rome'), at: start + 2 })
      const receipt = await journal.remember(mine, back)
      assert.deepEqual(receipt.outcome === 'stored' && receipt.closed, [factId('I live in Oslo')])
      assert.deepEqual(
        (await currentFacts(stores, mine)).map(({ id }) => id),
        [factId('back')],
      )
    }))

  test('[J3] takes a text that corrects itself as a repetition when it is told again', () =>
    withStores(open, async ({ journal }, mine) => {
      const facts = ['rome', 'oslo'].map((object) => ({ name: object, object, relation: 'lives_in' }))
      const tell = async (name: string) =>
        (await journal.remember(mine, item('I live in Rome. No, in Oslo.', { name, facts }))).outcome
      assert.equal(await tell('first'), 'stored')
      assert.equal(await tell('second'), 'duplicate')
    }))

  test('[J4] stores a text again once its chunk, a piece of it, or a fact of it was removed', () =>
    withStores(open, async ({ journal, episodic, graph }, mine) => {
      const more = [{ name: 'piece', text: 'second piece', vector: unit(0, 1) }]
      const tell = async (name: string) =>
        (await journal.remember(mine, item('a long text', { name, ...lives('rome'), more }))).outcome
      assert.equal(await tell('first'), 'stored')
      await episodic.remove(mine, { ...everything, ids: [chunkId('piece')] })
      assert.equal(await tell('second'), 'stored')
      assert.equal(await tell('third'), 'duplicate')
      // The second telling confirmed the fact of the first: without it both have lost something.
      await graph.remove(mine, { ...everything, ids: [factId('first')] })
      await episodic.remove(mine, { ...everything, ids: [chunkId('first')] })
      await episodic.remove(mine, { ...everything, ids: [chunkId('piece')] })
      assert.equal(await tell('third'), 'stored')
      await graph.remove(mine, { ...everything, ids: [factId('third')] })
      const alone = item('a long text', { name: 'fourth', ...lives('rome') })
      assert.equal((await journal.remember(mine, alone)).outcome, 'stored')
    }))

  test('[J10] stores identical items that come at once only once', () =>
    withStores(open, async (stores, mine) => {
      const copies = Array.from({ length: 8 }, (_, at) =>
        item('at once', { name: `copy ${at}`, ...lives('rome') }),
      )
      const receipts = await Promise.all(copies.map((copy) => stores.journal.remember(mine, copy)))
      assert.equal(receipts.filter(({ outcome }) => outcome === 'stored').length, 1)
      assert.equal(await stores.episodic.count(mine, everything), 1)
    }))

  test('[J10] leaves one current fact of rivals that come at once', () =>
    withStores(open, async (stores, mine) => {
      const cities = ['rome', 'oslo', 'bern', 'lima', 'cairo']
      await Promise.all(cities.map((city) => stores.journal.remember(mine, item(`in ${city}`, lives(city)))))
      assert.equal((await currentFacts(stores, mine)).length, 1)
      assert.equal(await stores.episodic.count(mine, everything), 5)
    }))
}

function settlingRules(open: OpenStores): void {
  test('[J5] closes the older value of a slot, and says so', () =>
    withStores(open, async (stores, mine) => {
      const { journal, graph } = stores
      await journal.remember(mine, item('Rome', lives('rome')))
      await journal.remember(mine, item('Lima for work', { ...lives('lima'), persona: 'work' }))
      const receipt = await journal.remember(mine, item('Oslo', { ...lives('oslo'), at: start + 5 }))
      assert.deepEqual(receipt.outcome === 'stored' && receipt.closed, [factId('Rome')])
      const [closed] = await graph.get(mine, [factId('Rome')])
      const byOslo = [start + 5, factId('Oslo'), factId('Oslo')]
      assert.deepEqual([closed?.closedAt, closed?.closedBy, closed?.closer], byOslo)
      const current = (await currentFacts(stores, mine)).map(({ objectName }) => objectName)
      assert.deepEqual(current.sort(), ['lima', 'oslo'])
    }))

  test('[J5] keeps a less trusted rival as history', () =>
    withStores(open, async (stores, mine) => {
      const { journal, graph } = stores
      await journal.remember(mine, item('Rome', lives('rome')))
      const claim = item('Oslo', { ...lives('oslo'), source: 'assistant', at: start + 5 })
      const receipt = await journal.remember(mine, claim)
      assert.deepEqual(receipt, { outcome: 'stored', entities: 2, facts: 1, closed: [] })
      assert.deepEqual(
        (await currentFacts(stores, mine)).map(({ objectName }) => objectName),
        ['rome'],
      )
      const [history] = await graph.get(mine, [factId('Oslo')])
      assert.deepEqual([history?.closedAt, history?.closedBy], [start + 5, factId('Rome')])
    }))

  test('[J6] confirms a fact that is current already', () =>
    withStores(open, async (stores, mine) => {
      const { journal } = stores
      const claim = { facts: [{ object: 'rome', base: 0.5 }], source: 'assistant' } as const
      await journal.remember(mine, item('said', claim))
      await journal.remember(mine, item('said again', { ...claim, at: start + 5 }))
      const [confirmed, ...rest] = await currentFacts(stores, mine)
      assert.deepEqual(rest, [])
      assert.deepEqual([confirmed?.lastAccessAt, confirmed?.base], [start + 5, 0.5])
      assert.deepEqual([confirmed?.id, confirmed?.source], [factId('said'), 'assistant'])
      const receipt = await journal.remember(mine, item('by the user', { ...lives('rome'), at: start + 9 }))
      const confirms = { closed: [], confirmed: [factId('said')] }
      assert.deepEqual(receipt, { outcome: 'stored', entities: 2, facts: 1, ...confirms })
      const [raised] = await currentFacts(stores, mine)
      assert.deepEqual([raised?.id, raised?.source, raised?.base], [factId('said'), 'user', 1])
    }))

  test('[J7] closes what has ended, without a successor', () =>
    withStores(open, async (stores, mine) => {
      const { journal, graph } = stores
      await journal.remember(mine, item('Rome', lives('rome')))
      const end = item('left Rome', { facts: [{ object: 'rome', ended: true }], at: start + 5 })
      const receipt = await journal.remember(mine, end)
      assert.deepEqual(receipt.outcome === 'stored' && receipt.closed, [factId('Rome')])
      assert.deepEqual(await currentFacts(stores, mine), [])
      for (const fact of await graph.get(mine, [factId('Rome'), factId('left Rome')])) {
        assert.deepEqual([fact.closedAt, fact.closedBy], [start + 5, null])
      }
      assert.equal((await journal.remember(mine, { ...end, itemId: asItemId('new') })).outcome, 'duplicate')
    }))

  test('[J8] counts into a chunk what it told or confirmed, and what of that is closed', () =>
    withStores(open, async ({ journal, episodic }, mine) => {
      const counts = async (name: string) => {
        const [chunk] = await episodic.get(mine, [chunkId(name)])
        return [chunk?.factCount, chunk?.closedFactCount]
      }
      const likes = { name: 'likes', relation: 'likes', object: 'tea' }
      await journal.remember(mine, item('Rome and tea', { facts: [{ object: 'rome' }, likes] }))
      await journal.remember(mine, item('still Rome', { ...lives('rome'), at: start + 1 }))
      assert.deepEqual(
        [await counts('Rome and tea'), await counts('still Rome')],
        [
          [2, 0],
          [1, 0],
        ],
      )
      await journal.remember(mine, item('Oslo', { ...lives('oslo'), at: start + 2 }))
      assert.deepEqual(
        [await counts('Rome and tea'), await counts('still Rome')],
        [
          [2, 1],
          [1, 1],
        ],
      )
      const claim = item('claim', { ...lives('lima'), source: 'assistant', at: start + 3 })
      await journal.remember(mine, claim)
      const end = { facts: [{ object: 'oslo', ended: true }], at: start + 4 }
      await journal.remember(mine, item('left Oslo', end))
      assert.deepEqual(
        [await counts('claim'), await counts('left Oslo')],
        [
          [1, 1],
          [1, 0],
        ],
      )
    }))
}

function entityRules(open: OpenStores): void {
  test('[J9] keeps one entity per key, adds aliases and makes its type more precise', () =>
    withStores(open, async ({ journal, graph }, mine, other) => {
      const key = 'maria'
      const said = (text: string, draft: object) =>
        journal.remember(mine, item(text, { entities: [{ key, ...draft }] }))
      await said('one', { name: 'Maria', type: 'concept', aliases: ['my sister'] })
      await said('two', { name: 'MARIA', type: 'person', aliases: ['my sister', 'Mia'], vector: unit(0, 1) })
      await said('three', { type: 'thing' })
      const [entity, ...rest] = await graph.entitiesNamed(mine, [key])
      assert.deepEqual(rest, [])
      assert.deepEqual([entity?.name, entity?.type, entity?.createdAt], ['Maria', 'person', start])
      assert.deepEqual(entity?.aliases, ['my sister', 'Mia'])
      assert.deepEqual(entity?.vector, unit(1))
      await journal.remember(other, item('one', { entities: [{ key }] }))
      const [foreign] = await graph.entitiesNamed(other, [key])
      assert.deepEqual(foreign?.aliases, [])
    }))

  test('[J9] makes the ends that no draft describes', () =>
    withStores(open, async ({ journal, graph }, mine) => {
      await journal.remember(mine, item('Rome', lives('rome')))
      const named = await graph.entitiesNamed(mine, ['user', 'rome'])
      assert.deepEqual(named.map(({ key, type }) => `${key} ${type}`).sort(), [
        'rome concept',
        'user concept',
      ])
    }))
}
