import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import type { Source } from '../../../memory/model.ts'
import type { ExtractedFact } from '../../../memory/ports.ts'
import { loadExtractor } from '../read.ts'

/**
 * The tables beside this file: a line `source[:speaker]|text`, then every fact that is read from it, indented,
 * `subject | relation | object`, with `not`, `ended` or `perhaps` behind. What is not listed must not be read.
 */
const reader = loadExtractor()

function told({ subject, relation, object, negated, ended, hypothetical }: ExtractedFact): string {
  const marks = [negated && 'not', ended && 'ended', hypothetical && 'perhaps']
  return [subject, relation, object, ...marks].filter(Boolean).join(' | ')
}

for (const [file, about] of [
  ['talk.txt', 'reads from talk'],
  ['documents.txt', 'reads from a document'],
  ['silent.txt', 'reads nothing from'],
] as const) {
  describe(about, () => {
    const lines = readFileSync(new URL(file, import.meta.url), 'utf8')
      .split('\n')
      .filter(Boolean)
    for (const [at, line] of lines.entries()) {
      const start = /^(user|assistant|document)(?::(\w+))?\|(.*)$/.exec(line)
      if (!start) continue
      const end = lines.findIndex((other, index) => index > at && !other.startsWith('  '))
      const expected = lines.slice(at + 1, end < 0 ? undefined : end).map((fact) => fact.trim())
      test(start[3] ?? '', () => {
        const input = {
          text: start[3] ?? '',
          source: start[1] as Source,
          speaker: start[2] ?? null,
          now: 1_700_000_000,
        }
        assert.deepEqual(reader.extract(input).facts.map(told), expected)
      })
    }
  })
}
