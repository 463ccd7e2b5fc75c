import assert from 'node:assert/strict'
import { test } from 'node:test'
import { analyze } from '../../core/analyze.ts'
import type { Candidate } from './candidate.ts'
import { lowerRepeats } from './repeats.ts'

/** A candidate of one text; only what the rule looks at. */
const of = (score: number, fact: string | null, isDirect = false): Candidate =>
  ({
    ...{ id: `${score}`, score, itemId: 'item', superseded: false, isFact: fact !== null, createdAt: 0 },
    ...{ isDirect, shown: { sourceType: fact === null ? 'episodic' : 'semantic' } },
    chunk: fact === null ? { id: 'text' } : null,
    fact: fact === null ? null : { chunkId: 'text', fact },
  }) as unknown as Candidate

const scores = (candidates: readonly Candidate[], question: string) =>
  lowerRepeats(candidates, analyze(question)).map(({ score }) => Math.round(score * 100) / 100)

test('what repeats its text stands just above the floor', () => {
  assert.deepEqual(
    scores([of(0.9, null), of(0.8, 'Maria works at Siemens')], 'Where does she work?'),
    [0.9, 0.22],
  )
  assert.deepEqual(
    scores([of(0.9, 'user likes tea'), of(0.8, 'user drinks tea')], 'Who likes tea?'),
    [0.9, 0.22],
  )
})

test('a text stands for its facts, except for the first one that is directly relevant by itself', () => {
  const facts = [of(0.9, 'user lives in Porto', true), of(0.8, 'user resides in Porto', true)]
  assert.deepEqual(scores([of(0.9, null), ...facts], 'Where do I live?'), [0.9, 0.9, 0.22])
})

test('a further fact that speaks to another word of the question is no repetition', () => {
  const sister = of(0.9, 'user has sister Maria')
  const work = of(0.8, 'Maria works at Siemens')
  assert.deepEqual(scores([sister, work, of(0.7, null)], 'Where does my sister work?'), [0.9, 0.8, 0.21])
})
