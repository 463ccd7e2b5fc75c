import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { mergeCandidates } from './merge.ts'

const candidate = (id: string, score: number, itemId: string | null, isFact = false) => ({
  ...{ id, score, itemId, isFact, createdAt: 0 },
})
const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id)

test('lets another text pass before the further results of one text', () => {
  const merged = mergeCandidates([
    candidate('chunk', 0.9, 'one'),
    candidate('fact', 0.85, 'one'),
    candidate('other', 0.7, 'two'),
  ])
  assert.deepEqual(ids(merged), ['chunk', 'other', 'fact'])
})

test('still lists every piece of the only text there is', () => {
  const pieces = ['a', 'b', 'c', 'd'].map((id) => candidate(id, 0.8, 'document'))
  assert.deepEqual(ids(mergeCandidates(pieces)), ['a', 'b', 'c', 'd'])
})

test('puts a text before its fact at the same score, and the newer of two texts first, whatever their ids', () => {
  assert.deepEqual(
    ids(mergeCandidates([candidate('a fact', 0.9, null, true), candidate('the text', 0.9, null)])),
    ['the text', 'a fact'],
  )
  assert.deepEqual(
    ids(mergeCandidates([candidate('a', 0.9, null), { ...candidate('b', 0.9, null), createdAt: 1 }])),
    ['b', 'a'],
  )
})

test('lists each id once, with its best score, in falling order, whatever the order of the input', () => {
  const any = fc.record({
    id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    score: fc.double({ min: 0, max: 1, noNaN: true }),
    itemId: fc.constantFrom('one', 'two', null),
    isFact: fc.boolean(),
    createdAt: fc.nat(2),
  })
  fc.assert(
    fc.property(fc.array(any), (candidates) => {
      const merged = mergeCandidates(candidates)
      assert.deepEqual(new Set(ids(merged)), new Set(ids(candidates)))
      assert.equal(merged.length, new Set(ids(candidates)).size)
      merged.forEach(({ score }, at) => {
        assert.ok(score <= (merged[at - 1]?.score ?? 1))
      })
    }),
  )
})

test('gives the same list for every order of the same candidates', () => {
  const list = ['a', 'b', 'c', 'd', 'e'].map((id, at) =>
    candidate(id, (at % 3) / 4 + 0.1, at % 2 ? 'one' : 'two'),
  )
  fc.assert(
    fc.property(fc.shuffledSubarray(list, { minLength: list.length }), (shuffled) => {
      assert.deepEqual(mergeCandidates(shuffled), mergeCandidates(list))
    }),
  )
})
