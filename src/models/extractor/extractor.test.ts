import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ExtractionInput } from '../../memory/ports.ts'
import { createStatisticalExtractor } from './extractor.ts'

const input = (text: string): ExtractionInput => ({ text, source: 'user', speaker: null, now: 1_700_000_000 })

test('answers in the order of the texts', async () => {
  const extractor = await createStatisticalExtractor()
  const found = await extractor.extract([input('I live in Rome.'), input('Hello!'), input('I live in Oslo.')])
  assert.deepEqual(
    found.map(({ facts }) => facts.map(({ object }) => object)),
    [['Rome'], [], ['Oslo']],
  )
  await extractor.close()
})

test('a text past its deadline gives empty lists and a notice, and the next one is read by a fresh thread', async () => {
  const failures: string[] = []
  const extractor = await createStatisticalExtractor({
    deadlineMs: 1,
    onFailure: ({ message }) => failures.push(message),
  })
  const long = input(
    'My sister Maria lives in Porto and works as a teacher at a school near the river. '.repeat(300),
  )
  const [late] = await extractor.extract([long])
  assert.deepEqual([late?.facts, late?.entities], [[], []])
  assert.notEqual(late?.notice, null)
  assert.match(failures[0] ?? '', /longer than 1 ms/)
  await extractor.close()
})

test('after close it gives empty lists', async () => {
  const extractor = await createStatisticalExtractor()
  await extractor.close()
  const [found] = await extractor.extract([input('I live in Rome.')])
  assert.deepEqual(found?.facts, [])
})

test('an aborted text is not read', async () => {
  const extractor = await createStatisticalExtractor()
  const [found] = await extractor.extract([input('I live in Rome.')], AbortSignal.abort())
  assert.deepEqual(found?.facts, [])
  await extractor.close()
})
