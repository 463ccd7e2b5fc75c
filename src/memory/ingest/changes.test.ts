import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aNamespace, openSmallMemory } from '../../../test/support/small-memory.ts'
import { createPatternExtractor } from '../../../test/support/small-models.ts'
import type { ExtractedChange, Extractor } from '../ports.ts'

const plain = { subject: 'user', relation: '', start: 0, end: 5 }
const changes: Readonly<Record<string, ExtractedChange>> = {
  'I packed it in at Siemens.': { ...plain, kind: 'ended', words: 'Siemens', around: 'Siemens' },
  'Actually it is Porto.': { ...plain, kind: 'corrected', words: 'Porto', around: '' },
}

/** The small extractor, which also notices these changes. */
function noticing(): Extractor {
  const inner = createPatternExtractor()
  return {
    extract: async (inputs, signal) => {
      const found = await inner.extract(inputs, signal)
      return found.map((extraction, at) => {
        const change = changes[inputs[at]?.text ?? '']
        return change ? { ...extraction, changes: [change] } : extraction
      })
    },
  }
}

const whole = { persona: null, sessionId: null, source: null, since: null, until: null }

async function current(small: ReturnType<typeof openSmallMemory>): Promise<string[]> {
  const facts = await small.stores.graph.list(aNamespace, whole, { after: null, limit: 50 })
  return facts.filter(({ closedAt }) => closedAt === null).map(({ fact }) => fact)
}

describe('changes', () => {
  test('a text that says an end closes what it means', async () => {
    const small = openSmallMemory({ parts: { extractor: noticing() } })
    await small.ingest('I work at Siemens. I live in Lisbon.')
    await small.ingest('I packed it in at Siemens.')
    assert.deepEqual(await current(small), ['user lives in Lisbon'])
  })

  test('a correction takes the place of what the newest text said', async () => {
    const small = openSmallMemory({ parts: { extractor: noticing() } })
    await small.ingest('I work at Siemens.')
    await small.ingest('I live in Lisbon.')
    await small.ingest('Actually it is Porto.')
    assert.deepEqual((await current(small)).toSorted(), ['user lives in Porto', 'user works at Siemens'])
  })

  test('what another persona was told stays', async () => {
    const small = openSmallMemory({ parts: { extractor: noticing() } })
    await small.ingest('I work at Siemens.', { persona: 'mine' })
    await small.ingest('I packed it in at Siemens.', { persona: 'yours' })
    assert.deepEqual(await current(small), ['user works at Siemens'])
  })

  test('an assistant ends nothing that the user said', async () => {
    const small = openSmallMemory({ parts: { extractor: noticing() } })
    await small.ingest('I work at Siemens.')
    await small.ingest('I packed it in at Siemens.', { source: 'assistant' })
    assert.deepEqual(await current(small), ['user works at Siemens'])
  })
})
