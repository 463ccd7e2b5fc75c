import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { runsKept } from '../../memory/rules.ts'
import { aRun, day, everything, item, type OpenStores, start, withStores } from './journal-drafts.ts'

/** Rules LS1 to LS6 of docs/ports/memory.md. */
export function lifecycleStoreContract(backend: string, open: OpenStores): void {
  describe(`lifecycle store: ${backend}`, () => {
    test('[LS1] keeps the last run per namespace and persona', () =>
      withStores(open, async ({ lifecycle }, mine, other) => {
        assert.equal(await lifecycle.lastRun(mine, null), null)
        await lifecycle.recordRun(mine, null, aRun(start))
        await lifecycle.recordRun(mine, 'work', aRun(start + 1))
        await lifecycle.recordRun(mine, 'work', aRun(start + 2.5))
        assert.equal(await lifecycle.lastRun(mine, null), start)
        assert.equal(await lifecycle.lastRun(mine, 'work'), start + 2.5)
        assert.equal(await lifecycle.lastRun(mine, 'shared'), null)
        assert.equal(await lifecycle.lastRun(other, 'work'), null)
        assert.equal(await lifecycle.lastRun(other, null), null)
      }))

    test('[LS6] tells what the last runs did, newest first, as many as are kept', () =>
      withStores(open, async ({ lifecycle }, mine, other) => {
        assert.deepEqual(await lifecycle.runs(mine, null), [])
        for (let at = 0; at < runsKept + 2; at++) await lifecycle.recordRun(mine, null, aRun(start + at))
        await lifecycle.recordRun(mine, 'work', aRun(start))
        const kept = await lifecycle.runs(mine, null)
        assert.equal(kept.length, runsKept)
        assert.deepEqual(kept[0], aRun(start + runsKept + 1))
        assert.deepEqual(kept.at(-1), aRun(start + 2))
        assert.deepEqual(await lifecycle.runs(mine, 'work'), [aRun(start)])
        assert.deepEqual(await lifecycle.runs(other, null), [])
        assert.deepEqual(await lifecycle.runs(other, 'work'), [])
      }))

    test('[LS2] gives a lease to one holder at a time', () =>
      withStores(open, async ({ lifecycle }) => {
        const name = randomUUID()
        const tries = Array.from({ length: 5 }, () => lifecycle.acquire(name, 60, start))
        const leases = (await Promise.all(tries)).filter((lease) => lease !== null)
        assert.equal(leases.length, 1)
        assert.notEqual(await lifecycle.acquire(`${name} of another kind`, 60, start), null)
        assert.equal(await lifecycle.acquire(name, 60, start + 59), null)
        assert.notEqual(await lifecycle.acquire(name, 60, start + 61), null)
      }))

    test('[LS3] lets the fence grow with every holder, after a release too', () =>
      withStores(open, async ({ lifecycle }) => {
        const name = randomUUID()
        const fences: number[] = []
        for (let turn = 0; turn < 4; turn++) {
          const lease = await lifecycle.acquire(name, 60, start + turn)
          assert.ok(lease, 'a released lease is free')
          fences.push(lease.fence)
          await lifecycle.release(lease)
        }
        assert.deepEqual(
          fences,
          [...new Set(fences)].sort((a, b) => a - b),
        )
      }))

    test('[LS4] renews while it is held, and never for an old holder', () =>
      withStores(open, async ({ lifecycle }) => {
        const name = randomUUID()
        const first = await lifecycle.acquire(name, 60, start)
        assert.ok(first)
        assert.equal(await lifecycle.renew(first, 60, start + 50), true)
        assert.equal(await lifecycle.acquire(name, 60, start + 100), null)
        assert.equal(await lifecycle.renew(first, 60, start + 200), false)
        const second = await lifecycle.acquire(name, 60, start + 200)
        assert.ok(second)
        assert.equal(await lifecycle.renew(first, 60, start + 201), false)
        await lifecycle.release(first)
        assert.equal(await lifecycle.acquire(name, 60, start + 202), null)
        assert.equal(await lifecycle.renew(second, 60, start + 203), true)
      }))

    test('[LS5] refuses the late writes of a run that was taken over', () =>
      withStores(open, async ({ journal, graph, episodic, lifecycle }, mine) => {
        await journal.remember(mine, item('I live in Rome', { facts: [{ object: 'rome' }] }))
        const first = await lifecycle.acquire(randomUUID(), 60, start)
        assert.ok(first)
        const late = start + 365 * day
        const query = { persona: null, threshold: 0.5, halfLifeDays: 7, now: late }
        const second = await lifecycle.acquire(first.name, 60, late)
        assert.ok(second)
        const old = { ...query, lease: first }
        await assert.rejects(graph.decay(mine, old), { code: 'store_unavailable' })
        await assert.rejects(graph.removeFaded(mine, old), { code: 'store_unavailable' })
        await assert.rejects(episodic.removeFaded(mine, old), { code: 'store_unavailable' })
        assert.equal(await graph.countRelationships(mine, null), 1)
        assert.equal(await episodic.count(mine, everything), 1)
        const current = { ...query, lease: second }
        assert.deepEqual(await graph.decay(mine, current), { decayed: 1, reinforced: 0 })
        assert.equal(await graph.removeFaded(mine, current), 1)
        assert.equal(await episodic.removeFaded(mine, current), 1)
      }))
  })
}
