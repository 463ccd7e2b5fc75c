import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isEnglish } from './language.ts'
import { lemmaOf, singular } from './lemmas.ts'
import { splitSentences } from './sentences.ts'
import { bareTitle, titleOf } from './title.ts'
import { straightQuotes, tokenize } from './tokens.ts'

const sentences: readonly (readonly [string, readonly string[]])[] = [
  ['Hi. I live in Rome! Do you?', ['Hi.', 'I live in Rome!', 'Do you?']],
  ['Dr. Smith lives in the U.S. and works.', ['Dr. Smith lives in the U.S. and works.']],
  ['I moved; she stayed — for now', ['I moved', 'she stayed', 'for now']],
  ['- one thing\n2. another thing', ['one thing', 'another thing']],
  ['Ann (1950 – 2000) sang. She won.', ['Ann (1950 – 2000) sang.', 'She won.']],
  ['J. R. R. Tolkien wrote it.', ['J. R. R. Tolkien wrote it.']],
]
for (const [text, expected] of sentences) {
  test(`cuts ${JSON.stringify(text)} into its sentences`, () =>
    assert.deepEqual(
      splitSentences(text).map(({ start, end }) => text.slice(start, end)),
      expected,
    ))
}

test('a name before a colon speaks its line, a label does not', () => {
  const speakers = splitSentences('Ana: I am here.\nNote: bring tea.\nuser: hello there').map(
    ({ speaker }) => speaker,
  )
  assert.deepEqual(speakers, ['Ana', null, 'user'])
})

const tokenTable: readonly (readonly [string, string])[] = [
  ["I don't know.", "I do n't know ."],
  ["it's Ana's car", "it 's Ana 's car"],
  ['at 9am (today)', 'at 9 am ( today )'],
  ['my brother-in-law is left-handed', 'my brother-in-law is left-handed'],
  ['a well-known man', 'a well - known man'],
  ['mail joe@example.com.', 'mail joe@example.com .'],
  ['Gábor( born 1932)', 'Gábor ( born 1932 )'],
  ['“Hi” she said', '" Hi " she said'],
]
for (const [text, expected] of tokenTable) {
  test(`cuts ${text} into words`, () =>
    assert.equal(
      tokenize(text, 0, text.length, 50)
        .map(({ form }) => form)
        .join(' '),
      expected,
    ))
}

test('a word is what stands at its offsets', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      for (const { form, start, end } of tokenize(text, 0, text.length, 40)) {
        assert.ok(form === '...' || form === straightQuotes(text.slice(start, end)))
      }
    }),
  ))

const ranks = new Map(
  ['move', 'hike', 'visit', 'stop', 'plan', 'play', 'study', 'bake'].map((word, index) => [word, index]),
)
for (const [word, tag, lemma] of [
  ['moved', 'VBD', 'move'],
  ['hiking', 'VBG', 'hike'],
  ['visited', 'VBN', 'visit'],
  ['stopped', 'VBD', 'stop'],
  ['studies', 'VBZ', 'study'],
  ['went', 'VBD', 'go'],
  ["'m", 'VBP', 'be'],
  ['children', 'NNS', 'child'],
  ['Boxes', 'NNS', 'box'],
] as const) {
  test(`${word}/${tag} is ${lemma}`, () =>
    assert.equal(
      lemmaOf(word, tag, (form) => ranks.get(form) ?? null),
      lemma,
    ))
}
test('singular nouns stay as they are', () =>
  assert.deepEqual(['bus', 'tennis', 'class'].map(singular), ['bus', 'tennis', 'class']))

const known = (word: string) => ['pizza', 'rocks', 'hello', 'world'].includes(word)
for (const [text, english] of [
  ['I live in Rome', true],
  ['hello world', true],
  ['Pizza rocks', true],
  ['Vivo en Roma con mi familia', false],
  ['xqzt brrl', false],
  ['12345 !!!', false],
  ['これは英語ではない', false],
] as const) {
  test(`${text} is ${english ? '' : 'not '}English`, () => assert.equal(isEnglish(text, known), english))
}

test('finds the title of a document, colons included, and leaves sentences alone', () => {
  assert.equal(titleOf('Vertigo: Vertigo is a film.')?.name, 'Vertigo')
  assert.equal(titleOf('Harvest: 3,000 Years: Harvest: 3,000 Years is a film.')?.name, 'Harvest: 3,000 Years')
  assert.equal(titleOf('there are three things: one, two')?.name, undefined)
  assert.equal(bareTitle('Francisca (film)'), 'Francisca')
})
