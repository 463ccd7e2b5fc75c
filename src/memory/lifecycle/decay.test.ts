import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { retained, retention } from './decay.ts'

for (const [days, expected] of [
  [0, 1],
  [1, 0.9057],
  [7, 0.5],
  [14, 0.25],
  [30, 0.0513],
  [-3, 1],
] as const) {
  test(`a fact untouched for ${days} days keeps ${expected} of its confidence`, () => {
    assert.ok(Math.abs(retained(1, days, 7) - expected) < 1e-4)
  })
}

test('a fact of full confidence is not prunable after 30 days, and is after 30.3', () => {
  assert.ok(retained(1, 30, 7) >= 0.05)
  assert.ok(retained(1, 30.3, 7) < 0.05)
})

const day = 86_400

/** Accesses and consolidations at growing times, in days from the creation. */
const schedule = fc.array(
  fc.record({
    after: fc.double({ min: 0, max: 20, noNaN: true }),
    event: fc.constantFrom('access', 'consolidate'),
  }),
  { maxLength: 60 },
)

interface Run {
  readonly stored: number
  readonly lastAccess: number
  readonly now: number
}

/** What a schedule leaves, when each consolidation sets the confidence by `consolidate`. */
function play(events: readonly { after: number; event: string }[], consolidate: (run: Run) => number): Run {
  let run: Run = { stored: 1, lastAccess: 0, now: 0 }
  for (const { after, event } of events) {
    const now = run.now + after
    if (event === 'access') run = { stored: 1, lastAccess: now, now }
    else run = { ...run, now, stored: consolidate({ ...run, now }) }
  }
  return { ...run, stored: consolidate(run) }
}

const formula = ({ now, lastAccess }: Run) => Math.exp((-(now - lastAccess) * Math.LN2) / 7)
const fromBase = ({ now, lastAccess }: Run) => {
  const memory = { base: 1, createdAt: 0, lastAccessAt: lastAccess * day, accessCount: 0, pinned: false }
  return retention(memory, now * day, 7)
}
const compounding = (run: Run) => run.stored * formula(run)

test('any schedule of accesses and consolidations ends within 1e-9 of the formula', () => {
  fc.assert(
    fc.property(schedule, (events) => {
      const run = play(events, fromBase)
      assert.ok(Math.abs(run.stored - formula(run)) <= 1e-9)
    }),
    { numRuns: 10_000 },
  )
})

test('the check notices a decay that compounds', () => {
  const outcome = fc.check(
    fc.property(schedule, (events) => {
      const run = play(events, compounding)
      assert.ok(Math.abs(run.stored - formula(run)) <= 1e-9)
    }),
    { numRuns: 10_000 },
  )
  assert.equal(outcome.failed, true)
})
