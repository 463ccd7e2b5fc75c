import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createScheduler, type Scheduler, type Unit } from './scheduler.ts'

/** A text of n characters is one window of n tokens. */
const split = (text: string) => [{ tokens: Array.from(text, () => 0), fresh: 0, weight: text.length }]
const open = (maxTokens = 10): Scheduler => createScheduler({ split, maxTokens })

function drain(scheduler: Scheduler): Unit[][] {
  const runs: Unit[][] = []
  for (let units = scheduler.next(); units.length > 0; units = scheduler.next()) runs.push([...units])
  return runs
}

const jobs = fc.array(
  fc.record({ texts: fc.array(fc.string({ minLength: 1, maxLength: 12 }), { maxLength: 40 }) }),
)

test('every text of every job is handed out exactly once, with texts of its own length only', () => {
  fc.assert(
    fc.property(jobs, (list) => {
      const scheduler = open()
      for (const [id, job] of list.entries()) scheduler.add({ id, ...job })
      const runs = drain(scheduler)
      for (const run of runs) {
        assert.equal(new Set(run.map((unit) => unit.tokens.length)).size, 1)
        const tokens = run.reduce((sum, unit) => sum + unit.tokens.length, 0)
        assert.ok(run.length === 1 || tokens <= 10)
      }
      const given = runs.flat().map((unit) => `${unit.job}/${unit.text}`)
      const wanted = list.flatMap((job, id) => job.texts.map((_, text) => `${id}/${text}`))
      assert.deepEqual(given.sort(), wanted.sort())
    }),
  )
})

test('a question goes before a heap that came first', () => {
  const scheduler = open()
  scheduler.add({ id: 1, texts: ['aaaaaaaa', 'bbbbbbbb', 'cccccccc'] })
  assert.equal(scheduler.next()[0]?.job, 1)
  scheduler.add({ id: 2, texts: ['dd'] })
  assert.deepEqual(
    drain(scheduler).map((run) => run[0]?.job),
    [2, 1, 1],
  )
})

test('the names of a text go before a document that came first', () => {
  const scheduler = open()
  scheduler.add({ id: 1, texts: Array.from({ length: 400 }, (_, at) => 'x'.repeat(11 + (at % 10))) })
  scheduler.next()
  scheduler.add({ id: 2, texts: ['Ana', 'Porto', 'sister'] })
  const jobsOf = (runs: number) =>
    Array.from({ length: runs }, () => scheduler.next().map((unit) => unit.job)).flat()
  assert.deepEqual(jobsOf(3), [2, 2, 2])
})

test('no call is starved by smaller ones that never stop', () => {
  const scheduler = open()
  scheduler.add({ id: 0, texts: Array.from({ length: 500 }, () => 'x'.repeat(10)) })
  const served: (number | undefined)[] = []
  for (let id = 1; id <= 100; id++) {
    const count = id % 2 === 0 ? 1 : 3
    scheduler.add({ id, texts: Array.from({ length: count }, () => 'x'.repeat(10)) })
    served.push(scheduler.next()[0]?.job)
  }
  assert.ok(served.includes(0))
})

test('a heap is not starved by questions that never stop', () => {
  const scheduler = open()
  scheduler.add({ id: 0, texts: ['one', 'two', 'six'] })
  const served: (number | undefined)[] = []
  for (let id = 1; id <= 20; id++) {
    scheduler.add({ id, texts: ['x'.repeat(10)] })
    served.push(scheduler.next()[0]?.job)
  }
  assert.ok(served.includes(0))
})

test('a cancelled job is never handed out again, and leaves the others alone', () => {
  const scheduler = open(2)
  scheduler.add({ id: 1, texts: ['a', 'b', 'cc', 'ddd'] })
  scheduler.add({ id: 2, texts: ['e', 'fff'] })
  scheduler.next()
  scheduler.cancel(1)
  assert.deepEqual(new Set(drain(scheduler).flatMap((run) => run.map((unit) => unit.job))), new Set([2]))
})

test('a long text does not force others to be split before a waiting question', () => {
  let splits = 0
  const scheduler = createScheduler({
    split: (text) => {
      splits++
      return split(text)
    },
    maxTokens: 10,
  })
  scheduler.add({ id: 1, texts: Array.from({ length: 50 }, () => 'x'.repeat(10_000)) })
  scheduler.next()
  assert.equal(splits, 2)
})
