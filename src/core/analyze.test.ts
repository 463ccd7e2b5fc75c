import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { analyze } from './analyze.ts'
import { stem } from './stem.ts'

const stems = {
  running: 'run',
  hopping: 'hop',
  hoped: 'hope',
  agreed: 'agre',
  ponies: 'poni',
  ties: 'tie',
  cries: 'cri',
  gas: 'gas',
  this: 'this',
  kiwis: 'kiwi',
  flies: 'fli',
  boxes: 'box',
  happily: 'happili',
  happy: 'happi',
  sky: 'sky',
  relational: 'relat',
  conditional: 'condit',
  generate: 'generat',
  generously: 'generous',
  communication: 'communic',
  adjustable: 'adjust',
  adoption: 'adopt',
  hopefulness: 'hope',
  knightly: 'knight',
  consigned: 'consign',
  consisting: 'consist',
  knots: 'knot',
  controlling: 'control',
  roll: 'roll',
  saying: 'say',
  say: 'say',
  youth: 'youth',
  dying: 'die',
  proceed: 'proceed',
  bed: 'bed',
  luxuriated: 'luxuri',
}

for (const [word, expected] of Object.entries(stems)) {
  test(`stems ${word} to ${expected}`, () => assert.equal(stem(word), expected))
}

const analyses: readonly (readonly [string, readonly string[]])[] = [
  ['When did Caroline go to the support groups?', ['carolin', 'go', 'support', 'group']],
  ['She went there', ['go']],
  ['Melanie’s paintings', ['melani', 'paint']],
  ["I don't like Mondays", ['like', 'monday']],
  ['Ｆｕｌｌ-width ﬁne', ['full', 'width', 'fine']],
  ['C3PO, 350 dollars', ['c3po', '350', 'dollar']],
  ['東京都', ['東京', '京都']],
  ['नमस्ते', ['नमस्ते']],
  ['?!', []],
  ['', []],
]

for (const [text, expected] of analyses) {
  test(`reads ${JSON.stringify(text)} as ${expected.join(' ')}`, () =>
    assert.deepEqual(analyze(text), expected))
}

test('gives the same terms whatever the case and the punctuation around the words', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1 }), (list) => {
      assert.deepEqual(analyze(list.join(', ').toUpperCase()), analyze(list.join(' ')))
    }),
  )
})

test('gives terms of at most 64 characters for any text, and none that is empty', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      for (const term of analyze(text)) assert.ok(term.length > 0 && term.length <= 64, term)
    }),
  )
})

test('works through a text that is one long word in time that grows with its length only', () => {
  const cpu = (length: number) => {
    const text = "a'".repeat(length)
    const start = process.cpuUsage()
    for (let run = 0; run < 5; run++) analyze(text)
    const { user, system } = process.cpuUsage(start)
    return user + system
  }
  cpu(4_000)
  // Quadratic work would make it 64 times as much and more; the floor keeps timer noise out.
  assert.ok(cpu(32_000) < 24 * Math.max(2_000, cpu(4_000)))
})
