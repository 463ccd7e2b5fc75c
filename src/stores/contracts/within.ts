import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Namespace } from '../../core/ids.ts'
import type { MemoryStores, MetadataFilter, Within } from '../../memory/ports.ts'
import { createDice, matchesNaively, someFilter, someMetadata } from './filters.ts'
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

/** Rules ES17, ES18, GS19 and GS20 of docs/ports/memory.md, and what ES7, ES10, GS7 and GS12 say of metadata. */
export function withinContract(backend: string, open: OpenStores): void {
  describe(`what a question may see: ${backend}`, () => {
    spanRules(open)
    timeRules(open)
    filterRules(open)
  })
}

const anything: Within = { since: null, until: null, asOf: null, filter: null }
const question = { vector: unit(1), terms: ['boat'], personas: null, nearest: 50, lexical: 50 }
const factQuestion = { vector: unit(1), terms: ['user'], personas: null, limit: 50 }
const kindIs = (kind: string): MetadataFilter => ({ field: 'kind', in: [kind] })

const found = async ({ episodic }: MemoryStores, namespace: Namespace, within: Within, nearest = 50) =>
  (await episodic.search(namespace, { ...question, nearest, lexical: nearest, within })).hits
    .map(({ chunk }) => chunk.text)
    .sort()

const factsFound = async ({ graph }: MemoryStores, namespace: Namespace, within: Within) =>
  (await graph.searchFacts(namespace, { ...factQuestion, within }))
    .map(({ fact }) => fact.id as string)
    .sort()

function spanRules(open: OpenStores): void {
  test('[ES17] finds what was told since and before, and by metadata, however much else is nearer', () =>
    withStores(open, async (stores, mine, other) => {
      for (let at = 0; at < 30; at++) {
        const metadata = at < 3 ? { kind: 'old' } : null
        const vector = unit(1, at < 3 ? 5 : 0)
        const told = { at: start + at, metadata, vector }
        await stores.journal.remember(mine, item(`boat ${at}`, told))
        await stores.journal.remember(
          other,
          item(`boat ${at} of another`, { ...told, metadata: { kind: 'old' } }),
        )
      }
      const span = { ...anything, since: start + 1, until: start + 3 }
      assert.deepEqual(await found(stores, mine, span, 2), ['boat 1', 'boat 2'])
      const filter = kindIs('old')
      assert.deepEqual(await found(stores, mine, { ...anything, filter }, 3), ['boat 0', 'boat 1', 'boat 2'])
      assert.deepEqual(await found(stores, mine, { ...span, filter, asOf: start + 1 }), ['boat 1'])
      assert.deepEqual(await found(stores, mine, { ...anything, filter: kindIs('unknown') }), [])
    }))

  test('[ES17] brings no neighbour that may not be seen', () =>
    withStores(open, async (stores, mine) => {
      for (const [at, kind] of ['a', 'b', 'a', 'a', 'b'].entries()) {
        const told = { session: 's', at: start + at, metadata: { kind }, vector: unit(at === 2 ? 1 : 0, 1) }
        await stores.journal.remember(mine, item(`boat ${at}`, told))
      }
      const within = { ...anything, filter: kindIs('a') }
      const { hits } = await stores.episodic.search(mine, { ...question, terms: [], nearest: 1, within })
      const middle = hits.find(({ chunk }) => chunk.text === 'boat 2')
      assert.deepEqual(hits.map(({ chunk }) => chunk.text).sort(), ['boat 0', 'boat 2', 'boat 3'])
      assert.deepEqual([middle?.previous, middle?.next], [[chunkId('boat 0')], [chunkId('boat 3')]])
      const last = hits.find(({ chunk }) => chunk.text === 'boat 3')
      assert.deepEqual([last?.previous, last?.next], [[chunkId('boat 2')], []])
    }))

  test('[ES17] [GS19] scores as if nothing else were there', () =>
    withStores(open, async (stores, mine, other) => {
      for (const namespace of [mine, other]) {
        for (const [at, text] of ['red boat', 'a red house', 'boat boat of many words'].entries()) {
          const facts = [{ object: text, relation: 'likes' }]
          const told = { at: start + at, metadata: { kind: 'seen' }, vector: unit(1, at), facts }
          await stores.journal.remember(namespace, item(text, told))
        }
      }
      for (let at = 0; at < 5; at++) {
        const facts = [{ object: `boat number ${at}`, relation: 'likes' }]
        await stores.journal.remember(mine, item(`hidden red boat ${at}`, { at: start + 9, facts }))
      }
      for (const within of [
        { ...anything, filter: kindIs('seen') },
        { ...anything, asOf: start + 5 },
      ]) {
        const terms = ['red', 'boat', 'like']
        const texts = async (namespace: Namespace, seen: { readonly within?: Within }) => {
          const { hits, idfSum } = await stores.episodic.search(namespace, {
            ...question,
            terms,
            ...seen,
          })
          return [idfSum.toFixed(5), ...hits.map((hit) => `${hit.chunk.text} ${hit.bm25.toFixed(5)}`).sort()]
        }
        assert.deepEqual(await texts(mine, { within }), await texts(other, {}))
        const facts = async (namespace: Namespace, seen: { readonly within?: Within }) =>
          (await stores.graph.searchFacts(namespace, { ...factQuestion, terms, ...seen }))
            .map(({ fact, bm25 }) => `${fact.fact} ${bm25.toFixed(5)}`)
            .sort()
        assert.deepEqual(await facts(mine, { within }), await facts(other, {}))
      }
    }))
}

