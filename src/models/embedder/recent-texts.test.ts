import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Encoding } from '../../memory/ports.ts'
import { createRecentTexts, remembering } from './recent-texts.ts'

const read = (text: string): Encoding => ({
  vector: Float32Array.of(text.length, 1),
  tokens: { count: 1, codes: Int8Array.of(text.length), importance: Float32Array.of(0.5) },
})

test('what was asked for longest ago is forgotten first', () => {
  const recent = createRecentTexts(3 * (2 + 8 + 200 + 1 + 4 + 200))
  for (const text of ['a', 'b', 'c']) recent.put(text, read(text))
  recent.get('a')
  recent.put('d', read('d'))
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((text) => recent.get(text) !== null),
    [true, false, true, true],
  )
})

test('a text too large for the whole memory is not kept, and pushes nothing out', () => {
  const recent = createRecentTexts(500)
  recent.put('a', read('a'))
  recent.put('x'.repeat(1_000), read('x'))
  assert.notEqual(recent.get('a'), null)
})

test('a memory of 0 bytes keeps nothing', () => {
  const recent = createRecentTexts(0)
  recent.put('', { vector: new Float32Array(), tokens: null })
  assert.equal(recent.get(''), null)
})

test('changing what was given changes nobody else’s', async () => {
  const recent = createRecentTexts(10_000)
  const { embed, encode } = remembering(recent, async (texts) => texts.map(read))
  const [first, same] = await encode(['a', 'a'])
  first?.vector.fill(9)
  first?.tokens?.codes.fill(9)
  first?.tokens?.importance.fill(9)
  assert.deepEqual(same, read('a'))
  assert.deepEqual(await encode(['a']), [read('a')])
  assert.deepEqual(await embed(['a']), [read('a').vector])
})

test('each distinct text is computed once while it is remembered, and the answers are the same as without', async () => {
  const call = fc.array(fc.constantFrom('a', 'bb', 'ccc', 'dddd'))
  await fc.assert(
    fc.asyncProperty(fc.array(call), async (calls) => {
      const computed: string[] = []
      const { encode } = remembering(createRecentTexts(10_000), async (texts) => {
        computed.push(...texts)
        return texts.map(read)
      })
      for (const texts of calls) assert.deepEqual(await encode(texts), texts.map(read))
      assert.equal(computed.length, new Set(calls.flat()).size)
    }),
  )
})

test('too few vectors are a rejection, never an empty vector', async () => {
  const { embed } = remembering(createRecentTexts(10_000), async () => [])
  await assert.rejects(embed(['a']), /0 vectors for 1 texts/)
})
