import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withDirectory } from '../../src/stores/embedded/engine/test-directory.ts'
import { announceSeed } from '../faults/support/random.ts'
import { playSchedules } from '../support/decay-schedules.ts'

const many = { seed: announceSeed('decay'), accounts: 50, factsEach: 200, steps: 40 }

test('10,000 schedules of access, consolidate and restart on the store stay within 1e-9 of the formula', () =>
  withDirectory(async (directory) => {
    const outcome = await playSchedules({ ...many, directory, compounding: false })
    console.log(outcome)
    assert.equal(outcome.schedules, 10_000)
    assert.ok(outcome.worstStored <= 1e-9 && outcome.worstShown <= 1e-9)
  }))

test('the same schedules with a decay that compounds do not', () =>
  withDirectory(async (directory) => {
    const outcome = await playSchedules({ ...many, directory, compounding: true })
    console.log(outcome)
    assert.ok(outcome.worstStored > 1e-3 && outcome.worstShown > 1e-3)
  }))