function timeRules(open: OpenStores): void {
  test('[GS19] shows the facts that were open at a time, by search and by expansion', () =>
    withStores(open, async (stores, mine) => {
      const { journal, graph } = stores
      for (const [at, place] of ['Lisbon', 'Berlin', 'Rome'].entries()) {
        const told = {
          at: start + 10 * at,
          facts: [{ object: place.toLowerCase() }],
          metadata: { kind: place },
        }
        await journal.remember(mine, item(place, told))
      }
      const users = (await graph.entitiesNamed(mine, ['user'])).map(({ id }) => id)
      const expanded = async (within: Within) => {
        const query = { entities: users, personas: null, limit: 10, vector: unit(1), within }
        const { edges, cosines } = await graph.expand(mine, query)
        assert.equal(cosines.length, edges.length)
        return edges.map(({ id }) => id as string).sort()
      }
      const expected: readonly (readonly [number, readonly string[]])[] = [
        [start - 1, []],
        [start, ['Lisbon']],
        [start + 9, ['Lisbon']],
        [start + 10, ['Berlin']],
        [start + 15, ['Berlin']],
        [start + 99, ['Rome']],
      ]
      for (const [asOf, places] of expected) {
        const within = { ...anything, asOf }
        assert.deepEqual(await factsFound(stores, mine, within), places.map(factId), `${asOf - start}`)
        assert.deepEqual(await expanded(within), places.map(factId), `${asOf - start}`)
      }
      const narrow = { ...anything, asOf: start + 15, filter: kindIs('Lisbon') }
      assert.deepEqual([await factsFound(stores, mine, narrow), await expanded(narrow)], [[], []])
      const now = { ...anything, filter: kindIs('Rome') }
      assert.deepEqual(
        [await factsFound(stores, mine, now), await expanded(now)],
        [[factId('Rome')], [factId('Rome')]],
      )
      const early = { ...anything, until: start + 20 }
      assert.deepEqual([await factsFound(stores, mine, early), await expanded(early)], [[], []])
    }))

  test('[GS20] names the entities that were known at a time', () =>
    withStores(open, async ({ journal, graph }, mine) => {
      await journal.remember(mine, item('one', { facts: [{ subject: 'ana', object: 'rome' }] }))
      await journal.remember(
        mine,
        item('two', { facts: [{ subject: 'ben', object: 'oslo' }], at: start + 5 }),
      )
      const known = async (asOf?: number, limit = 9) =>
        (await graph.nearestEntities(mine, unit(1), limit, asOf)).map(({ entity }) => entity.key).sort()
      assert.deepEqual(await known(start + 4), ['ana', 'rome'])
      assert.equal((await known(start + 4, 2)).length, 2)
      assert.deepEqual(await known(), ['ana', 'ben', 'oslo', 'rome'])
      assert.deepEqual(await known(start - 1), [])
    }))

  test('[ES18] says what had become of a chunk at a time', () =>
    withStores(open, async ({ journal, episodic }, mine, other) => {
      const link = (newer: string, older: string, probability: number) => ({
        ...{
          newer: chunkId(newer),
          older: chunkId(older),
          kind: 'replaces' as const,
          probability,
          closes: [],
        },
      })
      for (const namespace of [mine, other]) {
        await journal.remember(namespace, item('Lisbon', { facts: [{ object: 'lisbon' }] }))
        // A later text that tells it again counts it, too.
        await journal.remember(namespace, item('again', { facts: [{ object: 'lisbon' }], at: start + 1 }))
      }
      const ids = [chunkId('Lisbon'), chunkId('again'), chunkId('unknown')]
      const told = { facts: [{ object: 'berlin' }], at: start + 10, links: [link('Berlin', 'Lisbon', 0.6)] }
      await journal.remember(mine, item('Berlin', told))
      await journal.remember(mine, item('Rome', { at: start + 20, links: [link('Rome', 'Lisbon', 0.9)] }))
      await journal.remember(mine, item('Oslo', { at: start + 30, links: [link('Oslo', 'Lisbon', 0.5)] }))
      const stood = async (asOf: number) =>
        (await episodic.standing(mine, ids, asOf))
          .toSorted((a, b) => (a.id === ids[0] ? -1 : b.id === ids[0] ? 1 : 0))
          .map(({ closedFactCount, replaced }) => [
            closedFactCount,
            replaced?.by ?? null,
            replaced?.at ?? null,
          ])
      const none = [0, null, null]
      assert.deepEqual(await stood(start + 9), [none, none])
      assert.deepEqual(await stood(start + 10), [
        [1, chunkId('Berlin'), start + 10],
        [1, null, null],
      ])
      assert.deepEqual(await stood(start + 20), [
        [1, chunkId('Rome'), start + 20],
        [1, null, null],
      ])
      assert.deepEqual(await stood(start + 99), [
        [1, chunkId('Rome'), start + 20],
        [1, null, null],
      ])
      const now = await episodic.get(mine, ids)
      const standing = await episodic.standing(mine, ids, start + 99)
      for (const { id, closedFactCount, replaced } of now) {
        assert.deepEqual(
          standing.find((one) => one.id === id),
          { id, closedFactCount, replaced },
        )
      }
      assert.deepEqual(await episodic.standing(other, [chunkId('Rome')], start + 99), [])
    }))
}

