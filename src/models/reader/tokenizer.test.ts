import assert from 'node:assert/strict'
import { test } from 'node:test'
import { remembering } from './tokenizer.ts'

test('a text seen lately is not cut up again; how much is remembered has a bound', () => {
  const cut: string[] = []
  const { encode } = remembering({
    ...{ marks: { first: 1, last: 2 }, isWord: () => true },
    encode: (text) => [cut.push(text), text.length],
  })
  assert.deepEqual(['', 'one', '', 'one'].map(encode), [
    [1, 0],
    [2, 3],
    [1, 0],
    [2, 3],
  ])
  for (let at = 0; at < 100; at++) encode(`${at}`.padEnd(1_000))
  encode('one')
  assert.equal(cut.length, 103)
  encode('long'.repeat(100_000))
  encode('one')
  assert.equal(cut.length, 104)
})
