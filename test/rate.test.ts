import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RateWindow } from '../src/accounts/ports.ts'
import { tiers } from '../src/accounts/tiers.ts'
import { createMemoryRateWindow } from '../src/stores/embedded/rate-window.ts'

const arrivals = 1_000_000
const windowSeconds = 60

/** Times are multiples of this, so that sums and differences are exact. */
const tick = 1 / 1024

type Random = () => number

/** Small and repeatable: the seed is printed with every failure. */
function seeded(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** How demand can come: the mean gap between two arrivals, in shares of the gap that just uses up the limit. */
const patterns: readonly ((random: Random) => number)[] = [
  () => 1,
  () => 0.25,
  (random) => -Math.log(1 - random()) * 0.8,
  (random) => (random() < 0.98 ? 0 : 60 * random()),
  (random) => (random() < 0.5 ? 0.01 : 3 * random()),
  (random) => (random() < 0.999 ? 0.3 : 5_000 * random()),
]

interface Refusal {
  readonly time: number
  readonly retryAfterSeconds: number
}

interface Family {
  readonly name: string
  readonly limit: number
  readonly admitted: number[]
  readonly refused: Refusal[]
}

async function simulate(rates: RateWindow, seed: number, count: number): Promise<Family[]> {
  const random = seeded(seed)
  const limits = Object.values(tiers).flatMap(({ requestsPerMinute }) => requestsPerMinute ?? [])
  const runs = limits.flatMap((limit) => patterns.map((pattern) => ({ limit, pattern })))
  const families: Family[] = []
  for (const [index, { limit, pattern }] of runs.entries()) {
    const family = { name: `family-${index}`, limit, admitted: [], refused: [] } satisfies Family
    families.push(
      await arrive(rates, family, () => pattern(random) * (windowSeconds / limit), count / runs.length),
    )
  }
  return families
}

async function arrive(rates: RateWindow, family: Family, gap: () => number, count: number): Promise<Family> {
  let time = 1_790_000_000
  for (let arrival = 0; arrival < count; arrival++) {
    time += Math.round(gap() / tick) * tick
    const verdict = await rates.admit(family.name, family.limit, time)
    if (verdict.admitted) family.admitted.push(time)
    else family.refused.push({ time, retryAfterSeconds: verdict.retryAfterSeconds })
  }
  return family
}

/** Windows that hold too much: between an admission and the limit-th after it lies less than a window. */
function overfull({ admitted, limit }: Family): number {
  return admitted.filter((time, index) => (admitted[index + limit] ?? Infinity) < time + windowSeconds).length
}

/** Refusals while there was room, or with a wait that is not the exact one. */
function wrongRefusals({ admitted, refused, limit }: Family): number {
  let before = 0
  return refused.filter(({ time, retryAfterSeconds }) => {
    while ((admitted[before] ?? Infinity) <= time) before++
    const blocking = admitted[before - limit] ?? -Infinity
    const wait = blocking + windowSeconds - time
    return !(wait > 0) || retryAfterSeconds !== Math.max(1, Math.ceil(wait))
  }).length
}

test(`over ${arrivals} arrivals no 60 s hold more than the limit, and nothing is refused while there is room`, async () => {
  const seed = Date.now() >>> 0
  const families = await simulate(createMemoryRateWindow(), seed, arrivals)
  const total = families.reduce((sum, { admitted, refused }) => sum + admitted.length + refused.length, 0)
  assert.ok(total > 0.99 * arrivals, `${total} arrivals`)
  assert.ok(families.some(({ refused }) => refused.length > 1_000))
  for (const family of families) {
    assert.equal(overfull(family), 0, `${family.name}, seed ${seed}`)
    assert.equal(wrongRefusals(family), 0, `${family.name}, seed ${seed}`)
  }
})

/** The usual approximation: a counter that starts anew every minute. */
function createFixedWindow(): RateWindow {
  const counts = new Map<string, number>()
  return {
    admit: async (family, limit, now) => {
      const minute = Math.floor(now / windowSeconds)
      const count = counts.get(`${family} ${minute}`) ?? 0
      if (count >= limit) return { admitted: false, retryAfterSeconds: windowSeconds }
      counts.set(`${family} ${minute}`, count + 1)
      return { admitted: true, remaining: limit - count - 1, resetSeconds: windowSeconds }
    },
  }
}

/** The usual mistake: refused calls push the window on. */
function createCountingRefused(): RateWindow {
  const exact = createMemoryRateWindow()
  const blockedUntil = new Map<string, number>()
  return {
    admit: async (family, limit, now) => {
      const blocked = (blockedUntil.get(family) ?? 0) > now
      const verdict = blocked
        ? { admitted: false as const, retryAfterSeconds: 1 }
        : await exact.admit(family, limit, now)
      if (!verdict.admitted) blockedUntil.set(family, now + 1)
      return verdict
    },
  }
}

test('the same check catches a window that starts anew every minute', async () => {
  const families = await simulate(createFixedWindow(), 1, 50_000)
  assert.ok(families.some((family) => overfull(family) > 0))
})

test('the same check catches a window that counts refused calls', async () => {
  const families = await simulate(createCountingRefused(), 1, 50_000)
  assert.ok(families.some((family) => wrongRefusals(family) > 0))
})
