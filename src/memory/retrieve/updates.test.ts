import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asChunkId, asItemId } from '../../core/ids.ts'
import type { Source } from '../model.ts'
import { type Candidate, chunkCandidate } from './candidate.ts'
import { readQuestion } from './question.ts'
import { updatesFirst } from './updates.ts'

const aging = { now: 100, halfLifeDays: 7 }

function told(text: string, at: number, score: number, source: Source = 'user'): Candidate {
  const chunk = {
    ...{
      id: asChunkId(text),
      itemId: asItemId(text),
      persona: 'shared',
      sessionId: null,
      source,
      speaker: null,
    },
    ...{ text, start: 0, end: text.length, metadata: null, base: 1, createdAt: at, lastAccessAt: at },
    ...{ accessCount: 0, factCount: 0, closedFactCount: 0 },
  }
  return chunkCandidate(chunk, score, aging)
}

const first = (question: string, ...texts: Candidate[]) => updatesFirst(texts, readQuestion(question))[0]?.id

const old = 'The rehearsal is in the chapel at noon.'
const fresh = 'The rehearsal is in the barn at noon now.'

test('a newer text that says that something changed stands before the older one', () => {
  assert.equal(first('Where is the rehearsal?', told(old, 1, 0.9), told(fresh, 2, 0.8)), fresh)
})

test('what was told first is not changed by what was told before it', () => {
  assert.equal(first('Where is the rehearsal?', told(old, 2, 0.9), told(fresh, 1, 0.8)), old)
})

test('a newer text about something else changes nothing', () => {
  const other = 'The barn has a new roof and the rehearsal was fun.'
  assert.equal(first('Where is the rehearsal?', told(old, 1, 0.9), told(other, 2, 0.8)), old)
})

test('a text that fits much worse, or by somebody else, changes nothing', () => {
  assert.equal(first('Where is the rehearsal?', told(old, 1, 0.9), told(fresh, 2, 0.3)), old)
  assert.equal(first('Where is the rehearsal?', told(old, 1, 0.9), told(fresh, 2, 0.8, 'assistant')), old)
})

test('the past stands behind what is, unless it is asked for', () => {
  const past = told('I used to row for Trent.', 1, 0.9)
  const present = told('I row for Avon.', 2, 0.8)
  assert.equal(first('Who do I row for?', past, present), present.id)
  assert.equal(first('Who did I row for before?', past, present), past.id)
})
