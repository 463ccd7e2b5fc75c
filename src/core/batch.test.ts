import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBatcher, createShared, createTurns } from './batch.ts'

const tick = () => new Promise<void>((resolve) => setImmediate(resolve))

test('hands over together what came while a batch was running, and each caller its own result', async () => {
  const sizes: number[] = []
  const double = createBatcher<number, number>(async (items) => {
    sizes.push(items.length)
    await tick()
    return items.map((item) => 2 * item)
  })
  assert.deepEqual(await Promise.all([1, 2, 3, 4].map(double)), [2, 4, 6, 8])
  assert.deepEqual(sizes, [1, 3])
})

test('hands over no more than so many, in the order of asking', async () => {
  const seen: (readonly number[])[] = []
  const work = createBatcher<number, number>(async (items) => {
    seen.push(items)
    await tick()
    return items
  }, 2)
  assert.deepEqual(await Promise.all([1, 2, 3, 4, 5, 6].map(work)), [1, 2, 3, 4, 5, 6])
  assert.deepEqual(seen, [[1], [2, 3], [4, 5], [6]])
})

test('a failing batch rejects its callers and none of the next', async () => {
  let isBroken = true
  const work = createBatcher<number, number>(async (items) => {
    await tick()
    if (isBroken) throw new Error('broken')
    return items
  })
  await assert.rejects(work(1), /broken/)
  isBroken = false
  assert.equal(await work(2), 2)
})

test('turns of one key follow each other, also after a failure; other keys do not wait', async () => {
  const take = createTurns()
  const seen: string[] = []
  const turn = (key: string, name: string, fails = false) =>
    take(key, async () => {
      seen.push(`${name} starts`)
      await tick()
      seen.push(`${name} ends`)
      if (fails) throw new Error(name)
    })
  const first = turn('a', 'a1', true)
  await Promise.allSettled([first, turn('a', 'a2'), turn('b', 'b1')])
  await assert.rejects(first, /a1/)
  assert.ok(seen.indexOf('a2 starts') > seen.indexOf('a1 ends'))
  assert.ok(seen.indexOf('b1 starts') < seen.indexOf('a1 ends'))
})

test('the same question asked at once is answered once, never with an answer that was under way before', async () => {
  const share = createShared<number>()
  let told = 1
  let asked = 0
  const ask = async () => {
    asked++
    const seen = told
    await tick()
    return seen
  }
  const first = share('a', ask)
  await Promise.resolve()
  told = 2
  const later = [share('a', ask), share('a', ask), share('b', ask)]
  assert.deepEqual(await Promise.all([first, ...later]), [1, 2, 2, 2])
  assert.equal(asked, 3)
  told = 3
  assert.equal(await share('a', ask), 3)
})

test('a question that fails rejects those who share it and none of the next', async () => {
  const share = createShared<number>()
  const broken = async () => {
    await tick()
    throw new Error('broken')
  }
  const failed = [share('a', broken), share('a', broken)]
  for (const one of failed) await assert.rejects(one, /broken/)
  assert.equal(await share('a', async () => 1), 1)
})
