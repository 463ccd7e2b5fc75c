import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createParser, maxWords } from './parser.ts'

const parser = createParser()

test('parses a plain sentence as a grammar would', () => {
  const { upos, heads, labels, names } = parser.parse(['Maria', 'works', 'in', 'Porto', '.'])
  assert.deepEqual(upos, ['PROPN', 'VERB', 'ADP', 'PROPN', 'PUNCT'])
  assert.deepEqual(heads, [1, -1, 3, 1, 1])
  assert.deepEqual(labels, ['nsubj', 'root', 'case', 'obl', 'punct'])
  assert.deepEqual([names[0], names[3]], ['person', 'place'])
})

test('a parse does not depend on what was parsed before', () => {
  const words = ['I', 'love', 'hiking', '.']
  const before = parser.parse(words)
  parser.parse(Array.from({ length: maxWords }, (_, i) => `word${i}`))
  assert.deepEqual(parser.parse(words), before)
})

test('refuses more words than it has room for', () =>
  assert.throws(() => parser.parse(Array.from({ length: maxWords + 1 }, () => 'a')), RangeError))

test('knows common words and no others', () => {
  assert.ok((parser.frequencyRank('the') ?? Number.NaN) < 10)
  assert.equal(parser.frequencyRank('qwrtzpsd'), null)
})
