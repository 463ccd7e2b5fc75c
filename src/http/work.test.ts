import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ServiceError } from '../core/errors.ts'
import { createCapacity, type Line, withDeadline } from './work.ts'

const isCode = (code: string) => (error: unknown) => error instanceof ServiceError && error.code === code

const { signal } = new AbortController()
const own = 'own'
const inLine = (line: Line | null, account = own) => ({ line, account })
const load = (weight: number, line: Line | null = null, account = own) => ({ weight, line, account, signal })
const capacityOf = (limit: number, milliseconds = () => 0) =>
  createCapacity({ limit, atOnce: { searches: 2, writes: 1 }, milliseconds })
const soon = () => new Promise((resume) => setImmediate(resume))

test('work over the limit is refused at once, and room comes back when work ends', async () => {
  const capacity = capacityOf(2)
  const gate = Promise.withResolvers<void>()
  const running = [capacity.run(load(1), () => gate.promise), capacity.run(load(1), () => gate.promise)]
  assert.throws(() => capacity.check(inLine(null)), isCode('overloaded'))
  await assert.rejects(
    capacity.run(load(1), async () => {}),
    isCode('overloaded'),
  )
  gate.resolve()
  await Promise.all(running)
  assert.equal(capacity.inFlight(), 0)
  assert.equal(await capacity.run(load(1), async () => 'done'), 'done')
})

test('room comes back when work fails', async () => {
  const capacity = capacityOf(1)
  for (const line of [null, 'searches', 'writes'] as const) {
    for (let again = 0; again < 3; again++)
      await assert.rejects(capacity.run(load(1, line), async () => Promise.reject(new Error('no'))))
    assert.equal(capacity.inFlight(), 0)
  }
})

test('work heavier than the limit runs alone', async () => {
  const capacity = capacityOf(10)
  assert.equal(await capacity.run(load(100), async () => capacity.inFlight()), 100)
  const gate = Promise.withResolvers<void>()
  const light = capacity.run(load(1), () => gate.promise)
  await assert.rejects(
    capacity.run(load(100), async () => {}),
    isCode('overloaded'),
  )
  gate.resolve()
  await light
})

test('so many of a line run at once, the others in the order of their arrival', async () => {
  const capacity = capacityOf(100)
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<void>())
  const began: number[] = []
  const work = (at: number) => () => {
    began.push(at)
    return gates[at]?.promise ?? Promise.resolve()
  }
  const all = gates.map((_, at) => capacity.run(load(1, 'searches'), work(at)))
  await soon()
  assert.deepEqual(began, [0, 1])
  assert.equal(capacity.inFlight(), 5)
  gates[1]?.resolve()
  await soon()
  assert.deepEqual(began, [0, 1, 2])
  for (const gate of gates) gate.resolve()
  await Promise.all(all)
  assert.deepEqual(began, [0, 1, 2, 3, 4])
  assert.equal(capacity.inFlight(), 0)
})

test('accounts take turns: many requests of one do not hold up another, which is not refused for them', async () => {
  let now = 0
  const capacity = capacityOf(1_000, () => now)
  for (let at = 0; at < 100; at++) {
    await capacity.run(load(1, 'searches'), async () => {
      now += 1_000
    })
  }
  const gates: PromiseWithResolvers<void>[] = []
  const began: string[] = []
  const search = (account: string) =>
    capacity.run(load(1, 'searches', account), () => {
      began.push(account)
      const gate = Promise.withResolvers<void>()
      gates.push(gate)
      return gate.promise
    })
  const all = Array.from({ length: 22 }, () => search('busy'))
  capacity.check(inLine('searches', 'quiet'))
  assert.throws(() => capacity.check(inLine('searches', 'busy')), isCode('overloaded'))
  all.push(search('quiet'), search('quiet'), search('other'))
  for (let ended = 0; ended < all.length; ended++) {
    await soon()
    gates[ended]?.resolve()
  }
  await Promise.all(all)
  assert.deepEqual(began.slice(2, 9), ['busy', 'quiet', 'other', 'busy', 'quiet', 'busy', 'busy'])
  assert.equal(began.length, 25)
  assert.equal(capacity.inFlight(), 0)
})

test('one line does not hold up another, nor what stands in none', async () => {
  const capacity = capacityOf(100)
  const gate = Promise.withResolvers<void>()
  const searches = Array.from({ length: 9 }, () => capacity.run(load(1, 'searches'), () => gate.promise))
  assert.equal(await capacity.run(load(1, 'writes'), async () => 'written'), 'written')
  assert.equal(await capacity.run(load(1), async () => 'done'), 'done')
  gate.resolve()
  await Promise.all(searches)
})

