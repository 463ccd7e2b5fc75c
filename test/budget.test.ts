import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spend } from './support/budget.ts'

const asked = 200
const budget = 137

for (const processes of [1, 2]) {
  const from = processes === 1 ? 'one process' : `${processes} processes`

  test(`${asked} parallel reservations against a budget of ${budget}, from ${from}: exactly ${budget}`, async () => {
    assert.deepEqual(await spend({ way: 'ledger', processes, asked, budget }), {
      granted: budget,
      taken: budget,
    })
  })

  test(`a ledger that checks and then deducts overdraws in the same test, from ${from}`, async () => {
    const { granted, taken } = await spend({ way: 'check-then-deduct', processes, asked, budget })
    assert.ok(granted > budget && taken > budget, `granted ${granted}, taken ${taken}`)
  })
}
