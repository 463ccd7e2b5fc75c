import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aNamespace, openSmallMemory } from '../../../test/support/small-memory.ts'
import { asNamespace, type Namespace } from '../../core/ids.ts'
import { aRun } from '../../stores/contracts/journal-drafts.ts'
import type { AutomaticRun } from './consolidate.ts'
import { type ScheduleParts, type SweepReport, startSchedule, sweep } from './schedule.ts'

const done: AutomaticRun = {
  pruned: { relations: 0, chunks: 0, orphanedEntities: 0 },
  heldBack: 0,
  reply: {
    ...{
      memoriesReinforced: 0,
      memoriesDecayed: 0,
      memoriesPruned: 0,
      memoriesCompressed: 0,
      abstractionsCreated: 0,
    },
    ...{ latencyMs: 0, skipped: false, lastRunAt: 0 },
  },
}

function setUp(namespaces: readonly string[] = ['a', 'b', 'c']) {
  const { stores, clock } = openSmallMemory()
  const ran: Namespace[] = []
  const timers: { seconds: number; callback: () => void; cancelled: boolean }[] = []
  const reports: (SweepReport | { readonly error: unknown })[] = []
  const parts: ScheduleParts = {
    lifecycle: stores.lifecycle,
    namespaces: async () => namespaces.map(asNamespace),
    run: async (namespace) => {
      ran.push(namespace)
      return done
    },
    clock,
    timer: (seconds, callback) => {
      const timer = { seconds, callback, cancelled: false }
      timers.push(timer)
      return () => {
        timer.cancelled = true
      }
    },
    random: () => 0.5,
    report: (report) => void reports.push(report),
  }
  return { parts, ran, timers, reports, clock, stores }
}

const running = () => false

test('a sweep consolidates every namespace that did not run within the hour', async () => {
  const { parts, ran, stores, clock } = setUp()
  await stores.lifecycle.recordRun(asNamespace('b'), null, aRun(clock.now() - 600))
  const report = await sweep(parts, running)
  assert.deepEqual(ran, ['a', 'c'])
  assert.deepEqual([report.held, report.ran, report.recent], [true, 2, 1])
})

test('two processes do not sweep at once', async () => {
  const { parts, ran } = setUp()
  const reports = await Promise.all([sweep(parts, running), sweep(parts, running)])
  assert.deepEqual(reports.map(({ held }) => held).toSorted(), [false, true])
  assert.equal(ran.length, 3)
})

test('a namespace that fails does not stop the others; what was deleted and held back is reported', async () => {
  const { parts, ran } = setUp()
  const pruned = { relations: 3, chunks: 2, orphanedEntities: 1 }
  const report = await sweep(
    {
      ...parts,
      run: async (namespace) => {
        if (namespace === 'a') throw new Error('a is broken')
        if (namespace === 'b') return { ...done, pruned, heldBack: 7 }
        ran.push(namespace)
        return done
      },
    },
    running,
  )
  assert.deepEqual(ran, ['c'])
  assert.deepEqual(report.pruned, [{ namespace: 'b', ...pruned, heldBack: 7 }])
  assert.deepEqual(
    report.failed.map(({ namespace }) => namespace),
    ['a'],
  )
})

test('a sweep that lost its lease goes no further', async () => {
  const { parts, ran, clock, stores } = setUp()
  await sweep(
    {
      ...parts,
      run: async (namespace) => {
        ran.push(namespace)
        clock.advance(10_000)
        await stores.lifecycle.acquire('hourly consolidation', 300, clock.now())
        return done
      },
    },
    running,
  )
  assert.deepEqual(ran, ['a'])
})

test('the schedule begins within the hour, runs every hour with a jitter, and stops', async () => {
  const { parts, timers, reports, clock } = setUp()
  const schedule = startSchedule(parts)
  assert.deepEqual(
    timers.map(({ seconds }) => seconds),
    [1_800],
  )
  timers[0]?.callback()
  await schedule.stop()
  assert.equal(reports.length, 1)
  assert.equal(timers.length, 1, 'a stopped schedule sets no further timer')

  const again = startSchedule({ ...parts, random: () => 1 })
  clock.advance(3_600)
  timers[1]?.callback()
  await new Promise((resolve) => setImmediate(resolve))
  await new Promise((resolve) => setImmediate(resolve))
  await again.stop()
  for (const { seconds } of timers.slice(2)) assert.ok(seconds >= 3_420 && seconds <= 3_780)
})

test('a store that cannot be reached is reported, and the schedule goes on', async () => {
  const { parts, timers, reports } = setUp()
  const lifecycle = { ...parts.lifecycle, acquire: () => Promise.reject(new Error('down')) }
  const schedule = startSchedule({ ...parts, lifecycle })
  timers[0]?.callback()
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(reports.length, 1)
  assert.equal(timers.length, 2)
  await schedule.stop()
  assert.equal(timers[1]?.cancelled, true)
})

test('the hourly run of the memory itself works through the schedule', async () => {
  const small = openSmallMemory()
  await small.ingest('I live in Lisbon.')
  small.clock.advance(86_400)
  const report = await sweep(
    {
      lifecycle: small.stores.lifecycle,
      namespaces: () => small.stores.graph.namespaces(),
      run: (namespace) => small.memory.consolidateAutomatically(namespace),
      clock: small.clock,
    },
    running,
  )
  assert.equal(report.ran, 1)
  assert.notEqual(await small.stores.lifecycle.lastRun(aNamespace, null), null)
})
