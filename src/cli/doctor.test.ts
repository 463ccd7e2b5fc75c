import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engineFinding } from './doctor.ts'

test('an engine that is getting ready is no problem; one that cannot be used is', () => {
  const levels = ['connected', 'error: starting', 'error: rebuilding, 40 %', 'error: unreachable'].map(
    (state) => engineFinding('qdrant', state).level,
  )
  assert.deepEqual(levels, ['ok', 'warning', 'warning', 'problem'])
})
