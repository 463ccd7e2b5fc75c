import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { citeUncited, keepValidCitations } from './cite.ts'

const rows: readonly (readonly [string, string])[] = [
  ['Maria lives in Rome [1].', 'Maria lives in Rome [1].'],
  ['Maria lives in Rome [9].', 'Maria lives in Rome.'],
  ['Both [1, 2, 7] hold.', 'Both [1][2] hold.'],
  ['All [1-3] hold.', 'All [1][2][3] hold.'],
  ['All [2–99] hold.', 'All [2][3] hold.'],
  ['None [0] [-1] [4] [1000000000000] hold.', 'None [1] hold.'],
  ['Wide ［２］ and 【9】.', 'Wide [2] and.'],
  ['Arabic [٩٩] digits.', 'Arabic digits.'],
  ['Nested [[9]] and [9[9]9].', 'Nested and.'],
  ['[Fact 2] and [#3] and [facts 1 and 9].', '[2] and [3] and [1].'],
  ['A word [sic] stays.', 'A word [sic] stays.'],
]

for (const [said, expected] of rows) {
  test(`reads ${JSON.stringify(said)} as ${JSON.stringify(expected)}`, () =>
    assert.equal(keepValidCitations(said, 3), expected))
}

test('never lets a citation outside the list through, whatever the answer looks like', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '[',
      ']',
      '［',
      '］',
      '1',
      '2',
      '7',
      '99',
      ',',
      '-',
      ' ',
      'fact ',
      'x',
      '[7]',
      '[1',
      '9]',
      '٩',
    ),
    fc.string({ maxLength: 3 }),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.nat(5), (pieces, count) => {
      for (const [, digits] of keepValidCitations(pieces.join(''), count).matchAll(
        /[[［【〔]\s*(\p{N}+)\s*[\]］】〕]/gu,
      )) {
        assert.ok(Number(digits) >= 1 && Number(digits) <= count, `${digits} of ${count}`)
      }
    }),
    { numRuns: 2_000 },
  )
})

test('a sentence without a citation gets the fact it draws on', () => {
  const facts = ['Maria lives in Rome', 'Tom likes tea']
  assert.equal(citeUncited('Tom likes tea.', facts), 'Tom likes tea [2].')
  assert.equal(citeUncited('Maria lives in Rome [1].', facts), 'Maria lives in Rome [1].')
  assert.equal(citeUncited('The facts do not say.', facts), 'The facts do not say.')
})
