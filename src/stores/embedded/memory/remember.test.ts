import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSmallMemory } from '../../../../test/support/small-memory.ts'

test('a text that corrects itself is a repetition when it is told again, so that a retry stores nothing twice', async () => {
  const { ingest, find } = openSmallMemory()
  const text = 'I live in Rome. I live in Oslo.'
  assert.equal((await ingest(text)).deduplicated, false)
  assert.equal((await ingest(text)).deduplicated, true)
  assert.ok((await find('Where do I live?')).every((fact) => !/lives in Rome/i.test(fact)))
})

test('a text whose facts another text replaced is news when it is told again', async () => {
  const { ingest } = openSmallMemory()
  await ingest('I live in Rome.')
  await ingest('I live in Oslo.')
  assert.equal((await ingest('I live in Rome.')).deduplicated, false)
})
