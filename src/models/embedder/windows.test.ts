import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { characterWindows, windowsOf } from './windows.ts'

const marks = { first: -1, last: -2 }
const tokens = (count: number): number[] => Array.from({ length: count }, (_, i) => i)

test('windows cover every token, fit the model and carry its marks', () => {
  fc.assert(
    fc.property(fc.nat(5_000), (count) => {
      const windows = windowsOf(tokens(count), marks)
      const seen = new Set(windows.flatMap((window) => window.tokens.slice(1, -1)))
      assert.equal(seen.size, count)
      for (const window of windows) {
        assert.ok(window.tokens.length <= 512)
        assert.equal(window.tokens[0], -1)
        assert.equal(window.tokens.at(-1), -2)
      }
    }),
  )
})

for (const [count, windows] of [
  [0, 1],
  [510, 1],
  [511, 2],
  [956, 2],
  [957, 3],
] as const) {
  test(`${count} tokens make ${windows} windows`, () =>
    assert.equal(windowsOf(tokens(count), marks).length, windows))
}

test('each token is fresh in exactly one window', () => {
  fc.assert(
    fc.property(fc.nat(5_000), (count) => {
      const fresh = windowsOf(tokens(count), marks).flatMap((window) => window.tokens.slice(window.fresh, -1))
      assert.deepEqual(fresh, tokens(count))
    }),
  )
})

test('neighbouring windows share their border', () => {
  const [first, second] = windowsOf(tokens(800), marks)
  const border = first?.tokens.filter((token) => token >= 0 && second?.tokens.includes(token))
  assert.ok((border?.length ?? 0) >= 64)
})

test('parts of a text put together are the text, within the size, and no character is broken', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc.integer({ min: 4, max: 50 }),
      (text, size) => {
        const parts = characterWindows(text, size)
        assert.equal(parts.join(''), text)
        for (const part of parts) {
          assert.ok(part.length <= size)
          assert.ok(part.isWellFormed() || !text.isWellFormed())
        }
      },
    ),
  )
})
