import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spelt } from './decode.ts'

test('the third person is spelt as it is written', () => {
  const stems = ['touch', 'wash', 'miss', 'fix', 'go', 'worry', 'play', 'boo', 'live', 'own']
  assert.deepEqual(
    stems.map((stem) => spelt(stem, 's')),
    ['touches', 'washes', 'misses', 'fixes', 'goes', 'worries', 'plays', 'boos', 'lives', 'owns'],
  )
  assert.equal(spelt('mov', 'ed'), 'moved')
})
