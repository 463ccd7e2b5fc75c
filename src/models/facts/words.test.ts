import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { openTokenizer } from '../reader/tokenizer.ts'
import { piecesOf } from './words.ts'

const tokenizer = await openTokenizer()
const whole = (text: string) => [tokenizer.marks.first, ...tokenizer.encode(text), tokenizer.marks.last]

test('words have the pieces that the text as a whole has', () => {
  const lot = readFileSync(new URL('../../../data/facts/facts-m.tsv', import.meta.url), 'utf8')
  const texts = lot.split('\n').flatMap((line) => (line.startsWith('T\t') ? (line.split('\t')[3] ?? []) : []))
  assert.ok(texts.length > 400)
  for (const text of texts) assert.deepEqual(piecesOf(text, tokenizer).ids, whole(text), text)
})

test('words stand where they are said, in order, whatever the text', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), (text) => {
      const { words, ids } = piecesOf(text, tokenizer)
      let [end, last] = [0, 0]
      for (const word of words) {
        assert.ok(word.start >= end && word.end > word.start && word.end <= text.length)
        assert.ok(word.first === last + 1 && word.last >= word.first)
        ;[end, last] = [word.end, word.last]
      }
      assert.equal(last + 2, ids.length)
    }),
  ))
