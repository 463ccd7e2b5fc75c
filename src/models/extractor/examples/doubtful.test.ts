import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import type { ExtractedFact } from '../../../memory/ports.ts'
import { loadExtractor } from '../read.ts'

/**
 * The table beside this file: a line `user[:speaker]|text`, then what is stated in it, indented,
 * `sure | subject | relation | object`, or `doubtful` where the words were read but say too little to be relied on.
 */
const reader = loadExtractor()
/** From here on a fact is relied on. */
const reliable = 0.65

function told({ subject, relation, object, confidence, negated, ended }: ExtractedFact): string {
  const marks = [negated && 'not', ended && 'ended']
  return [confidence >= reliable ? 'sure' : 'doubtful', subject, relation, object, ...marks]
    .filter(Boolean)
    .join(' | ')
}

describe('is sure only of what states something in', () => {
  const lines = readFileSync(new URL('doubtful.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter(Boolean)
  for (const [at, line] of lines.entries()) {
    const [, speaker = null, text = ''] = /^user(?::(\w+))?\|(.*)$/.exec(line) ?? []
    if (!text) continue
    const end = lines.findIndex((other, index) => index > at && !other.startsWith('  '))
    const expected = lines.slice(at + 1, end < 0 ? undefined : end).map((fact) => fact.trim())
    test(text, () => {
      const { facts } = reader.extract({ text, source: 'user', speaker, now: 1_700_000_000 })
      assert.deepEqual(facts.filter(({ hypothetical }) => !hypothetical).map(told), expected)
    })
  }
})
