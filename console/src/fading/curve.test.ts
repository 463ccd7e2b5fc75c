import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retained } from '../../../src/memory/lifecycle/decay.ts'
import { daysLeft, inDays, lifeSpent, retainedAfter } from './curve.ts'

const rules = { halfLifeDays: 7, threshold: 0.05 }

test('a curve is what the server computes', () => {
  for (const days of [0, 1, 7, 30, 365])
    assert.ok(Math.abs(retainedAfter(0.8, days, rules) - retained(0.8, days, 7)) < 1e-12)
})

test('the days that are left end where the server deletes', () => {
  const left = daysLeft(0.8, rules)
  assert.ok(left !== null && Math.abs(retained(0.8, left, 7) - 0.05) < 1e-12)
  assert.equal(daysLeft(0.01, rules), 0)
  assert.equal(daysLeft(1, { ...rules, threshold: 0 }), null)
  assert.deepEqual([0.4, 1, 12.4].map(inDays), ['today', 'in 1 day', 'in 12 days'])
})

test('half of a life is spent after half of its days', () => {
  const whole = daysLeft(1, rules) ?? 0
  assert.ok(Math.abs(lifeSpent(1, retained(1, whole / 2, 7), rules) - 0.5) < 1e-12)
  assert.deepEqual([lifeSpent(1, 1, rules), lifeSpent(1, 0.01, rules)], [0, 1])
})
