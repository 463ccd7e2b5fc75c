import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { mutants, mutated } from './tenancy/mutants.ts'

const root = path.resolve(import.meta.dirname, '..')

test('every filter that the tenancy suite takes out is still in the source, exactly once', () => {
  for (const mutant of mutants) {
    assert.doesNotThrow(() => mutated(readFileSync(path.join(root, mutant.file), 'utf8'), mutant))
  }
})
