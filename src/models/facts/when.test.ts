import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { datedTime } from './when.ts'

const day = 86_400
/** A Wednesday, 9:00. */
const now = Date.UTC(2026, 10, 18, 9) / 1000
const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

function daysFrom(said: string, options: { now: number; future: boolean }): number {
  const [date = ''] = /\d{4}-\d{2}-\d{2}/.exec(datedTime(said, options)) ?? []
  return Date.parse(date) / 1000 / day - Math.floor(options.now / day)
}

test('a bare weekday is the coming one of a plan, else the one that was', () =>
  fc.assert(
    fc.property(
      fc.constantFrom(...weekdays),
      fc.integer({ min: 0, max: 400 }),
      fc.boolean(),
      (name, days, future) => {
        const apart = daysFrom(`on ${name}`, { now: now + days * day, future })
        assert.ok(future ? apart >= 0 && apart < 7 : apart <= 0 && apart > -7, `${apart}`)
      },
    ),
  ))

test('a time that says which one it means is that one', () => {
  for (const future of [false, true]) {
    assert.equal(datedTime('last Friday', { now, future }), 'last Friday (2026-11-13)')
    assert.equal(datedTime('next Friday', { now, future }), 'next Friday (2026-11-27)')
    assert.equal(datedTime('yesterday', { now, future }), 'yesterday (2026-11-17)')
    assert.equal(datedTime('last month', { now, future }), 'last month (2026-10)')
  }
})

test('a rhythm and a whole date stay as they are said', () => {
  for (const said of ['every Friday', '4 May 2027'])
    assert.equal(datedTime(said, { now, future: false }), said)
})
