import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withDirectory } from '../src/stores/embedded/engine/test-directory.ts'
import { playSchedules } from './support/decay-schedules.ts'

const small = { seed: 7, accounts: 4, factsEach: 50, steps: 12 }

test('200 schedules of access, consolidate and restart on the store stay within 1e-9 of the formula', () =>
  withDirectory(async (directory) => {
    const outcome = await playSchedules({ ...small, directory, compounding: false })
    assert.ok(outcome.restarts > 1 && outcome.runs > 4 && outcome.accesses > 100, JSON.stringify(outcome))
    assert.ok(outcome.worstStored <= 1e-9 && outcome.worstShown <= 1e-9, JSON.stringify(outcome))
  }))

test('the same schedules with a decay that compounds do not', () =>
  withDirectory(async (directory) => {
    const outcome = await playSchedules({ ...small, directory, compounding: true })
    assert.ok(outcome.worstStored > 1e-3 && outcome.worstShown > 1e-3, JSON.stringify(outcome))
  }))
