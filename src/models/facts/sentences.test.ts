import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sentencesOf } from './sentences.ts'

const sentences = (text: string) => sentencesOf(text).map(({ start, end }) => text.slice(start, end))

for (const [text, expected] of [
  ['I moved. She stayed!  Why?', ['I moved.', 'She stayed!', 'Why?']],
  ['Dr. Osei and J. Tran met at 4 p.m. today.', ['Dr. Osei and J. Tran met at 4 p.m. today.']],
  ['one line\nanother line', ['one line', 'another line']],
  ['Version 2.1.3 is out. Port 80 is closed.', ['Version 2.1.3 is out.', 'Port 80 is closed.']],
  [' … \n\n', []],
] as const) {
  test(`cuts where sentences end: ${JSON.stringify(text)}`, () => assert.deepEqual(sentences(text), expected))
}

test('sentences stand in order, apart, and hold every letter', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 120 }), (text) => {
      let end = 0
      let rest = ''
      for (const span of sentencesOf(text)) {
        assert.ok(span.start >= end && span.end > span.start)
        rest += text.slice(end, span.start)
        end = span.end
      }
      assert.doesNotMatch(rest + text.slice(end), /[\p{L}\p{N}]/u)
    }),
  ))
