import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createRecentVectors } from './recent-vectors.ts'
import { remembering } from './remembering.ts'

const vectorOf = (text: string): Float32Array => Float32Array.of(text.length, 1)

test('what was asked for longest ago is forgotten first', () => {
  const recent = createRecentVectors(3 * (2 + 8 + 200))
  for (const text of ['a', 'b', 'c']) recent.put(text, vectorOf(text))
  recent.get('a')
  recent.put('d', vectorOf('d'))
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((text) => recent.get(text) !== null),
    [true, false, true, true],
  )
})

test('a text too large for the whole memory is not kept, and pushes nothing out', () => {
  const recent = createRecentVectors(500)
  recent.put('a', vectorOf('a'))
  recent.put('x'.repeat(1_000), vectorOf('x'))
  assert.notEqual(recent.get('a'), null)
})

test('changing a vector that was given changes nobody else’s', async () => {
  const recent = createRecentVectors(10_000)
  const embed = remembering(recent, async (texts) => texts.map(vectorOf))
  const [first, twin] = await embed(['a', 'a'])
  first?.fill(9)
  assert.deepEqual(twin, vectorOf('a'))
  assert.deepEqual(await embed(['a']), [vectorOf('a')])
})

test('each distinct text is computed once while it is remembered, and the answers are the same as without', async () => {
  const call = fc.array(fc.constantFrom('a', 'bb', 'ccc', 'dddd'))
  await fc.assert(
    fc.asyncProperty(fc.array(call), async (calls) => {
      const computed: string[] = []
      const embed = remembering(createRecentVectors(10_000), async (texts) => {
        computed.push(...texts)
        return texts.map(vectorOf)
      })
      for (const texts of calls) assert.deepEqual(await embed(texts), texts.map(vectorOf))
      assert.equal(computed.length, new Set(calls.flat()).size)
    }),
  )
})

test('too few vectors are a rejection, never an empty vector', async () => {
  const embed = remembering(createRecentVectors(10_000), async () => [])
  await assert.rejects(embed(['a']), /0 vectors for 1 texts/)
})
