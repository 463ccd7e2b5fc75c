import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asNamespace } from '../../../core/ids.ts'
import type { ListReply, ListRequest, MemoryRecord } from '../../../memory/memory.ts'
import { mostTexts, textsOf } from './memories.ts'

const asked = { persona: 'alice', sessionId: null, since: null, until: null }

function recordOf(at: number): MemoryRecord {
  return {
    ...{
      id: `${at}`,
      type: 'episodic',
      fact: `text ${at}`,
      persona: 'alice',
      sessionId: null,
      source: 'user',
    },
    ...{ confidence: 1, retention: 1, accessCount: 0, createdAt: at, lastAccessAt: at, metadata: null },
    ...{ superseded: at % 2 === 1, pinned: false, replacedBy: null, replacedAt: null, triple: null },
  }
}

/** A list of so many texts, every second of which is out of date. */
function listOf(length: number) {
  return async (_: unknown, { limit, cursor }: ListRequest): Promise<ListReply> => {
    const start = Number(cursor ?? 0)
    const memories = Array.from({ length: Math.min(limit, length - start) }, (_, at) => recordOf(start + at))
    const end = start + memories.length
    return { memories, nextCursor: end < length ? `${end}` : null }
  }
}

const place = (length: number, signal = new AbortController().signal) => ({
  ...{ memory: { list: listOf(length) }, namespace: asNamespace('n'), signal },
})

test('every text that holds is seen, over as many pages as it takes', async () => {
  const { texts, isAll } = await textsOf(place(1_201), asked)
  assert.equal(texts.length, 601)
  assert.equal(isAll, true)
})

test('one call looks at a bounded number of texts, and knows when there are more', async () => {
  assert.equal((await textsOf(place(mostTexts), asked)).isAll, true)
  const { texts, isAll } = await textsOf(place(mostTexts + 1), asked)
  assert.equal(texts.length, mostTexts / 2)
  assert.equal(isAll, false)
})

test('it stops when nobody waits any longer', async () => {
  await assert.rejects(textsOf(place(10, AbortSignal.abort()), asked), { name: 'AbortError' })
})
