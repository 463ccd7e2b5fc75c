import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inTurn } from './in-turn.ts'

test('work on one thing goes one after the other, that on others beside it, and a failure holds nothing up', async () => {
  const turns = inTurn<string>()
  const done: string[] = []
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const first = turns('a', async () => {
    await held
    done.push('first')
    throw new Error('broken')
  })
  const second = turns('a', async () => done.push('second'))
  await turns('b', async () => done.push('other'))
  assert.deepEqual(done, ['other'])
  release()
  await assert.rejects(first, /broken/)
  await second
  assert.deepEqual(done, ['other', 'first', 'second'])
})