test('who would wait longer than ten seconds is refused at once, by what was measured lately', async () => {
  let now = 0
  const capacity = capacityOf(1_000, () => now)
  // The mean comes near to a second each.
  for (let at = 0; at < 100; at++) {
    await capacity.run(load(1, 'searches'), async () => {
      now += 1_000
    })
  }
  const gate = Promise.withResolvers<void>()
  const taken: Promise<void>[] = []
  const search = () => taken.push(capacity.run(load(1, 'searches'), () => gate.promise))
  // Two at once, a second each: twenty wait ten seconds.
  for (let at = 0; at < 22; at++) {
    capacity.check(inLine('searches'))
    search()
  }
  assert.throws(() => capacity.check(inLine('searches')), isCode('overloaded'))
  await assert.rejects(
    capacity.run(load(1, 'searches'), async () => {}),
    isCode('overloaded'),
  )
  capacity.check(inLine('writes'))
  gate.resolve()
  await Promise.all(taken)
  capacity.check(inLine('searches'))
})

test('who hangs up while waiting is told at once, is not worked for, and takes no place', async () => {
  const capacity = capacityOf(100)
  const gate = Promise.withResolvers<void>()
  const first = capacity.run(load(1, 'writes'), () => gate.promise)
  const client = new AbortController()
  let worked = false
  const second = capacity.run({ ...load(1, 'writes'), signal: client.signal }, async () => {
    worked = true
  })
  const third = capacity.run(load(1, 'writes'), async () => 'done')
  client.abort()
  await assert.rejects(second, isCode('request_timeout'))
  assert.equal(capacity.inFlight(), 2)
  gate.resolve()
  assert.equal(await third, 'done')
  await first
  assert.equal(worked, false)
  assert.equal(capacity.inFlight(), 0)
})

test('nobody waits longer than ten seconds, however long those before take', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const capacity = capacityOf(100)
  const gate = Promise.withResolvers<void>()
  const hanging = capacity.run(load(1, 'writes'), () => gate.promise)
  const waiting = capacity.run(load(1, 'writes'), async () => {})
  const refused = assert.rejects(waiting, isCode('overloaded'))
  context.mock.timers.tick(9_999)
  assert.equal(capacity.inFlight(), 2)
  context.mock.timers.tick(1)
  await refused
  assert.equal(capacity.inFlight(), 1)
  gate.resolve()
  await hanging
  assert.equal(await capacity.run(load(1, 'writes'), async () => 'done'), 'done')
})

test('one account has only so many waiting, and what waits takes no room from what runs', async () => {
  const capacity = capacityOf(5)
  const gate = Promise.withResolvers<void>()
  const write = (account: string) => capacity.run(load(1, 'writes', account), () => gate.promise)
  const all = Array.from({ length: 257 }, () => write('busy'))
  await assert.rejects(write('busy'), isCode('overloaded'))
  all.push(write('quiet'))
  assert.equal(await capacity.run(load(4), async () => 'done'), 'done')
  gate.resolve()
  await Promise.all(all)
})

test('what fails at once does not make the others seem quick, and what is cut off counts', async () => {
  let now = 0
  const capacity = capacityOf(1_000, () => now)
  const search = (milliseconds: number, fails: boolean) =>
    capacity
      .run(load(1, 'searches'), async () => {
        now += milliseconds
        if (fails) throw new Error('no')
      })
      .catch(() => {})
  for (let at = 0; at < 100; at++) await search(2_000, at % 2 === 0)
  for (let at = 0; at < 100; at++) await search(0, true)
  const gate = Promise.withResolvers<void>()
  const taken = Array.from({ length: 11 }, () => capacity.run(load(1, 'searches'), () => gate.promise))
  assert.doesNotThrow(() => capacity.check(inLine('searches')))
  taken.push(capacity.run(load(1, 'searches'), () => gate.promise))
  assert.throws(() => capacity.check(inLine('searches')), isCode('overloaded'))
  gate.resolve()
  await Promise.all(taken)
})

test('draining lets work in flight finish, what waits included, and takes nothing new', async () => {
  const capacity = capacityOf(5)
  const gate = Promise.withResolvers<void>()
  let finished = 0
  const work = async () => {
    await gate.promise
    finished++
  }
  const running = [null, 'writes', 'writes'].map((line) => capacity.run(load(1, line as Line | null), work))
  const drained = capacity.drain()
  assert.throws(() => capacity.check(inLine(null)), isCode('shutting_down'))
  await assert.rejects(
    capacity.run(load(1), async () => {}),
    isCode('shutting_down'),
  )
  gate.resolve()
  await Promise.all([drained, ...running])
  assert.equal(finished, 3)
})

test('a deadline ends work that ignores its signal, and tells it', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const never = new Promise<never>(() => {})
  let signal: AbortSignal | null = null
  const outcome = withDeadline(new AbortController().signal, 1_000, (given) => {
    signal = given
    return never
  })
  const refused = assert.rejects(outcome, isCode('deadline_exceeded'))
  context.mock.timers.tick(1_000)
  await refused
  assert.ok((signal as AbortSignal | null)?.aborted)
})

test('a caller that hangs up fires the signal of the work', async () => {
  const client = new AbortController()
  await assert.rejects(
    withDeadline(client.signal, 60_000, async (signal) => {
      client.abort('a text, as the server gives it')
      signal.throwIfAborted()
    }),
    isCode('request_timeout'),
  )
})
