import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namedShare, readQuestion } from './question.ts'

const shares: readonly (readonly [question: string, speaker: string | null, share: number])[] = [
  ["What is Caroline's job?", 'Caroline', 1],
  ['What is CAROLINE’S job?', 'caroline', 1],
  ['What is her job?', 'Caroline', 0],
  ['Where was Jeff born?', 'Jeff Porcaro', 0.5],
  ['Where do I live?', 'user', 1],
  ['Where does Ann live?', 'user', 0],
  ['What did you suggest?', 'assistant', 1],
  ['Where do I live?', null, 1],
]

for (const [text, speaker, share] of shares) {
  test(`"${text}" names ${speaker ?? 'a user without a name'} by ${share}`, () =>
    assert.equal(namedShare(readQuestion(text), { speaker, source: 'user' }), share))
}

test('a document speaks for nobody', () => {
  assert.equal(namedShare(readQuestion('Where do I live?'), { speaker: null, source: 'document' }), 0)
})

test('knows a question for a time from the others', () => {
  assert.equal(readQuestion('When did I move?').forTime, true)
  assert.equal(readQuestion('Where did I move?').forTime, false)
})

test('reads an empty question', () => {
  assert.deepEqual(readQuestion('').terms, [])
})
