import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { ServiceError } from '../../../core/errors.ts'
import { createEngineGuard, type EngineGuard, type EngineReason } from './guard.ts'
import { withWaitBudget } from './wait-budget.ts'

type Probe = () => Promise<void>
const well: Probe = async () => undefined
const never = () => new Promise<never>(() => undefined)
const refuse = async () => {
  throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
}

let open: EngineGuard[] = []
afterEach(() => {
  for (const guard of open) guard.close()
  open = []
})

/** A guard on an engine whose probe can be changed. */
async function guardOn(probe: Probe, limits = {}) {
  const usual = { timeoutMs: 20, slowMs: 10, silenceMs: 40, longestMs: 60 }
  const engine = { probe }
  const classify = (error: unknown): EngineReason | null =>
    error instanceof Error && 'code' in error ? 'unreachable' : null
  const guard = createEngineGuard({
    engine: 'neo4j',
    probe: () => engine.probe(),
    classify,
    ...usual,
    ...limits,
  })
  open.push(guard)
  await guard.check()
  return { guard, engine }
}

const isUnavailable = (reason: string) => (error: unknown) =>
  error instanceof ServiceError && error.code === 'store_unavailable' && error.message.includes(`(${reason})`)

test('many late answers in a row do not open the circuit while the probe is answered', async () => {
  const { guard } = await guardOn(well)
  const late = Array.from({ length: 50 }, () => assert.rejects(guard.call(never), isUnavailable('timeout')))
  await Promise.all(late)
  assert.equal(await guard.check(), 'connected')
  assert.equal(await guard.call(async () => 'answer'), 'answer')
  assert.equal(guard.outages(), 0)
})

test('a refused connection opens the circuit as soon as the probe is refused too', async () => {
  const { guard, engine } = await guardOn(well)
  await assert.rejects(guard.call(refuse), isUnavailable('unreachable'))
  assert.equal(await guard.check(), 'connected', 'one lost connection is not a lost engine')
  engine.probe = refuse
  await assert.rejects(guard.call(refuse), isUnavailable('unreachable'))
  await delay(5)
  assert.equal(guard.state(), 'unreachable')
  let asked = false
  const call = guard.call(async () => {
    asked = true
  })
  await assert.rejects(call, isUnavailable('unreachable'))
  assert.equal(asked, false, 'refused at once')
  assert.equal(guard.outages(), 1)
})

test('an engine that leaves its probe unanswered is down, and comes back by itself', async () => {
  const { guard, engine } = await guardOn(well)
  engine.probe = never
  assert.equal(await guard.check(), 'timeout')
  engine.probe = well
  const limit = performance.now() + 10_000
  while (guard.state() !== 'connected' && performance.now() < limit) await delay(20)
  assert.equal(guard.state(), 'connected')
})

const patient = { timeoutMs: 5_000, silenceMs: 5_000, longestMs: 5_000 }

test('a call waits no longer than its request may when the engine is silent', async () => {
  const { guard, engine } = await guardOn(well, patient)
  engine.probe = never
  await withWaitBudget(() => assert.rejects(guard.call(never), isUnavailable('timeout')), 20)
})

test('while the engine answers its probe, a request waits for it and for a place', async () => {
  const { guard } = await guardOn(well, { ...patient, timeoutMs: 10 })
  const places = 100
  const slow = () => guard.call(() => delay(50, 'done'))
  const answers = withWaitBudget(() => Promise.all(Array.from({ length: places }, slow)), 1)
  assert.deepEqual(await answers, Array(places).fill('done'))
})

test('a request that has waited for a silent engine has less time for the next call', async () => {
  const { guard, engine } = await guardOn(well, patient)
  engine.probe = never
  await withWaitBudget(async () => {
    await assert.rejects(guard.call(never), isUnavailable('timeout'))
    let asked = false
    const next = guard.call(async () => {
      asked = true
    })
    await assert.rejects(next, isUnavailable('timeout'))
    assert.equal(asked, false)
  }, 20)
})

test('work that is long by nature goes on while the probe is answered, and ends when it is not', async () => {
  const { guard, engine } = await guardOn(well)
  const long = await withWaitBudget(() => guard.call(() => delay(700, 'done'), 60_000), 30)
  assert.equal(long, 'done')
  const lost = guard.call(never, 60_000)
  engine.probe = refuse
  await assert.rejects(lost, isUnavailable('timeout'))
})

test('what is the fault of the call itself is told as it is', async () => {
  const { guard } = await guardOn(well)
  const fault = new TypeError('wrong query')
  await assert.rejects(
    guard.call(async () => {
      throw fault
    }),
    fault,
  )
  assert.equal(guard.state(), 'connected')
})
