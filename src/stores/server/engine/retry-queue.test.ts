import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ServiceError } from '../../../core/errors.ts'
import { createRetryQueue } from './retry-queue.ts'

test('what failed is tried again until it is done, once', async () => {
  const queue = createRetryQueue()
  let isAway = true
  let done = 0
  const work = async () => {
    if (isAway) throw new ServiceError('store_unavailable')
    done += 1
  }
  await assert.rejects(queue.attempt(work))
  await assert.rejects(queue.retry(), 'the engine is still away')
  isAway = false
  await queue.retry()
  await queue.retry()
  assert.equal(done, 1)
})

test('what cannot succeed does not stand in the way of the rest', async () => {
  const queue = createRetryQueue()
  let tries = 0
  const broken = async () => {
    tries += 1
    throw new TypeError('wrong for ever')
  }
  await assert.rejects(queue.attempt(broken))
  await queue.retry()
  await queue.retry()
  assert.equal(tries, 2)
})
