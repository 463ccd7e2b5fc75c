import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Source } from './model.ts'
import { type IncomingFact, type SlotFact, settle, slotOf, trust } from './slots.ts'

const fact = (
  id: string,
  relation: string,
  objectKey: string,
  more: Partial<IncomingFact> = {},
): IncomingFact => ({
  ...{ id, relation, objectKey, negated: false, ended: false, source: 'user' },
  ...more,
})

const sameSlot: readonly (readonly [string, string, string, string])[] = [
  ['lives_in', 'rome', 'lives_in', 'paris'],
  ['has_wife', 'ana', 'married_to', 'bea'],
  ['has_birthday', 'may 3', 'born_on', 'june 4'],
  ['favourite_colour', 'green', 'favourite_colour', 'blue'],
  ['likes', 'olives', 'hates', 'olives'],
  ['loves_playing', 'tennis', 'hates_playing', 'tennis'],
  ['is', 'single', 'married_to', 'ana'],
  ['has_girlfriend', 'mia', 'dates', 'mia'],
  ['has_password_for_bank', 'a1', 'has_password_for_bank', 'b2'],
  ['is_on', 'tuesday', 'moved_to', 'thursday'],
  ['is_at', '9:15', 'rescheduled_to', '10:00'],
  ['is_due_on', 'may 15', 'pushed_back_to', 'june 30'],
  ['ring_size', 'm', 'ring_size', 'n'],
  ['has_door_code', '4411', 'has_door_code', '9023'],
  ['is', '180 cm tall', 'is', '178 cm tall'],
  ['has_dentist', 'ana', 'has_dentist', 'ben'],
]
for (const [relation, object, other, otherObject] of sameSlot) {
  test(`${relation} ${object} and ${other} ${otherObject} compete`, () =>
    assert.equal(slotOf(relation, object), slotOf(other, otherObject)))
}

const apart: readonly (readonly [string, string, string, string])[] = [
  ['speaks', 'french', 'speaks', 'german'],
  ['has_sister', 'ana', 'has_sister', 'bea'],
  ['likes', 'jazz', 'hates', 'olives'],
  ['favourite_authors', 'borges', 'favourite_authors', 'murakami'],
  ['has_wife', "user's wife", 'has_wife', 'ana'],
  ['loves_playing', 'tennis', 'loves_watching', 'tennis'],
  ['is', 'vegan', 'is', 'single'],
  ['visited', 'rome', 'visited', 'rome twice'],
  ['has_password_for_bank', 'a1', 'has_password_for_router', 'b2'],
  ['favourite_park_in_rome', 'villa ada', 'favourite_park_in_bern', 'rosengarten'],
  ['is_on', 'tuesday', 'is_at', '9:15'],
  ['is_on', 'mondays', 'is_on', 'fridays'],
  ['moved_to', 'rome', 'moved_to', 'oslo'],
  ['work_email', 'a@b.co', 'private_email', 'c@d.co'],
  ['has_teacher', 'ana', 'has_teacher', 'ben'],
  ['lives_in', 'bonn', 'lives_in', 'small apartment'],
  ['is', '40 euros', 'is', '60 euros'],
]
for (const [relation, object, other, otherObject] of apart) {
  test(`${relation} ${object} and ${other} ${otherObject} stand side by side`, () =>
    assert.notEqual(slotOf(relation, object), slotOf(other, otherObject)))
}

test('a new value closes the old one of the slot', () =>
  assert.deepEqual(settle([fact('old', 'lives_in', 'rome')], fact('new', 'lives_in', 'paris')), {
    kind: 'store',
    closes: ['old'],
  }))

test('saying it again confirms it', () =>
  assert.deepEqual(settle([fact('old', 'lives_in', 'rome')], fact('new', 'lives_in', 'rome')), {
    kind: 'confirm',
    id: 'old',
  }))

test('an end closes the value that it names and no other', () => {
  const current = [fact('a', 'lives_in', 'rome')]
  assert.deepEqual(settle(current, fact('b', 'lives_in', 'rome', { ended: true })), {
    kind: 'history',
    closes: ['a'],
    closedBy: null,
  })
  assert.deepEqual(settle(current, fact('b', 'lives_in', 'oslo', { ended: true })), {
    kind: 'history',
    closes: [],
    closedBy: null,
  })
})

test('a denial closes what it denies', () =>
  assert.deepEqual(
    settle([fact('a', 'works_at', 'bosch')], fact('b', 'works_at', 'bosch', { negated: true })),
    {
      kind: 'store',
      closes: ['a'],
    },
  ))

test('a denial of another value closes nothing', () =>
  assert.deepEqual(
    settle([fact('a', 'works_at', 'bosch')], fact('b', 'works_at', 'bmw', { negated: true })),
    {
      kind: 'store',
      closes: [],
    },
  ))

test('liking and loving the same thing agree', () =>
  assert.deepEqual(settle([fact('a', 'likes', 'jazz')], fact('b', 'loves', 'jazz')), {
    kind: 'store',
    closes: [],
  }))

test('not liking agrees with hating and contradicts liking', () => {
  assert.deepEqual(settle([fact('a', 'hates', 'jazz')], fact('b', 'likes', 'jazz', { negated: true })), {
    kind: 'store',
    closes: [],
  })
  assert.deepEqual(settle([fact('a', 'likes', 'jazz')], fact('b', 'hates', 'jazz')), {
    kind: 'store',
    closes: ['a'],
  })
})

const sources = fc.constantFrom<Source>('user', 'document', 'assistant')
const values = fc.constantFrom('rome', 'paris', 'oslo')
const current = fc.record({
  id: fc.constant('a'),
  relation: fc.constant('lives_in'),
  objectKey: values,
  negated: fc.boolean(),
  source: sources,
})
const incoming = fc.record({
  id: fc.constant('b'),
  relation: fc.constant('lives_in'),
  objectKey: values,
  negated: fc.boolean(),
  ended: fc.boolean(),
  source: sources,
})

test('a less trusted source never closes a more trusted fact', () =>
  fc.assert(
    fc.property(current, incoming, (old: SlotFact, next: IncomingFact) => {
      const settlement = settle([old], next)
      const closes = settlement.kind === 'confirm' ? [] : settlement.closes
      assert.ok(closes.length === 0 || trust[next.source] >= trust[old.source])
    }),
  ))
