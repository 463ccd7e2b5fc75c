import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askedSlot } from './asked-slot.ts'

for (const [question, subject, relation] of [
  ['What is my name?', 'user', 'has_name'],
  ["What's my favorite color?", 'user', 'favourite_colour'],
  ["What is the user's phone number?", 'user', 'has_phone_number'],
  ['Who is my boss?', 'user', 'has_boss'],
  ['When is my birthday?', 'user', 'has_birthday'],
  ['What is my job?', 'user', 'works_as'],
  ["What is my dog's name?", 'user', 'has_dog'],
  ['What is the name of my cat?', 'user', 'has_cat'],
  ['Where do I live now?', 'user', 'lives_in'],
  ['Where do I live?', 'user', 'moved_to'],
  ['What is my phone number?', 'user', 'has_phone'],
  ['Where does Maria Silva work?', 'maria silva', 'works_at'],
  ['How old is Tom?', 'tom', 'has_age'],
  ["What is Maria's job?", 'maria', 'works_as'],
  ['Where am I from originally?', 'user', 'from'],
  ['Where does my neighbour come from?', "user's neighbour", 'from'],
  ['How old is my son?', "user's son", 'has_age'],
  ["What is our landlord's phone number?", "user's landlord", 'has_phone_number'],
  ['Who is our manager?', 'user', 'has_manager'],
  ['What does Clara do for work?', 'clara', 'works_as'],
] as const) {
  test(`${question} asks for ${relation} of ${subject}`, () => {
    const asked = askedSlot(question)
    assert.equal(asked?.subject, subject)
    assert.ok(asked.relations.has(relation), [...asked.relations].join(', '))
  })
}

for (const question of [
  'What did I buy?',
  'Tell me about Maria.',
  '',
  'Where is the owner of my sister’s employer located?',
]) {
  test(`"${question}" asks for no single attribute`, () => assert.equal(askedSlot(question), null))
}
