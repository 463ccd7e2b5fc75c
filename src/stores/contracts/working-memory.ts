import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { dot } from '../../core/vectors.ts'
import type { HotFact } from '../../memory/ports.ts'
import { day, type OpenStores, start, unit, withStores } from './journal-drafts.ts'

function hot(id: string, at: number = start): HotFact {
  return {
    ...{ id, fact: `fact ${id}`, persona: 'shared', source: 'user', confidence: 1 },
    ...{ createdAt: at, metadata: { id }, vector: unit(1) },
  }
}

const seen = (sessionId: string, facts: readonly HotFact[] = [], now: number = start) => ({
  ...{ sessionId, vector: unit(1), facts, now },
})

/** Rules WM1 to WM6 of docs/ports/memory.md. */
export function workingMemoryContract(backend: string, open: OpenStores): void {
  describe(`working memory: ${backend}`, () => {
    test('[WM1] keeps the same session id of two namespaces apart', () =>
      withStores(open, async ({ working }, mine, other) => {
        await working.observe(mine, seen('s', [hot('a')]))
        assert.equal(await working.session(other, 's', start), null)
        await working.observe(other, { ...seen('s', [hot('a'), hot('b')]), vector: unit(0, 1) })
        const session = await working.session(mine, 's', start)
        assert.deepEqual(session, { topic: unit(1), facts: [hot('a')] })
        await working.dropFacts(mine, ['a', 'b'])
        assert.equal(await working.forget(mine, null), 1)
        assert.equal((await working.session(other, 's', start))?.facts.length, 2)
        assert.equal(await working.forget(mine, 's'), 0)
      }))

    test('[WM2] makes the topic lean towards newer texts', () =>
      withStores(open, async ({ working }, mine) => {
        const topic = async () => (await working.session(mine, 's', start))?.topic ?? unit(0)
        await working.observe(mine, seen('s'))
        assert.ok(Math.abs(dot(await topic(), unit(1)) - 1) < 1e-6)
        await working.observe(mine, { ...seen('s'), vector: unit(0, 1) })
        assert.ok(dot(await topic(), unit(1)) > 0.1 && dot(await topic(), unit(0, 1)) > 0.1)
        for (let turn = 0; turn < 5; turn++)
          await working.observe(mine, { ...seen('s'), vector: unit(0, 0, 1) })
        const [first, second, newest] = [unit(1), unit(0, 1), unit(0, 0, 1)]
        const blended = await topic()
        assert.ok(dot(blended, newest) > Math.max(dot(blended, first), dot(blended, second)))
        assert.ok(Math.abs(dot(blended, blended) - 1) < 1e-6)
      }))

    test('[WM3] gives hot facts newest first, each once', () =>
      withStores(open, async ({ working }, mine) => {
        const ids = async () => (await working.session(mine, 's', start))?.facts.map(({ id }) => id)
        await working.observe(mine, seen('s', [hot('b'), hot('a')]))
        await working.observe(mine, seen('s', [hot('c')]))
        assert.deepEqual(await ids(), ['c', 'b', 'a'])
        await working.observe(mine, seen('s', [hot('a')]))
        assert.deepEqual(await ids(), ['a', 'c', 'b'])
      }))

    test('[WM3] keeps the newest of very many', () =>
      withStores(open, async ({ working }, mine) => {
        for (let turn = 0; turn < 20; turn++) {
          await working.observe(
            mine,
            seen(
              's',
              Array.from({ length: 10 }, (_, at) => hot(`${turn}-${at}`)),
            ),
          )
        }
        const facts = (await working.session(mine, 's', start))?.facts ?? []
        assert.ok(facts.length >= 10 && facts.length < 200, `${facts.length} facts`)
        assert.deepEqual(
          facts.slice(0, 2).map(({ id }) => id),
          ['19-0', '19-1'],
        )
      }))

    test('[WM4] ends a session 24 hours after its last observation', () =>
      withStores(open, async ({ working }, mine) => {
        await working.observe(mine, seen('s', [hot('a')]))
        assert.notEqual(await working.session(mine, 's', start + day - 60), null)
        await working.observe(mine, seen('s', [], start + day - 60))
        assert.equal((await working.session(mine, 's', start + day + 60))?.facts.length, 1)
        const later = start + 3 * day
        assert.equal(await working.session(mine, 's', later), null)
        await working.observe(mine, { ...seen('s', [hot('b')], later), vector: unit(0, 1) })
        assert.deepEqual(await working.session(mine, 's', later), { topic: unit(0, 1), facts: [hot('b')] })
        assert.equal(await working.session(mine, 'unknown', start), null)
      }))

    test('[WM5] drops facts from every session', () =>
      withStores(open, async ({ working }, mine) => {
        for (const session of ['s', 't']) await working.observe(mine, seen(session, [hot('a'), hot('b')]))
        await working.dropFacts(mine, ['a', 'unknown'])
        for (const session of ['s', 't']) {
          assert.deepEqual((await working.session(mine, session, start))?.facts, [hot('b')])
        }
      }))

    test('[WM6] forgets one session or all, and says how many', () =>
      withStores(open, async ({ working }, mine) => {
        for (const session of ['s', 't', 'u']) await working.observe(mine, seen(session, [hot('a')]))
        assert.equal(await working.forget(mine, 's'), 1)
        assert.equal(await working.session(mine, 's', start), null)
        assert.equal(await working.forget(mine, null), 2)
        await working.observe(mine, seen('t'))
        assert.deepEqual((await working.session(mine, 't', start))?.facts, [])
      }))
  })
}
