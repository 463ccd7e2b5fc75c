import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { analyze } from '../../core/analyze.ts'
import { dot } from '../../core/vectors.ts'
import { episodicKeepingRules } from './episodic-store-keeping.ts'
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
  tokensOf,
  unit,
  withStores,
} from './journal-drafts.ts'

/** Rules ES1 to ES11 of docs/ports/memory.md. */
export function episodicStoreContract(backend: string, open: OpenStores): void {
  describe(`episodic store: ${backend}`, () => {
    findingRules(open)
    episodicKeepingRules(open)
  })
}

function findingRules(open: OpenStores): void {
  test('[ES1] shows a namespace nothing of another, whatever the method', () =>
    withStores(open, async ({ journal, episodic }, mine, other) => {
      await journal.remember(mine, item('the red boat', { name: 'same', session: 's' }))
      await journal.remember(other, item('the red boat', { name: 'same', session: 's', base: 0.1 }))
      await journal.remember(other, item('another red boat', { session: 's', at: start + 1 }))
      const id = chunkId('same')
      const found = await episodic.search(mine, { ...aQuestion, terms: analyze('red boat another') })
      assert.deepEqual(textsOf(found.hits), ['the red boat'])
      assert.deepEqual(found.hits[0]?.next, [])
      assert.deepEqual(textsOf(await episodic.nearest(mine, ['shared'], unit(1), 5)), ['the red boat'])
      await episodic.touch(mine, [id], start + 5)
      await episodic.upgrade(mine, id, 'document', 0.8, start + 5)
      const [foreign] = await episodic.get(other, [id])
      assert.deepEqual([foreign?.accessCount, foreign?.base, foreign?.source], [0, 0.1, 'user'])
      assert.equal((await episodic.list(mine, anyFilter, { after: null, limit: 9 })).length, 1)
      assert.equal(await episodic.count(mine, everything), 1)
      assert.equal(await episodic.countFaded(mine, { ...aFadedQuery, now: start + 5 }), 0)
      assert.equal(await episodic.removeFaded(mine, { ...aFadedQuery, now: start + 5 }), 0)
      assert.equal(await episodic.remove(mine, { ...everything, ids: [chunkId('another red boat')] }), 0)
      assert.equal(await episodic.remove(mine, { ...everything, ids: [id] }), 1)
      assert.equal(await episodic.count(other, everything), 2)
    }))

  test('[ES1] scores the same whatever other namespaces hold', () =>
    withStores(open, async ({ journal, episodic }, mine, other) => {
      await journal.remember(mine, item('a red boat', { vector: unit(1, 1) }))
      await journal.remember(mine, item('a green house', { vector: unit(1, 2) }))
      const asked = { ...aQuestion, terms: analyze('red boat') }
      const before = await episodic.search(mine, asked)
      for (const name of ['one', 'two', 'three']) {
        await journal.remember(other, item(`red boat ${name} of many many words`, { vector: unit(1) }))
      }
      assert.deepEqual(await episodic.search(mine, asked), before)
    }))

  test('[ES15] compares the tokens of every hit with those of the question', () =>
    withStores(open, async ({ journal, episodic }, mine) => {
      await journal.remember(mine, item('boat', { tokens: tokensOf(1, 2, 3) }))
      await journal.remember(mine, item('house', { tokens: tokensOf(1) }))
      await journal.remember(mine, item('neither'))
      const importance = Float32Array.of(0.9, 0.3)
      const asked = { ...aQuestion, tokens: { ...tokensOf(1, 2), importance } }
      const late = new Map((await episodic.search(mine, asked)).hits.map((hit) => [hit.chunk.text, hit.late]))
      assert.deepEqual(late.get('boat'), { weighted: 1, even: 1, least: 1, matches: Float32Array.of(1, 1) })
      const house = late.get('house')
      assert.ok(Math.abs((house?.weighted ?? 0) - 0.75) < 1e-6)
      assert.deepEqual([house?.even, house?.least], [0.5, 1])
      assert.deepEqual(house?.matches, Float32Array.of(1, 0))
      assert.equal(late.get('neither'), null)
      const without = await episodic.search(mine, aQuestion)
      assert.ok(without.hits.every((hit) => hit.late === null))
    }))

  test('[ES15] keeps no tokens of a chunk that was removed', () =>
    withStores(open, async ({ journal, episodic }, mine) => {
      await journal.remember(mine, item('boat', { tokens: tokensOf(1) }))
      await episodic.remove(mine, everything)
      await journal.remember(mine, item('boat'))
      const asked = { ...aQuestion, tokens: { ...tokensOf(1), importance: Float32Array.of(1) } }
      const { hits } = await episodic.search(mine, asked)
      assert.deepEqual(
        hits.map(({ late }) => late),
        [null],
      )
    }))

  test('[ES2] finds exactly the nearest, as comparing with every chunk would', () =>
    withStores(open, async ({ journal, episodic }, mine) => {
      const vectors = Array.from({ length: 120 }, (_, at) =>
        unit(...Array.from({ length: 40 }, (_, k) => Math.sin((at + 1) * (k + 1) * 1.7))),
      )
      for (const [at, vector] of vectors.entries())
        await journal.remember(mine, item(`text ${at}`, { vector }))
      for (const asked of [unit(1, 1, 1), unit(0, -1, 0, 2), unit(...(vectors[7] ?? []))]) {
        const expected = vectors
          .map((vector, at) => ({ id: chunkId(`text ${at}`), cosine: dot(asked, vector) }))
          .sort((a, b) => b.cosine - a.cosine || (a.id < b.id ? -1 : 1))
          .slice(0, 10)
        const { hits } = await episodic.search(mine, { ...aQuestion, vector: asked })
        assert.deepEqual(new Set(hits.map(({ chunk }) => chunk.id)), new Set(expected.map(({ id }) => id)))
        for (const { chunk, cosine } of hits) {
          const exact = expected.find(({ id }) => id === chunk.id)?.cosine ?? 0
          assert.ok(Math.abs(cosine - exact) < 1e-6)
        }
      }
    }))

  test('[ES2] breaks ties by id, by meaning and by words', () =>
    withStores(open, async ({ journal, episodic }, mine) => {
      const names = ['a', 'b', 'c', 'd', 'e', 'f']
      for (const name of names) await journal.remember(mine, item(`tie ${name}`, { vector: unit(1) }))
      const ids = names.map((name) => chunkId(`tie ${name}`)).sort()
      const near = await episodic.search(mine, { ...aQuestion, nearest: 2, lexical: 0 })
      assert.deepEqual(near.hits.map(({ chunk }) => chunk.id).sort(), ids.slice(0, 2))
      const words = await episodic.search(mine, { ...aQuestion, terms: ['tie'], nearest: 0, lexical: 3 })
      assert.deepEqual(words.hits.map(({ chunk }) => chunk.id).sort(), ids.slice(0, 3))
    }))

  test('[ES3] gives BM25 over the searched personas of the namespace', () =>
    withStores(open, async ({ journal, episodic }, mine) => {
      const told = { a: 'red red boat', b: 'green boat sails slowly', c: 'nothing alike' }
      for (const [name, text] of Object.entries(told)) {
        await journal.remember(mine, item(text, { name, persona: name === 'c' ? 'work' : 'shared' }))
      }
      const terms = [...analyze('red boat boat'), 'unknown']
      const { hits, idfSum } = await episodic.search(mine, { ...aQuestion, terms, personas: ['shared'] })
      const idf = (count: number) => Math.log(1 + (2 - count + 0.5) / (count + 0.5))
      const gain = (count: number, times: number, length: number) =>
        (idf(count) * times * 1.9) / (times + 0.9 * (1 - 0.4 + (0.4 * length) / 3.5))
      const expected = { a: gain(1, 2, 3) + 2 * gain(2, 1, 3), b: 2 * gain(2, 1, 4) }
      for (const [name, score] of Object.entries(expected)) {
        const hit = hits.find(({ chunk }) => chunk.id === chunkId(name))
        assert.ok(Math.abs((hit?.bm25 ?? 0) - score) < 1e-4, `${name}: ${hit?.bm25} instead of ${score}`)
      }
      assert.ok(Math.abs(idfSum - (idf(1) + idf(2) + idf(0))) < 1e-4)
    }))

  test('[ES4] finds the given personas only, and all when none is given', () =>
    withStores(open, async ({ journal, episodic }, mine) => {
      for (const persona of ['shared', 'work', 'home']) {
        await journal.remember(mine, item(`boat of ${persona}`, { persona }))
      }
      const search = async (personas: readonly string[] | null) =>
        textsOf((await episodic.search(mine, { ...aQuestion, terms: ['boat'], personas })).hits)
      assert.deepEqual(await search(['work']), ['boat of work'])
      assert.deepEqual(await search(['work', 'shared']), ['boat of shared', 'boat of work'])
      assert.deepEqual(await search(['unknown']), [])
      assert.deepEqual(await search([]), [])
      assert.equal((await search(null)).length, 3)
    }))

  test('[ES5] brings two chunks before and one after of the session and persona, nearest first', () =>
    withStores(open, async ({ journal, episodic }, mine) => {
      const turns = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth']
      for (const [at, turn] of turns.entries()) {
        const vector = turn === 'fourth' ? unit(1) : unit(0, 1)
        await journal.remember(mine, item(turn, { session: 's', at: start + at, vector }))
        await journal.remember(mine, item(`${turn} elsewhere`, { session: 't', vector: unit(0, 0, 1) }))
        await journal.remember(
          mine,
          item(`${turn} aside`, { session: 's', persona: 'work', vector: unit(0, 0, 1) }),
        )
      }
      const around = async () => (await episodic.search(mine, { ...aQuestion, nearest: 1, lexical: 0 })).hits
      const inThread = async () => (await around()).find(({ chunk }) => chunk.text === 'fourth')
      assert.deepEqual(textsOf(await around()), ['fifth', 'fourth', 'second', 'third'])
      const third = (await around()).find(({ chunk }) => chunk.text === 'third')
      assert.deepEqual(
        [third?.previous, third?.next],
        [[chunkId('second'), chunkId('first')], [chunkId('fourth')]],
      )
      const fourth = await inThread()
      assert.deepEqual(fourth?.previous, [chunkId('third'), chunkId('second')])
      assert.deepEqual(fourth?.next, [chunkId('fifth')])
      await episodic.remove(mine, { ...everything, ids: [chunkId('third')] })
      const again = await inThread()
      assert.deepEqual(again?.previous, [chunkId('second'), chunkId('first')])
      await episodic.remove(mine, { ...everything, ids: [chunkId('sixth'), chunkId('fifth')] })
      await journal.remember(mine, item('seventh', { session: 's', at: start + 9, vector: unit(0, 1) }))
      const last = await inThread()
      assert.deepEqual(last?.next, [chunkId('seventh')])
    }))

  test('[ES5] counts a text of several pieces in a session as one neighbour, by the piece next to it', () =>
    withStores(open, async ({ journal, episodic }, mine) => {
      const far = unit(0, 1)
      const pieces = (name: string) =>
        ['a', 'b', 'c'].map((piece) => ({
          ...{ name: `${name} ${piece}`, text: `${name} ${piece}`, vector: far },
        }))
      const tell = (name: string, more: Parameters<typeof item>[1] = {}) =>
        journal.remember(mine, item(name, { session: 's', vector: far, ...more }))
      await tell('first')
      await tell('page', { more: pieces('page') })
      await tell('second')
      await tell('answer', { vector: unit(1), more: pieces('answer') })
      await tell('third')
      await tell('end', { more: pieces('end') })
      const { hits } = await episodic.search(mine, { ...aQuestion, nearest: 1, lexical: 0 })
      const around = (name: string) => {
        const hit = hits.find(({ chunk }) => chunk.text === name)
        return hit && { previous: hit.previous, next: hit.next }
      }
      assert.deepEqual(textsOf(hits), ['answer', 'page c', 'second', 'third'])
      const ids = (...names: readonly string[]) => names.map(chunkId)
      assert.deepEqual(around('answer'), { previous: ids('second', 'page c'), next: ids('third') })
      assert.deepEqual(around('second'), { previous: ids('page c', 'first'), next: ids('answer') })
      assert.deepEqual(around('page c'), { previous: ids('first'), next: ids('second') })
      assert.deepEqual(around('third'), { previous: ids('answer c', 'second'), next: ids('end') })
      await episodic.remove(mine, { ...everything, ids: ids('page c', 'answer') })
      await tell('answered', { vector: unit(1) })
      const again = await episodic.search(mine, { ...aQuestion, nearest: 1, lexical: 0 })
      const last = again.hits.find(({ chunk }) => chunk.text === 'answered')
      assert.deepEqual(last?.previous, ids('end c', 'third'))
      const middle = await episodic.search(mine, { ...aQuestion, terms: ['second'], nearest: 0, lexical: 1 })
      const second = middle.hits.find(({ chunk }) => chunk.text === 'second')
      assert.deepEqual([second?.previous, second?.next], [ids('page b', 'first'), ids('answer a')])
    }))

  test('[ES5] takes the pieces of one item as neighbours where there is no session', () =>
    withStores(open, async ({ journal, episodic }, mine) => {
      const more = [{ name: 'second piece', text: 'second piece', vector: unit(0, 1) }]
      await journal.remember(mine, item('first piece', { more }))
      await journal.remember(mine, item('stranger', { vector: unit(0, 1) }))
      const { hits } = await episodic.search(mine, { ...aQuestion, nearest: 1, lexical: 0 })
      const hit = hits.find(({ chunk }) => chunk.text === 'first piece')
      assert.deepEqual([hit?.previous, hit?.next], [[], [chunkId('second piece')]])
    }))

  test('[ES11] brings no more of a long session than of a short one', () =>
    withStores(open, async ({ journal, episodic }, mine) => {
      for (let at = 0; at < 40; at++) {
        const vector = at === 20 ? unit(1) : unit(0, 1)
        await journal.remember(mine, item(`turn ${at}`, { session: 's', at: start + at, vector }))
      }
      const { hits } = await episodic.search(mine, { ...aQuestion, nearest: 1, lexical: 0 })
      assert.deepEqual(textsOf(hits), ['turn 18', 'turn 19', 'turn 20', 'turn 21'])
      assert.equal((await episodic.nearest(mine, ['shared'], unit(1), 1)).length, 1)
    }))

  test('[ES6] gives the nearest of exactly the personas asked for, best first', () =>
    withStores(open, async ({ journal, episodic }, mine) => {
      await journal.remember(mine, item('far', { vector: unit(1, 2) }))
      await journal.remember(mine, item('near', { vector: unit(2, 1) }))
      await journal.remember(mine, item('equal', { vector: unit(1), persona: 'work' }))
      const hits = await episodic.nearest(mine, ['shared'], unit(1), 5)
      assert.deepEqual(
        hits.map(({ chunk }) => chunk.text),
        ['near', 'far'],
      )
      assert.equal((await episodic.nearest(mine, ['shared'], unit(1), 1)).length, 1)
      const both = await episodic.nearest(mine, ['work', 'shared'], unit(1), 2)
      assert.deepEqual(textsOf(both), ['equal', 'near'])
      assert.deepEqual(await episodic.nearest(mine, ['nobody'], unit(1), 5), [])
    }))
}
