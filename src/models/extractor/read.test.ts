import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ExtractionInput } from '../../memory/ports.ts'
import { loadExtractor } from './read.ts'

const reader = loadExtractor()
const input = (text: string, more: Partial<ExtractionInput> = {}): ExtractionInput => ({
  ...{ text, source: 'user', speaker: null, now: 1_683_504_000 },
  ...more,
})

const foreign = [
  'Vivo en Madrid y trabajo en un banco.',
  "J'habite à Paris avec ma femme.",
  'Ich wohne in Berlin und arbeite bei Siemens.',
  'Abito a Roma e lavoro in una scuola.',
  'Moro em Lisboa com a minha família.',
  'Ik woon in Amsterdam met mijn gezin.',
  'Mieszkam w Warszawie i pracuję w banku.',
  '我住在北京。',
  'Я живу в Москве.',
  'أعيش في القاهرة.',
]
for (const text of foreign) {
  test(`reads nothing from another language: ${text}`, () => {
    const { facts, entities } = reader.extract(input(text))
    assert.deepEqual([facts, entities], [[], []])
  })
}

test('takes a Name: prefix as the first person', () => {
  const { facts } = reader.extract(input('Caroline: I went to a support group yesterday.'))
  assert.deepEqual(
    facts.map(({ subject, relation, object, when }) => [subject, relation, object, when]),
    [['Caroline', 'went_to', 'support group', 'yesterday (2023-05-07)']],
  )
})

for (const [text, facts] of [
  ['Alice works at Siemens and lives in Porto.', ['works_at Siemens', 'lives_in Porto']],
  ['Ines works at Lego and lives in Bern.', ['works_at Lego', 'lives_in Bern']],
  ['Tom studies at MIT and works in Boston.', ['studies_at MIT', 'works_in Boston']],
  [
    'Ken works at Nokia, lives in Oslo and studies at MIT.',
    ['works_at Nokia', 'lives_in Oslo', 'studies_at MIT'],
  ],
] as const) {
  test(`takes a verb that could be a plural for a verb: ${text}`, () => {
    const read = reader.extract(input(text)).facts.map(({ relation, object }) => `${relation} ${object}`)
    assert.deepEqual(read.toSorted(), facts.toSorted())
  })
}

test('takes a label before a colon for no speaker', () => {
  const { facts } = reader.extract(input('Note: I live in Rome.'))
  assert.equal(facts.find(({ relation }) => relation === 'lives_in')?.subject, 'user')
})

test('stores nothing that an assistant says of itself', () =>
  assert.deepEqual(
    reader.extract(input('I love helping people in Rome.', { source: 'assistant' })).facts,
    [],
  ))

test('knows one person under two names', () => {
  const { entities } = reader.extract(input('My sister Maria lives in Porto.'))
  const maria = entities.find(({ name }) => name === 'Maria')
  assert.deepEqual(maria, { name: 'Maria', type: 'person', aliases: ["user's sister"] })
  assert.equal(entities.find(({ name }) => name === 'Porto')?.type, 'place')
})

test('gives every subject and object of a fact as an entity', () => {
  const { facts, entities } = reader.extract(
    input('I moved from Lisbon to Berlin and I work for Siemens AG.'),
  )
  const names = new Set(entities.map(({ name }) => name))
  for (const { subject, object } of facts)
    assert.ok(names.has(subject) && names.has(object), `${subject} ${object}`)
})

test('points at the sentence a fact was read from', () => {
  const text = 'Hello there. I live in Rome. Bye!'
  const fact = reader.extract(input(text)).facts.find(({ relation }) => relation === 'lives_in')
  assert.equal(text.slice(fact?.start, fact?.end), 'I live in Rome.')
})

test('reads a correction in the same text as a later value', () => {
  const { facts } = reader.extract(input("My name is Jon. Actually, it's John."))
  assert.deepEqual(
    facts.map(({ relation, object }) => [relation, object]),
    [
      ['has_name', 'Jon'],
      ['has_name', 'John'],
    ],
  )
})

const words = fc.constantFrom(
  'I',
  'my',
  'sister',
  'Maria',
  'lives',
  'in',
  'Rome',
  'and',
  ',',
  '.',
  '"',
  '(',
  'who',
  'not',
  'is',
  'named',
  '\n',
  ':',
  'May',
  '5',
  "'s",
  '😀',
)
const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.array(words, { maxLength: 60 }).map((list) => list.join(' ')),
)

test('whatever the text: no exception, at most 64 facts, names and offsets from the text', () =>
  fc.assert(
    fc.property(texts, fc.constantFrom('user', 'assistant', 'document'), (text, source) => {
      const { facts } = reader.extract(input(text, { source }))
      assert.ok(facts.length <= 64)
      for (const fact of facts) {
        assert.match(fact.relation, /^[\p{Ll}\p{Lo}\p{N}][\p{L}\p{M}\p{N}_]*$/u)
        assert.ok(fact.confidence >= 0 && fact.confidence <= 1)
        assert.ok(fact.start >= 0 && fact.end <= text.length && fact.start < fact.end)
      }
    }),
    { numRuns: 150 },
  ))

test('the same text gives the same facts', () =>
  fc.assert(
    fc.property(texts, (text) => assert.deepEqual(reader.extract(input(text)), reader.extract(input(text)))),
    { numRuns: 40 },
  ))
