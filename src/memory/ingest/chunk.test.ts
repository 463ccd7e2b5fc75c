import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { speakerOf } from '../../core/speaker.ts'
import { normalize } from '../../core/vectors.ts'
import { chunkSpans, cuttingUnits } from './chunk.ts'

/** Subjects as directions: sentences with the same first word are about the same thing. */
function vectorsOf(texts: readonly string[]): Float32Array[] {
  const subjects = [...new Set(texts.map((text) => text.split(' ')[0]))]
  return texts.map((text) => {
    const vector = new Float32Array(8).fill(0.1)
    vector[subjects.indexOf(text.split(' ')[0]) % 8] = 1
    return normalize(vector)
  })
}

function chunksOf(text: string): string[] {
  const units = cuttingUnits(text)
  const vectors = vectorsOf(units.map(({ start, end }) => text.slice(start, end)))
  return chunkSpans(text, units, vectors).map(({ start, end }) => text.slice(start, end))
}

test('leaves a short text whole, without the white space around it', () => {
  assert.deepEqual(chunksOf('  I live in Lisbon. I like tea.\n'), ['I live in Lisbon. I like tea.'])
  assert.deepEqual(cuttingUnits('x'.repeat(1_200)), [])
})

test('keeps a text that is only white space as it is', () => {
  assert.deepEqual(chunksOf(' \n '), [' \n '])
})

test('cuts where the subject turns', () => {
  const about = (subject: string) =>
    `${subject} ${'is something that can be talked about for long '.repeat(2)}ends.`
  const text = [...Array(7).fill(about('Sailing')), ...Array(7).fill(about('Cooking'))].join(' ')
  const chunks = chunksOf(text)
  assert.ok(chunks.length >= 2)
  for (const chunk of chunks) assert.notEqual(chunk.includes('Sailing'), chunk.includes('Cooking'))
})

const long = (unit: string) => unit.repeat(Math.ceil(5_000 / unit.length))

for (const [kind, text] of Object.entries({
  'words without a full stop': long('word '),
  'letters without a space': long('x'),
  emoji: long('👩‍🚀😀'),
  Japanese: long('私は東京に住んでいます。'),
  'Chinese without marks': long('我住在北京'),
  'short lines': long('ok\n'),
})) {
  test(`cuts ${kind} into pieces of at most 1,200 characters and loses nothing`, () => {
    const chunks = chunksOf(text)
    assert.ok(chunks.length > 1)
    for (const chunk of chunks) assert.ok(chunk.length <= 1_200 && chunk.isWellFormed())
    assert.equal(chunks.join('').replace(/\s/g, ''), text.replace(/\s/g, ''))
  })
}

test('covers every character that is no white space, in order, for any text', () => {
  const text = fc
    .array(fc.string({ unit: 'grapheme', maxLength: 400 }), { maxLength: 12 })
    .map((parts) => parts.join('. '))
  fc.assert(
    fc.property(text, (value) => {
      const units = cuttingUnits(value)
      const spans = chunkSpans(
        value,
        units,
        vectorsOf(units.map(({ start, end }) => value.slice(start, end))),
      )
      let end = 0
      for (const span of spans) {
        assert.ok(span.start >= end)
        assert.equal(value.slice(end, span.start).trim(), '')
        end = span.end
      }
      assert.equal(value.slice(end).trim(), '')
    }),
    { numRuns: 200 },
  )
})

for (const [text, expected] of [
  ['Caroline: hello', 'Caroline'],
  ['Mary Ann Smith: hello', 'Mary Ann Smith'],
  ['user: hello', 'user'],
  ['Note: buy milk', null],
  ['hello: world', null],
  ['I said: no', null],
  ['Caroline:', null],
  ['https://example.com', null],
] as const) {
  test(`${JSON.stringify(text)} is said by ${expected ?? 'nobody named'}`, () =>
    assert.equal(speakerOf(text), expected))
}
