import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { ExtractionInput } from '../../memory/ports.ts'
import { openWholeFactsModel } from '../reader/facts-model.ts'
import { extractFacts } from './extract.ts'

const model = await openWholeFactsModel()
const input = (text: string, more: Partial<ExtractionInput> = {}): ExtractionInput => ({
  ...{ text, source: 'user', speaker: null, now: 1_683_504_000 },
  ...more,
})
const read = (text: string, more?: Partial<ExtractionInput>) => extractFacts(model, input(text, more))

async function told(text: string, more?: Partial<ExtractionInput>): Promise<readonly string[]> {
  const { facts } = await read(text, more)
  return facts.map(({ subject, relation, object, negated, ended }) =>
    [subject, negated ? 'not' : ended ? 'ended' : '', relation, object].filter(Boolean).join(' '),
  )
}

describe('who speaks', () => {
  test('is the user, or the speaker by name', async () => {
    assert.deepEqual(await told('I live in Rome.'), ['user lives_in Rome'])
    assert.deepEqual(await told('I live in Rome.', { speaker: 'Ana' }), ['Ana lives_in Rome'])
    assert.deepEqual(await told('Ana: I live in Rome.'), ['Ana lives_in Rome'])
  })

  test('changes with the line', async () =>
    assert.deepEqual(await told('Ana: I live in Rome.\nPaulo: I live in Porto.'), [
      'Ana lives_in Rome',
      'Paulo lives_in Porto',
    ]))

  test('is the user where an assistant says you', async () =>
    assert.deepEqual(await told('You live in Rome.', { source: 'assistant' }), ['user lives_in Rome']))

  test('is not the assistant, whatever it says of itself', async () => {
    for (const text of [
      'I am Claude, an AI assistant made by Anthropic.',
      'I work at Anthropic.',
      'My favourite language is Python.',
      'I cannot open the file.',
    ])
      assert.deepEqual((await read(text, { source: 'assistant' })).facts, [], text)
    assert.deepEqual(await told('Your name is Bob.'), [])
  })

  test('owns what is called mine', async () => {
    const { entities } = await read('My sister lives in Porto.')
    assert.ok(entities.some(({ name }) => name === "user's sister"))
  })
})

describe('a fact', () => {
  test('says that it does not hold, or no longer', async () => {
    assert.deepEqual(await told("I don't eat meat."), ['user not eats meat'])
    assert.deepEqual(await told('I no longer work at Siemens.'), ['user ended works_at Siemens'])
  })

  test('does not end with what another clause ends', async () => {
    const { facts } = await read('I have a dog called Bello and I stopped smoking.')
    const dog = facts.find(({ object }) => object === 'Bello')
    assert.deepEqual([dog?.relation, dog?.ended, dog?.negated], ['has_dog', false, false])
    assert.equal(facts.find(({ object }) => object === 'smoking')?.ended, true)
  })

  test('of an attribute is named by the words of the text', async () =>
    assert.deepEqual(await told("Ravi's glove size is 9."), ['Ravi has_glove_size 9']))

  test('keeps a code whole, up to another value in it', async () => {
    const [host, port] = ['cache-03.tallinn.internal', '6381']
    const { facts } = await read(`prod reads from ${host}:${port} now`)
    const objects = facts.map(({ object }) => object)
    assert.ok(objects.length > 0)
    for (const object of objects) assert.ok([`${host}:${port}`, host, port].includes(object), object)
    assert.deepEqual(await told('My order number is QX-77-2201B.'), ['user has_order_number QX-77-2201B'])
    assert.deepEqual(await told('My email is a@harbour.example.'), ['user has_email a@harbour.example'])
  })

  test('points at the sentence that it was read from', async () => {
    const text = 'Hello there. I live in Rome. Bye!'
    const [fact] = (await read(text)).facts
    assert.equal(text.slice(fact?.start, fact?.end), 'I live in Rome.')
  })

  test('has a chance between 0 and 1, and its subject and object among the entities', async () => {
    const { facts, entities } = await read(
      'My sister Maria moved from Lisbon to Berlin and works for Siemens.',
    )
    assert.ok(facts.length >= 3)
    const names = new Set(entities.map(({ name }) => name))
    for (const { subject, object, confidence } of facts) {
      assert.ok(confidence > 0 && confidence <= 1)
      assert.ok(names.has(subject) && names.has(object), `${subject} ${object}`)
    }
  })
})

test('a named person goes by a role as well', async () => {
  const { entities } = await read('My sister Maria lives in Porto.')
  const maria = entities.find(({ name }) => name === 'Maria')
  assert.equal(maria?.type, 'person')
  assert.deepEqual(maria.aliases, ["user's sister"])
  assert.equal(entities.find(({ name }) => name === 'Porto')?.type, 'place')
})

test('what was told before says who she is, and is not read again', async () => {
  const before = 'My sister Maria works as a nurse.'
  const facts = await told('She lives in Porto.', { before })
  assert.deepEqual(facts, ['Maria lives_in Porto'])
  assert.deepEqual(await told('I live in Porto.', { before }), ['user lives_in Porto'])
  assert.deepEqual(await told('She lives in Porto.', { before: 'I met Maria yesterday.' }), [
    'Maria lives_in Porto',
  ])
  const long = `${'The evening went on and nobody had anything to say. '.repeat(40)}${before}`
  assert.deepEqual(await told('She lives in Porto.', { before: long }), ['Maria lives_in Porto'])
})

test('a question is embedded between the passages of a long text, and an end of waiting ends the reading', async () => {
  const long = 'The evening went on and on and nobody had anything to say about it. '.repeat(30)
  let passages = 0
  await extractFacts(model, input(long), async () => {
    passages++
  })
  assert.ok(passages >= 3, `${passages} passages`)
  const gone = extractFacts(model, input(long), () => Promise.reject(new Error('gone')))
  await assert.rejects(gone, /gone/)
})

test('thanks and questions say nothing', async () => {
  for (const text of ['Thanks, that helps!', 'Where do I live?', '...', '', '🎉🎉'])
    assert.deepEqual((await read(text)).facts, [], text)
})

test('a long text is read to its end', async () => {
  const filler = 'The evening went on and on and nobody had anything to say about it. '.repeat(30)
  assert.ok((await told(`${filler}I live in Rome.`)).includes('user lives_in Rome'))
})

test('any text is read, twice the same, with at most 64 facts inside it', () =>
  fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 200 }), async (text) => {
      const found = await read(text)
      assert.deepEqual(await read(text), found)
      assert.ok(found.facts.length <= 64)
      for (const { start, end } of found.facts) assert.ok(0 <= start && start < end && end <= text.length)
    }),
    { numRuns: 30 },
  ))

test('marks, repetitions and tables are read in time that grows with their length alone', async () => {
  for (const text of [
    '!'.repeat(2_500),
    'a'.repeat(2_500),
    '| 1 '.repeat(600),
    'my '.repeat(800),
    '字'.repeat(2_000),
  ])
    assert.ok((await read(text)).facts.length <= 64)
})
