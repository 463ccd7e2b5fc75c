import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ExtractionInput } from '../ports.ts'
import { joined, portionsOf } from './portions.ts'

const input = (text: string): ExtractionInput => ({ text, source: 'user', speaker: null, now: 0 })

test('the parts of a text are the text, none of them too long', () =>
  fc.assert(
    fc.property(
      fc.string({ maxLength: 200, unit: 'grapheme' }),
      fc.integer({ min: 1, max: 200 }),
      (piece, times) => {
        const text = `${piece} `.repeat(times)
        const portions = portionsOf(input(text))
        assert.equal(portions.map((portion) => portion.input.text).join(''), text)
        assert.ok(portions.every((portion) => portion.input.text.length <= 4_000))
        assert.deepEqual(
          portions.map(({ start }) => text.slice(start, start + 5)),
          portions.map((portion) => portion.input.text.slice(0, 5)),
        )
      },
    ),
  ))

test('parts end with a sentence, and the speaker of the first line speaks in all of them', () => {
  const portions = portionsOf(input(`Anna: ${'I live in Rome. '.repeat(600)}`))
  assert.ok(portions.length > 2)
  assert.ok(portions.slice(0, -1).every((portion) => portion.input.text.endsWith('.')))
  assert.deepEqual([...new Set(portions.slice(1).map((portion) => portion.input.speaker))], ['Anna'])
})

test('offsets count from the start of the whole text, and an entity comes once', () => {
  const fact = { subject: 'user', relation: 'lives_in', object: 'Rome', confidence: 1, when: null }
  const flags = { negated: false, ended: false, hypothetical: false, start: 3, end: 9 }
  const rome = { name: 'Rome', type: 'place' as const, aliases: ['the city'] }
  const part = { facts: [{ ...fact, ...flags }], entities: [rome], notice: null }
  const portions = [0, 100].map((start) => ({ input: input(''), start }))
  const whole = joined(portions, [part, { ...part, entities: [{ ...rome, aliases: ['Roma'] }] }])
  assert.deepEqual(
    whole.facts.map(({ start, end }) => [start, end]),
    [
      [3, 9],
      [103, 109],
    ],
  )
  assert.deepEqual(whole.entities, [{ ...rome, aliases: ['the city', 'Roma'] }])
})
