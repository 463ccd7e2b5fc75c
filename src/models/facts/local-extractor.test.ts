import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ExtractionInput } from '../../memory/ports.ts'
import { createLocalExtractor } from './local-extractor.ts'

const input = (text: string): ExtractionInput => ({ text, source: 'user', speaker: null, now: 1_700_000_000 })

test('answers in the order of the texts', async () => {
  const extractor = await createLocalExtractor()
  const found = await extractor.extract([input('I live in Rome.'), input('Hello!'), input('I live in Oslo.')])
  assert.deepEqual(
    found.map(({ facts }) => facts.map(({ object }) => object)),
    [['Rome'], [], ['Oslo']],
  )
  await extractor.close()
})

test('who asks for one text does not wait for all texts of another', async () => {
  const extractor = await createLocalExtractor()
  const ended: string[] = []
  const many = extractor.extract(Array.from({ length: 12 }, () => input('I live in Rome.')))
  await Promise.all([
    many.then(() => ended.push('many')),
    extractor.extract([input('I live in Oslo.')]).then(() => ended.push('one')),
  ])
  assert.deepEqual(ended, ['one', 'many'])
  await extractor.close()
})

test('closing in the middle of a text ends the thread, not the process', async () => {
  const extractor = await createLocalExtractor()
  const sentence = 'My sister Maria lives in Porto and works as a teacher at a school near the river. '
  const reading = extractor.extract([input(sentence.repeat(100))])
  await new Promise((resolve) => setTimeout(resolve, 60))
  await Promise.all([assert.rejects(reading, { code: 'shutting_down' }), extractor.close()])
})

test('after close it rejects', async () => {
  const extractor = await createLocalExtractor()
  const waiting = extractor.extract([input('I live in Rome.')])
  await Promise.all([assert.rejects(waiting, { code: 'shutting_down' }), extractor.close()])
  await assert.rejects(extractor.extract([input('I live in Rome.')]), { code: 'shutting_down' })
})

test('an aborted text is rejected with the reason, and does not hold up the next', async () => {
  const extractor = await createLocalExtractor()
  const reason = new Error('hung up')
  await assert.rejects(extractor.extract([input('I live in Rome.')], AbortSignal.abort(reason)), reason)
  const controller = new AbortController()
  const several = extractor.extract(
    ['Rome', 'Oslo', 'Bonn'].map((city) => input(`I live in ${city}.`)),
    controller.signal,
  )
  controller.abort(reason)
  await assert.rejects(several, reason)
  const [found] = await extractor.extract([input('I live in Rome.')])
  assert.equal(found?.facts.length, 1)
  await extractor.close()
})
