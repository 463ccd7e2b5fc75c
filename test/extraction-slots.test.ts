import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slotScore } from '../bench/extraction/slot-changes.ts'
import { changes, lookAlikes } from '../src/models/extractor/examples/slot-pairs.ts'
import { loadExtractor } from '../src/models/extractor/read.ts'

test('changes close what they replace, look-alikes stay side by side', () => {
  const { closed, kept, mistakes } = slotScore(loadExtractor())
  assert.ok(closed >= 0.95 * changes.length, mistakes.join('\n'))
  assert.ok(kept >= 0.98 * lookAlikes.length, mistakes.join('\n'))
})
