import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spend } from '../support/budget.ts'

const asked = 200_000
const budget = 150_001

test(`${asked} concurrent charges from 2 processes against a budget of ${budget} overdraw it by nothing`, async () => {
  const { granted, taken } = await spend({ way: 'ledger', processes: 2, asked, budget })
  console.log(`granted ${granted}, taken ${taken}, overdraft ${Math.max(0, taken - budget)}`)
  assert.deepEqual({ granted, taken }, { granted: budget, taken: budget })
})

test('the same charges with a ledger that checks and then deducts overdraw it', async () => {
  const { granted, taken } = await spend({
    way: 'check-then-deduct',
    processes: 2,
    asked: 2_000,
    budget: 1_500,
  })
  console.log(`granted ${granted}, taken ${taken}, overdraft ${Math.max(0, taken - 1_500)}`)
  assert.ok(granted > 1_500 && taken > 1_500)
})
