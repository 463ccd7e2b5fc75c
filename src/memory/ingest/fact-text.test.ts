import assert from 'node:assert/strict'
import { test } from 'node:test'
import { factText } from './fact-text.ts'

for (const [relation, object, how, text] of [
  ['lives_in', 'Lisbon', {}, 'user lives in Lisbon'],
  ['lives_in', 'Lisbon', { when: 'since 2021' }, 'user lives in Lisbon (since 2021)'],
  ['studies', 'law', { negated: true }, 'user does not study law'],
  ['works_at', 'Siemens', { ended: true }, 'user no longer works at Siemens'],
  ['allergic_to', 'nuts', {}, 'user is allergic to nuts'],
  ['allergic_to', 'nuts', { negated: true }, 'user is not allergic to nuts'],
  ['married_to', 'Ana', { ended: true }, 'user is no longer married to Ana'],
  ['is', 'a nurse', { ended: true }, 'user is no longer a nurse'],
  ['favourite_colour', 'green', {}, "user's favourite colour is green"],
  ['favourite_colour', 'green', { ended: true }, "user's favourite colour is no longer green"],
] as const) {
  test(`reads as "${text}"`, () => {
    const plain = { subject: 'user', relation, object, negated: false, ended: false, when: null }
    assert.equal(factText({ ...plain, ...how }), text)
  })
}
