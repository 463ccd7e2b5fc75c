import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changedWords } from './diff.ts'

const told = (older: string, newer: string) =>
  changedWords(older, newer).map(({ text, isNew }) => (isNew ? `[${text}]` : text))

test('marks the words that are new, and nothing else', () => {
  assert.deepEqual(told('user lives in Lisbon', 'user lives in Berlin'), ['user lives in ', '[Berlin]'])
  assert.deepEqual(told('a b c', 'a x b c'), ['a ', '[x ]', 'b c'])
  assert.deepEqual(told('a b c', 'a c'), ['a c'])
  assert.deepEqual(told('same', 'same'), ['same'])
  assert.deepEqual(told('', 'all new'), ['[all new]'])
})

test('its pieces are the newer text, whatever the texts are', () => {
  const words = ['a', 'b', 'c', ' ', '\n']
  for (let seed = 1; seed < 400; seed++) {
    const text = (by: number) =>
      Array.from({ length: seed % 12 }, (_, at) => words[(seed * by * (at + 3)) % 5]).join('')
    const [older, newer] = [text(7), text(13)]
    assert.equal(
      changedWords(older, newer)
        .map((piece) => piece.text)
        .join(''),
      newer,
    )
  }
})

test('very long texts are left unmarked instead of compared for seconds', () => {
  const long = 'word '.repeat(20_000)
  assert.deepEqual(changedWords(long, `${long}!`), [{ text: `${long}!`, isNew: false }])
})
