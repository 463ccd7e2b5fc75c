import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { z } from 'zod'
import { estimateTokens } from '../src/core/tokens.ts'
import { openTokenizer } from '../src/models/reader/tokenizer.ts'

const talk = z.object({ sessions: z.array(z.object({ turns: z.array(z.tuple([z.string(), z.string()])) })) })

test('a text is estimated as more tokens than a tokenizer makes of it, and not as twice as many', async () => {
  const { encode } = await openTokenizer()
  const file = path.resolve(import.meta.dirname, '../data/talks/talks-a.jsonl')
  const talks = readFileSync(file, 'utf8').trim().split('\n')
  for (const line of talks) {
    const { sessions } = talk.parse(JSON.parse(line))
    for (const { turns } of sessions) {
      const text = turns.map(([, said]) => said).join('\n')
      const tokens = encode(text).length
      assert.ok(estimateTokens(text) >= tokens && estimateTokens(text) <= 2 * tokens, text)
    }
  }
})

test('whatever is not ASCII counts by its bytes, and nothing is free but single spaces', () => {
  assert.equal(estimateTokens(''), 0)
  assert.equal(estimateTokens('a b  c'), 4)
  assert.equal(estimateTokens('Lisbon'), 2)
  assert.equal(estimateTokens('ABCD'), 2)
  assert.equal(estimateTokens('2026'), 4)
  assert.equal(estimateTokens('é世😀'), 1 + 2 + 3)
  assert.equal(estimateTokens('a\nb'), 3)
})
