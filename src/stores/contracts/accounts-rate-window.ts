import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RateWindow } from '../../accounts/ports.ts'
import { type OpenAccountStores, withAccountStores } from './accounts-setting.ts'

const start = 1_790_000_000.125
const admitted = { admitted: true } as const
const refused = (retryAfterSeconds: number) => ({ admitted: false, retryAfterSeconds }) as const

/** A window asked for nothing but its verdict; RW8 is about the rest of its answer. */
interface Admission {
  admit(...call: Parameters<RateWindow['admit']>): Promise<typeof admitted | ReturnType<typeof refused>>
}

function verdictsOf(rates: RateWindow): Admission {
  return {
    admit: async (...call) => {
      const verdict = await rates.admit(...call)
      return verdict.admitted ? admitted : verdict
    },
  }
}

/** Rules RW1 to RW8 of docs/ports/accounts.md. */
export function rateWindowContract(backend: string, open: OpenAccountStores): void {
  const check: Check = (title, run) =>
    test(title, () => withAccountStores(open, ({ rates }) => run(verdictsOf(rates), rates)))

  describe(`rate window: ${backend}`, () => {
    countingRules(check)
    changeRules(check)
    remainderRules(check)
  })
}

type Check = (title: string, run: (rates: Admission, window: RateWindow) => Promise<void>) => void

function countingRules(check: Check): void {
  check('[RW1] holds the limit in every window and refuses nothing below it', async (rates) => {
    for (const limit of [1, 2, 3, 7]) {
      const taken: number[] = []
      let now = start
      for (const gap of unevenGaps(limit, 300)) {
        now += gap
        const inWindow = taken.filter((time) => time + 60 > now).length
        const verdict = await rates.admit(`family-${limit}`, limit, now)
        assert.equal(verdict.admitted, inWindow < limit)
        if (verdict.admitted) taken.push(now)
      }
    }
  })

  check('[RW2] does not count refused calls', async (rates) => {
    for (const second of [0, 1]) assert.deepEqual(await rates.admit('a', 2, start + second), admitted)
    for (let second = 2; second < 60; second++) {
      assert.deepEqual(await rates.admit('a', 2, start + second), refused(60 - second))
    }
    assert.deepEqual(await rates.admit('a', 2, start + 60), admitted)
  })

  check('[RW3] tells the exact wait in whole seconds', async (rates) => {
    assert.deepEqual(await rates.admit('a', 1, start), admitted)
    assert.deepEqual(await rates.admit('a', 1, start + 0.5), refused(60))
    assert.deepEqual(await rates.admit('a', 1, start + 10.25), refused(50))
    assert.deepEqual(await rates.admit('a', 1, start + 59.25), refused(1))
    assert.deepEqual(await rates.admit('a', 1, start + 59.9999), refused(1))
    assert.deepEqual(await rates.admit('a', 1, start + 10.25 + 50), admitted)
  })

  check('[RW4] keeps families apart', async (rates) => {
    assert.deepEqual(await rates.admit('a', 1, start), admitted)
    assert.deepEqual(await rates.admit('b', 1, start), admitted)
    assert.deepEqual(await rates.admit('a', 1, start + 1), refused(59))
  })
}

function changeRules(check: Check): void {
  check('[RW5] follows the limit of each call', async (rates) => {
    for (let second = 0; second < 20; second++) {
      assert.deepEqual(await rates.admit('a', 20, start + second), admitted)
    }
    // Seconds 0 to 19 are in the window: below a limit of 5 there is room when second 15 has left it.
    assert.deepEqual(await rates.admit('a', 5, start + 20), refused(55))
    assert.deepEqual(await rates.admit('a', 5, start + 74), refused(1))
    assert.deepEqual(await rates.admit('a', 5, start + 75), admitted)
    assert.deepEqual(await rates.admit('a', 6, start + 75), admitted)
  })

  check('[RW6] locks nobody out for longer than a window when the clock is set back', async (rates) => {
    assert.deepEqual(await rates.admit('a', 2, start), admitted)
    assert.deepEqual(await rates.admit('a', 2, start + 10), admitted)
    const earlier = start - 3_600
    const verdict = await rates.admit('a', 2, earlier)
    assert.equal(verdict.admitted, false)
    assert.ok(!verdict.admitted && verdict.retryAfterSeconds <= 60)
    assert.deepEqual(await rates.admit('a', 2, earlier + 60), admitted)
  })

  check(
    '[RW7] holds the limit when calls are decided in another order than they were made',
    async (rates) => {
      assert.deepEqual(await rates.admit('a', 2, start + 3), admitted)
      assert.deepEqual(await rates.admit('a', 2, start), admitted)
      assert.deepEqual(await rates.admit('a', 2, start + 1), refused(62))
      assert.deepEqual(await rates.admit('a', 2, start + 61), refused(2))
      assert.deepEqual(await rates.admit('a', 2, start + 63), admitted)
    },
  )
}

function remainderRules(check: Check): void {
  check('[RW8] tells how many calls are left, and when there will be more', async (_, rates) => {
    const left = (remaining: number, resetSeconds: number) => ({ admitted: true, remaining, resetSeconds })
    assert.deepEqual(await rates.admit('a', 3, start), left(2, 60))
    assert.deepEqual(await rates.admit('a', 3, start + 10.5), left(1, 50))
    assert.deepEqual(await rates.admit('a', 3, start + 20), left(0, 40))
    assert.deepEqual(await rates.admit('a', 3, start + 20), refused(40))
    assert.deepEqual(await rates.admit('b', 1, start + 20), left(0, 60))
    // The first has left the window at second 60, the second leaves it at 70.5.
    assert.deepEqual(await rates.admit('a', 3, start + 60), left(0, 11))
    assert.deepEqual(await rates.admit('a', 5, start + 60), left(1, 11))
  })
}

/** Seconds between arrivals, from bursts to pauses, the same in every run. */
function unevenGaps(seed: number, count: number): number[] {
  let state = seed
  return Array.from({ length: count }, () => {
    state = (state * 48_271) % 2_147_483_647
    return 25 * (state / 2_147_483_647) ** 3
  })
}
