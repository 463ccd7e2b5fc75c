import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { hashOfKey, isWellFormedKey, newKey } from './keys.ts'

test('makes keys of mem_ and 32 base62 characters, each well formed and none twice', () => {
  const keys = Array.from({ length: 2_000 }, () => newKey(randomBytes))
  for (const key of keys) {
    assert.match(key, /^mem_[0-9A-Za-z]{32}$/)
    assert.ok(isWellFormedKey(key))
  }
  assert.equal(new Set(keys).size, keys.length)
})

test('uses all 62 characters equally often', () => {
  const counts = new Map<string, number>()
  const keys = 5_000
  for (let made = 0; made < keys; made++) {
    for (const character of newKey(randomBytes).slice(4, 30)) {
      counts.set(character, (counts.get(character) ?? 0) + 1)
    }
  }
  const expected = (keys * 26) / 62
  assert.equal(counts.size, 62)
  // 62 counts of about 2,100 (deviation 46): 7 deviations never happen, a biased modulo is 12 off.
  for (const count of counts.values()) assert.ok(Math.abs(count - expected) < 7 * Math.sqrt(expected))
})

test('tells a key with one changed character from a key', () => {
  const alphabet = fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz')
  fc.assert(
    fc.property(fc.integer({ min: 4, max: 35 }), alphabet, (at, character) => {
      const key = newKey(randomBytes)
      const changed = key.slice(0, at) + character + key.slice(at + 1)
      assert.equal(isWellFormedKey(changed), changed === key)
    }),
  )
})

test('takes nothing that only resembles a key', () => {
  const key = newKey(randomBytes)
  for (const text of ['', 'mem_', key.slice(0, -1), `${key}0`, ` ${key}`, `${key}\n`, key.toUpperCase()]) {
    assert.equal(isWellFormedKey(text), false, JSON.stringify(text))
  }
})

test('hashes with SHA-256, in hex', () => {
  assert.equal(hashOfKey('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})
