import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePairs, plainPairs, slotScore } from '../bench/extraction/slot-changes.ts'
import { loadExtractor } from '../src/models/extractor/read.ts'

const reader = loadExtractor()

test('changes close what they replace, look-alikes stay side by side', () => {
  const { closed, kept, mistakes } = slotScore(reader, plainPairs)
  assert.ok(closed >= 0.95 * plainPairs.changes.length, mistakes.join('\n'))
  assert.ok(kept >= 0.98 * plainPairs.lookAlikes.length, mistakes.join('\n'))
})

test('changes told freely mostly close what they replace, and look-alikes stay', () => {
  const pairs = freePairs()
  const { closed, kept, mistakes } = slotScore(reader, pairs)
  assert.ok(closed >= 0.75 * pairs.changes.length, mistakes.join('\n'))
  assert.ok(kept >= 0.98 * pairs.lookAlikes.length, mistakes.join('\n'))
})
