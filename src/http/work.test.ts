import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ServiceError } from '../core/errors.ts'
import { createCapacity, withDeadline } from './work.ts'

const isCode = (code: string) => (error: unknown) => error instanceof ServiceError && error.code === code

test('work over the limit is refused at once, and room comes back when work ends', async () => {
  const capacity = createCapacity(2)
  const gate = Promise.withResolvers<void>()
  const running = [capacity.run(1, () => gate.promise), capacity.run(1, () => gate.promise)]
  assert.throws(() => capacity.check(), isCode('overloaded'))
  await assert.rejects(
    capacity.run(1, async () => {}),
    isCode('overloaded'),
  )
  gate.resolve()
  await Promise.all(running)
  assert.equal(capacity.inFlight(), 0)
  assert.equal(await capacity.run(1, async () => 'done'), 'done')
})

test('room comes back when work fails', async () => {
  const capacity = createCapacity(1)
  await assert.rejects(capacity.run(1, async () => Promise.reject(new Error('no'))))
  assert.equal(capacity.inFlight(), 0)
})

test('work heavier than the limit runs alone', async () => {
  const capacity = createCapacity(10)
  assert.equal(await capacity.run(100, async () => capacity.inFlight()), 100)
  const gate = Promise.withResolvers<void>()
  const light = capacity.run(1, () => gate.promise)
  await assert.rejects(
    capacity.run(100, async () => {}),
    isCode('overloaded'),
  )
  gate.resolve()
  await light
})

test('draining lets work in flight finish and takes nothing new', async () => {
  const capacity = createCapacity(5)
  const gate = Promise.withResolvers<void>()
  let finished = false
  const running = capacity
    .run(1, () => gate.promise)
    .then(() => {
      finished = true
    })
  const drained = capacity.drain()
  assert.throws(() => capacity.check(), isCode('shutting_down'))
  await assert.rejects(
    capacity.run(1, async () => {}),
    isCode('shutting_down'),
  )
  gate.resolve()
  await Promise.all([drained, running])
  assert.ok(finished)
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
