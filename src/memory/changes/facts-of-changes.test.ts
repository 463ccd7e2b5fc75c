import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ExtractedChange } from '../ports.ts'
import { factsOfChanges, wordsToFind } from './facts-of-changes.ts'
import type { ToldFact } from './told.ts'

type Kind = ExtractedChange['kind']

const change = (kind: Kind, words: string, more: Partial<ExtractedChange> = {}): ExtractedChange => ({
  ...{ kind, subject: 'user', relation: '', words, around: words, start: 0, end: 1 },
  ...more,
})
const told = (line: string, latest = true): ToldFact => {
  const [subject = '', relation = '', object = ''] = line.split(' | ')
  return { subject, relation, object, negated: false, latest }
}
const now = (relation: string, words: string, marker = 'now') =>
  change('replaced', words, { relation, around: marker })

/** What was told, a change, and what follows; `-` in front of what is over. */
const table: readonly (readonly [string, readonly string[], ExtractedChange, readonly string[]])[] = [
  [
    'a part of its name is enough',
    ['user | owns | 1998 Yamaha motorcycle'],
    change('ended', 'the Yamaha'),
    ['-owns 1998 Yamaha motorcycle'],
  ],
  [
    'a kind of thing beside the name',
    ['user | banks_with | Barclays'],
    change('ended', 'my Barclays account'),
    ['-banks_with Barclays'],
  ],
  [
    'two of a kind: neither is meant surely',
    ['user | has | road bike', 'user | has | city bike'],
    change('ended', 'my bike'),
    [],
  ],
  [
    'what a thing is for is not the thing',
    ['user | works_as | football coach'],
    change('ended', 'football'),
    [],
  ],
  [
    'the verb alone',
    ['user | smokes_about | pack of Camels'],
    change('ended', 'smoking'),
    ['-smokes_about pack of Camels'],
  ],
  ['the only job', ['user | works_at | Nokia'], change('ended', 'my job'), ['-works_at Nokia']],
  ['what somebody else left', ['user | works_at | Nokia'], change('ended', 'Nokia', { subject: 'Ana' }), []],
  ['what happened once cannot end', ['user | visited | Rome'], change('ended', 'Rome'), []],
  ['kin stay kin', ['user | has_sister | Ana'], change('ended', 'Ana'), []],
  ['a liking is not ended by selling', ['user | loves | Yamaha'], change('ended', 'the Yamaha'), []],
  [
    'a liking that soured',
    ['user | likes | olives on pizza'],
    change('soured', 'olives'),
    ['-likes olives on pizza'],
  ],
  [
    'the only one of a relation',
    ['user | drives | Honda Civic'],
    now('drives', 'Kia'),
    ['-drives Honda Civic'],
  ],
  ['one of several languages', ['user | speaks | French'], now('speaks', 'Dutch'), []],
  ['the number alone is another', ['user | has | two kids'], now('has', 'three kids'), ['-has two kids']],
  [
    'one team for another',
    ['user | is_on | support team'],
    now('moved_to', 'sales team', 'moved'),
    ['-is_on support team'],
  ],
  [
    'a code told with its place',
    ['cabin | has_wifi_password | birch-88'],
    now('has_wifi_password', 'maple-9'),
    ['-has_wifi_password birch-88'],
  ],
  ['a store closes what has one value', ['user | lives_in | Rome'], now('lives_in', 'Oslo'), []],
  [
    'a correction of the same shape',
    ['user | has_birthday | May 3', 'user | likes | tea'],
    change('corrected', 'May 4'),
    ['-has_birthday May 3', 'has_birthday May 4'],
  ],
  ['a correction of another shape', ['user | likes | tea'], change('corrected', 'May 4'), []],
]
for (const [title, facts, one, expected] of table) {
  test(`${title}: ${one.kind} ${one.words}`, () => {
    const found = factsOfChanges(
      [one],
      facts.map((line) => told(line)),
    )
    assert.deepEqual(
      found.map(({ relation, object, ended }) => `${ended ? '-' : ''}${relation} ${object}`),
      expected,
    )
  })
}

test('only the newest text is corrected', () =>
  assert.deepEqual(
    factsOfChanges([change('corrected', 'May 4')], [told('user | has_birthday | May 3', false)]),
    [],
  ))

test('what is denied already is not ended', () => {
  const denied = { ...told('user | owns | boat'), negated: true }
  assert.deepEqual(factsOfChanges([change('ended', 'the boat')], [denied]), [])
})

test('whatever is said, only what was told ends', () => {
  const word = fc.constantFrom('boat', 'Yamaha', 'my', 'job', 'Rome', 'two kids', '', '555-1234')
  const kind = fc.constantFrom<Kind>('ended', 'soured', 'replaced', 'corrected')
  const relation = fc.constantFrom('owns', 'lives_in', 'works_at', 'has', 'is', 'likes', 'moved_to')
  fc.assert(
    fc.property(kind, word, relation, fc.array(fc.tuple(relation, word)), (of, words, by, lines) => {
      const facts = lines.map(([relation, object]) => told(`user | ${relation} | ${object}`))
      const relationOf = of === 'replaced' ? by : ''
      const ends = factsOfChanges([change(of, words, { relation: relationOf })], facts).filter(
        ({ ended }) => ended,
      )
      for (const { relation, object } of ends)
        assert.ok(facts.some((fact) => fact.relation === relation && fact.object === object))
    }),
  )
})

test('what has one relation and subject needs no search; what is named by its words does', () => {
  assert.equal(wordsToFind(now('drives', 'Kia')), '')
  assert.equal(wordsToFind(change('corrected', 'May 4')), '')
  assert.match(wordsToFind(change('ended', 'my job')), /works at/)
  assert.match(wordsToFind(now('moved_to', 'sales team')), /is on/)
})
