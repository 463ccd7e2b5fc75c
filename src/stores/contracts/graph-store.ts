import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { EntityId, Namespace } from '../../core/ids.ts'
import type { GraphStore, MemoryStores } from '../../memory/ports.ts'
import { graphKeepingRules } from './graph-store-keeping.ts'
import {
  anyFilter,
  everything,
  factId,
  item,
  type OpenStores,
  start,
  unit,
  withStores,
} from './journal-drafts.ts'

/** Rules GS1 to GS14 of docs/ports/memory.md. */
export function graphStoreContract(backend: string, open: OpenStores): void {
  describe(`graph store: ${backend}`, () => {
    tenancyRules(open)
    findingRules(open)
    graphKeepingRules(open)
  })
}

const everywhere = { personas: null, limit: 10 }
const noDecay = { persona: null, halfLifeDays: 7, now: start }

const named = async (graph: GraphStore, namespace: Namespace, key: string): Promise<EntityId[]> =>
  (await graph.entitiesNamed(namespace, [key])).map(({ id }) => id)

/** Two namespaces with equal names and ids; the other one holds more, and held it before: rows have an order. */
async function tellBoth({ journal }: MemoryStores, mine: Namespace, other: Namespace): Promise<void> {
  for (const namespace of [other, mine]) {
    await journal.remember(namespace, item('Rome', { facts: [{ object: 'rome' }] }))
    await journal.remember(namespace, item('Oslo', { facts: [{ object: 'oslo' }], at: start + 1 }))
  }
  await journal.remember(other, item('tea', { facts: [{ relation: 'likes', object: 'tea' }], at: start + 2 }))
}

function tenancyRules(open: OpenStores): void {
  test('[GS1] shows a namespace nothing of another, whatever it asks', () =>
    withStores(open, async (stores, mine, other) => {
      const { graph } = stores
      await tellBoth(stores, mine, other)
      const entities = await graph.nearestEntities(mine, unit(1), 10)
      assert.deepEqual(entities.map(({ entity }) => entity.key).sort(), ['oslo', 'rome', 'user'])
      assert.deepEqual(await graph.entitiesNamed(mine, ['tea']), [])
      const query = { vector: unit(1), terms: ['like', 'tea', 'oslo'], ...everywhere }
      assert.deepEqual(
        (await graph.searchFacts(mine, query)).map(({ fact }) => fact.id),
        [factId('Oslo')],
      )
      const users = [...(await named(graph, mine, 'user')), ...(await named(graph, other, 'user'))]
      const expanded = await graph.expand(mine, { entities: users, ...everywhere })
      assert.deepEqual(
        expanded.edges.map(({ id }) => id),
        [factId('Oslo')],
      )
      assert.deepEqual(await graph.get(mine, [factId('tea')]), [])
      assert.deepEqual(await graph.slotHistory(mine, factId('tea')), [])
      assert.equal((await graph.slotHistory(mine, factId('Rome'))).length, 2)
      const chunks = (await graph.get(other, [factId('tea'), factId('Oslo')])).map(({ chunkId }) => chunkId)
      assert.deepEqual(
        (await graph.factsOf(mine, chunks)).map(({ id }) => id),
        [factId('Oslo')],
      )
      assert.equal((await graph.list(mine, anyFilter, { after: null, limit: 9 })).length, 1)
      assert.equal(await graph.countRelationships(mine, null), 1)
      assert.equal(await graph.countEntities(mine, null), 3)
      assert.equal(await graph.countEntities(mine, 'shared'), 2)
      assert.equal(await graph.countFaded(mine, { ...noDecay, threshold: 2 }), 2)
    }))

  test('[GS1] changes and removes nothing of another namespace', () =>
    withStores(open, async (stores, mine, other) => {
      const { graph, journal, episodic } = stores
      await tellBoth(stores, mine, other)
      await journal.remember(mine, item('named', { entities: [{ key: 'lonely' }] }))
      await journal.remember(other, item('named', { entities: [{ key: 'lonely' }] }))
      const shown = async () => ({
        facts: await graph.get(other, [factId('Rome'), factId('Oslo'), factId('tea')]),
        chunks: await episodic.list(other, anyFilter, { after: null, limit: 9 }),
        counts: [await graph.countEntities(other, null), await graph.countOrphans(other)],
      })
      const before = await shown()
      await graph.touch(mine, [factId('Oslo'), factId('tea')], start + 9)
      assert.deepEqual(await graph.decay(mine, { ...noDecay, now: start + 99_999 }), {
        decayed: 1,
        reinforced: 0,
      })
      assert.equal(await graph.remove(mine, { ...everything, ids: [factId('tea'), factId('Rome')] }), 1)
      assert.deepEqual(await graph.linkedTo(mine, 'tea'), { relationships: [], chunks: [] })
      await graph.dropEvidence(mine, [factId('tea')])
      assert.equal(await graph.removeFaded(mine, { ...noDecay, threshold: 2 }), 1)
      assert.equal(await graph.countOrphans(mine), 4)
      assert.equal(await graph.removeOrphans(mine), 4)
      assert.deepEqual(await shown(), before)
      assert.deepEqual(await graph.decay(other, noDecay), { decayed: 0, reinforced: 0 })
      assert.equal(await graph.remove(mine, everything), 0)
      assert.equal(await graph.count(mine, everything), 0)
      assert.deepEqual(await shown(), before)
    }))

  test('[GS1] removes its own entity where another namespace has one of the same name', () =>
    withStores(open, async (stores, mine, other) => {
      await tellBoth(stores, mine, other)
      const { relationships } = await stores.graph.linkedTo(mine, 'oslo')
      assert.equal(await stores.graph.remove(mine, { ...everything, ids: relationships }), 1)
      await stores.graph.removeOrphans(mine)
      assert.deepEqual(await stores.graph.entitiesNamed(mine, ['oslo']), [])
      assert.equal((await stores.graph.entitiesNamed(other, ['oslo'])).length, 1)
      assert.equal((await stores.graph.get(other, [factId('Oslo')])).length, 1)
    }))
}

