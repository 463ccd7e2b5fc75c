import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isEcho } from './echo.ts'
import { readQuestion } from './question.ts'

const cases: readonly (readonly [question: string, text: string, echo: boolean])[] = [
  ['Where do I live?', 'Where do I live?', true],
  ['Where do I live?', 'where do i live', true],
  ['Where do I live?', 'Hey, do you remember where I live?', true],
  ['What is my favourite tea?', 'What is my favourite tea, do you know?', true],
  ['What is the code of the gate?', 'Can you tell me the code for the gate?', true],
  ['Which film did you suggest I watch next?', 'What should I watch next?', true],
  ['How old is my niece?', 'I do not know how old your niece is. Would you tell me?', true],
  ['What is my address?', 'I don’t have your address saved yet.', true],
  ['Which car do I have?', 'I don’t have a car.', false],
  ['Where do I live?', 'I live in Bergen.', false],
  ['Where do I live?', 'Where do I live? I live in Bergen.', false],
  ['Where do I live?', 'Did I tell you that I live in Bergen?', false],
  ['What is the code of the gate?', 'Is the code of the gate 4417?', false],
  ['Where is the school?', 'Is the school still near the old harbour behind the station?', false],
  ['What did I ask about the gate?', 'What is the code of the gate?', false],
  ['Is it raining?', 'Where do I live?', false],
  ['', 'Where do I live?', false],
]

for (const [question, text, echo] of cases) {
  test(`"${text}" ${echo ? 'only repeats' : 'does not just repeat'} "${question}"`, () =>
    assert.equal(isEcho(readQuestion(question), text), echo))
}