const page = { after: null, limit: 100 }

function filterRules(open: OpenStores): void {
  test('[ES7] [ES10] [ES17] [GS7] [GS12] [GS19] a filter takes what comparing with every memory would', () =>
    withStores(open, async (stores, mine, other) => {
      const { journal, episodic, graph } = stores
      const dice = createDice(1)
      const metadatas = Array.from({ length: 40 }, () => someMetadata(dice))
      for (const [at, metadata] of metadatas.entries()) {
        const facts = [{ relation: 'likes', object: `thing ${at}` }]
        const told = { at: start + at, metadata, facts, vector: unit(1, at) }
        await journal.remember(mine, item(`boat ${at}`, told))
        await journal.remember(other, item(`boat ${at}`, told))
      }
      const before = await episodic.count(other, everything)
      for (const filter of Array.from({ length: 40 }, () => someFilter(dice))) {
        const names = metadatas.flatMap((metadata, at) =>
          matchesNaively(filter, metadata) ? [`boat ${at}`] : [],
        )
        const message = JSON.stringify(filter)
        const texts = names.map(chunkId).sort()
        const facts = names.map(factId).sort()
        const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id).sort()
        const within = { ...anything, filter }
        const { hits } = await episodic.search(mine, { ...question, within })
        assert.deepEqual(idsOf(hits.map(({ chunk }) => chunk)), texts, message)
        assert.deepEqual(await factsFound(stores, mine, within), facts, message)
        const list = { ...anyFilter, filter }
        assert.deepEqual(idsOf(await episodic.list(mine, list, page)), texts, message)
        assert.deepEqual(idsOf(await graph.list(mine, list, page)), facts, message)
        const first = await episodic.list(mine, list, { after: null, limit: 2 })
        assert.equal(first.length, Math.min(2, texts.length), message)
        const selection = { ...everything, filter }
        assert.equal(await episodic.count(mine, selection), texts.length, message)
        assert.equal(await graph.count(mine, selection), facts.length, message)
        // Each thing is liked once; the user goes only with the last fact.
        const orphans = facts.length + (facts.length === metadatas.length ? 1 : 0)
        assert.equal(await graph.countOrphans(mine, selection), orphans, message)
      }
      const selection = { ...everything, filter: kindIs('a') }
      const going = await episodic.count(mine, selection)
      assert.ok(going > 0 && going < metadatas.length)
      assert.equal(await graph.remove(mine, selection), going)
      assert.equal(await episodic.remove(mine, selection), going)
      assert.deepEqual([await episodic.count(mine, selection), await graph.count(mine, selection)], [0, 0])
      assert.equal(await episodic.count(mine, everything), metadatas.length - going)
      assert.equal(await episodic.count(other, everything), before)
    }))
}