function findingRules(open: OpenStores): void {
  test('[GS2] gives the nearest entities, best first, ties by id', () =>
    withStores(open, async ({ journal, graph }, mine) => {
      const entities = [
        { key: 'far', vector: unit(1, 5) },
        { key: 'near', vector: unit(5, 1) },
        ...['x', 'y', 'z'].map((key) => ({ key, vector: unit(1, 1) })),
      ]
      await journal.remember(mine, item('all', { entities }))
      const hits = await graph.nearestEntities(mine, unit(1), 4)
      const tied = hits.slice(1).map(({ entity }) => entity.id)
      assert.equal(hits[0]?.entity.key, 'near')
      assert.ok(Math.abs((hits[0]?.cosine ?? 0) - 5 / Math.sqrt(26)) < 1e-6)
      assert.deepEqual(tied, tied.toSorted())
      assert.equal((await graph.nearestEntities(mine, unit(1), 2)).length, 2)
    }))

  test('[GS3] finds entities by key, and by alias in any case', () =>
    withStores(open, async ({ journal, graph }, mine) => {
      const entities = [{ key: 'maria', aliases: ['My Sister'] }, { key: 'tom' }]
      await journal.remember(mine, item('all', { entities }))
      for (const name of ['maria', 'my sister', 'MY SISTER']) {
        assert.deepEqual(
          (await graph.entitiesNamed(mine, [name])).map(({ key }) => key),
          ['maria'],
        )
      }
      assert.equal((await graph.entitiesNamed(mine, ['tom', 'maria', 'my sister'])).length, 2)
      assert.deepEqual(await graph.entitiesNamed(mine, ['sister', 'nobody']), [])
    }))

  test('[GS4] finds current facts by meaning and by words, of the given personas', () =>
    withStores(open, async ({ journal, graph }, mine) => {
      const told = (name: string, text: string, vector: Float32Array, persona = 'shared') =>
        journal.remember(
          mine,
          item(name, { persona, facts: [{ relation: 'likes', object: name, text, vector }] }),
        )
      await told('tea', 'user likes tea', unit(1))
      await told('boats', 'user likes boats', unit(0, 1))
      await told('trains', 'user likes trains', unit(1, 1), 'work')
      const search = async (limit: number, personas: readonly string[] | null) => {
        const found = await graph.searchFacts(mine, { vector: unit(1), terms: ['boat'], personas, limit })
        return Object.fromEntries(found.map(({ fact, ...scores }) => [fact.objectName, scores]))
      }
      assert.deepEqual(Object.keys(await search(1, null)).sort(), ['boats', 'tea'])
      assert.deepEqual(Object.keys(await search(9, ['work'])), ['trains'])
      const { tea, boats } = await search(1, ['shared'])
      assert.ok(Math.abs((tea?.cosine ?? 0) - 1) < 1e-6 && tea?.bm25 === 0)
      // Two facts of two terms each, one with the term: the idf of ES3 by its gain.
      assert.ok(Math.abs((boats?.bm25 ?? 0) - (Math.log(1 + 1.5 / 1.5) * 1.9) / 1.9) < 1e-4)
    }))

  test('[GS4] does not find closed or removed facts', () =>
    withStores(open, async ({ journal, graph }, mine) => {
      const query = { vector: unit(1), terms: ['rome', 'oslo'], ...everywhere }
      const found = async () => (await graph.searchFacts(mine, query)).map(({ fact }) => fact.objectName)
      await journal.remember(mine, item('Rome', { facts: [{ object: 'rome' }] }))
      assert.deepEqual(await found(), ['rome'])
      await journal.remember(mine, item('Oslo', { facts: [{ object: 'oslo' }] }))
      assert.deepEqual(await found(), ['oslo'])
      await graph.remove(mine, { ...everything, ids: [factId('Rome')] })
      assert.deepEqual(await found(), ['oslo'])
      await graph.remove(mine, { ...everything, ids: [factId('Oslo')] })
      assert.deepEqual(await found(), [])
    }))

  test('[GS5] expands to current edges at either end, best confidence first, ties by id', () =>
    withStores(open, async ({ journal, graph }, mine) => {
      const knows = (name: string, subject: string, object: string, base: number, persona = 'shared') =>
        journal.remember(mine, item(name, { persona, facts: [{ relation: 'knows', subject, object, base }] }))
      await knows('weak', 'ann', 'bob', 0.5)
      for (const name of ['x', 'y', 'z']) await knows(name, name, 'ann', 0.8)
      await knows('work', 'ann', 'carl', 0.9, 'work')
      await knows('elsewhere', 'bob', 'carl', 1)
      const ann = await named(graph, mine, 'ann')
      const ties = ['x', 'y', 'z'].map(factId).sort()
      const all = await graph.expand(mine, { entities: ann, ...everywhere })
      assert.deepEqual(
        all.edges.map(({ id }) => id),
        [factId('work'), ...ties, factId('weak')],
      )
      assert.equal(all.truncated, false)
      assert.deepEqual(all.cosines, [])
      const some = await graph.expand(mine, { entities: ann, personas: ['shared'], limit: 2 })
      assert.deepEqual([some.edges.map(({ id }) => id), some.truncated], [ties.slice(0, 2), true])
      const exact = await graph.expand(mine, { entities: ann, personas: ['shared'], limit: 4 })
      assert.deepEqual([exact.edges.length, exact.truncated], [4, false])
      const both = await graph.expand(mine, {
        entities: [...ann, ...(await named(graph, mine, 'bob'))],
        ...everywhere,
      })
      assert.equal(both.edges.length, 6)
      assert.deepEqual(await graph.expand(mine, { entities: [], ...everywhere }), {
        edges: [],
        cosines: [],
        crowds: [],
        truncated: false,
      })
    }))

  test('[GS5] gives the nearest of the edges it looked at, without those that are known', () =>
    withStores(open, async ({ journal, graph }, mine) => {
      const knows = (name: string, subject: string, object: string, base: number, vector: Float32Array) =>
        journal.remember(mine, item(name, { facts: [{ relation: 'knows', subject, object, base, vector }] }))
      await knows('far', 'ann', 'bob', 0.9, unit(0, 1))
      await knows('equal', 'ann', 'carl', 0.8, unit(1))
      await knows('near', 'dora', 'ann', 0.7, unit(3, 1))
      await knows('both', 'ann', 'eve', 0.6, unit(1, 1))
      await knows('weak', 'ann', 'fay', 0.5, unit(1))
      const entities = [...(await named(graph, mine, 'eve')), ...(await named(graph, mine, 'ann'))]
      const query = { ...everywhere, entities, vector: unit(1), limit: 4, nearest: 2 }
      const some = await graph.expand(mine, query)
      const ids = ({ edges }: typeof some) => edges.map(({ id }) => id)
      assert.deepEqual(
        [ids(some), some.crowds, some.truncated],
        [['equal', 'near'].map(factId), [4, 4], true],
      )
      assert.ok(Math.abs((some.cosines[1] ?? 2) - 3 / Math.sqrt(10)) < 1e-6)
      const rest = await graph.expand(mine, { ...query, without: ids(some) })
      assert.deepEqual([ids(rest), rest.crowds, rest.truncated], [['both', 'weak'].map(factId), [3, 3], true])
      const all = await graph.expand(mine, { ...query, limit: 5, nearest: 5 })
      assert.deepEqual([all.edges.length, all.truncated], [5, false])
    }))

  test('[GS5] says how near every edge is to the question', () =>
    withStores(open, async ({ journal, graph }, mine) => {
      const likes = (object: string, base: number, vector: Float32Array) =>
        journal.remember(mine, item(object, { facts: [{ relation: 'likes', object, base, vector }] }))
      await likes('far', 0.9, unit(0, 1))
      await likes('near', 0.8, unit(3, 1))
      await likes('equal', 0.7, unit(1))
      const user = await named(graph, mine, 'user')
      const query = { entities: user, ...everywhere, vector: unit(1) }
      const { edges, cosines } = await graph.expand(mine, query)
      assert.deepEqual(
        edges.map(({ objectName }) => objectName),
        ['far', 'near', 'equal'],
      )
      for (const [at, cosine] of [0, 3 / Math.sqrt(10), 1].entries())
        assert.ok(Math.abs((cosines[at] ?? 2) - cosine) < 1e-6, `${cosines[at]}, not ${cosine}`)
    }))

  test('[GS5] goes by the confidence of the last decay', () =>
    withStores(open, async ({ journal, graph }, mine) => {
      const likes = (object: string, base: number, at: number) =>
        journal.remember(mine, item(object, { at, facts: [{ relation: 'likes', object, base }] }))
      await likes('old', 1, start)
      await likes('new', 0.9, start + 7 * 86_400)
      const user = await named(graph, mine, 'user')
      const order = async () =>
        (await graph.expand(mine, { entities: user, ...everywhere })).edges.map(
          ({ objectName }) => objectName,
        )
      assert.deepEqual(await order(), ['old', 'new'])
      await graph.decay(mine, { ...noDecay, now: start + 7 * 86_400 })
      assert.deepEqual(await order(), ['new', 'old'])
    }))
}
