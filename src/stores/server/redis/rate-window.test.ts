import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ServiceError } from '../../../core/errors.ts'
import type { Redis } from './connection.ts'
import { createRedisRateWindow } from './rate-window.ts'

/** A Redis whose answers come when and as the test says. */
function redisThatAnswers() {
  const asked: { answer(wait: number): void; fail(): void }[] = []
  const script = () =>
    new Promise<unknown>((resolve, reject) =>
      asked.push({
        answer: (wait) => resolve([wait, 50, 60]),
        fail: () => reject(new ServiceError('store_unavailable')),
      }),
    )
  return { redis: { script } as unknown as Redis, asked }
}

test('a process never lets more through than the limit, however late and lost the answers of Redis are', async () => {
  const { redis, asked } = redisThatAnswers()
  const rates = createRedisRateWindow(redis)
  const limit = 100
  const calls = Array.from({ length: 150 }, (_, at) => rates.admit('a', limit, 1_000 + at / 1_000))
  // Redis loses every other call, and lets through all it has seen: it has not seen a hundred.
  asked.forEach((call, at) => {
    if (at % 2 === 0) call.fail()
    else call.answer(0)
  })
  const verdicts = await Promise.all(calls)
  assert.equal(verdicts.filter(({ admitted }) => admitted).length, limit)
})

test('without Redis the window of the process is exact', async () => {
  const { redis, asked } = redisThatAnswers()
  const rates = createRedisRateWindow(redis)
  const admit = async (now: number) => {
    const verdict = rates.admit('a', 2, now)
    asked.pop()?.fail()
    return verdict
  }
  assert.deepEqual(await admit(1_000), { admitted: true, remaining: 1, resetSeconds: 60 })
  assert.deepEqual(await admit(1_010), { admitted: true, remaining: 0, resetSeconds: 50 })
  assert.deepEqual(await admit(1_020), { admitted: false, retryAfterSeconds: 40 })
  assert.deepEqual(await admit(1_060), { admitted: true, remaining: 0, resetSeconds: 10 })
})
