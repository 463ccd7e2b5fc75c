import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

/** The texts of labelled lots. */
const textsOf = (pattern: string) =>
  globSync(pattern).flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line) => (line.startsWith('T\t') ? (line.split('\t')[3] ?? []) : [])),
  )

test('no text that measures the facts model is among those it learnt from', () => {
  const learnt = new Set(textsOf('data/facts/facts-*.tsv'))
  const unseen = textsOf('data/facts/unseen/*.tsv')
  assert.ok(learnt.size > 8_000 && unseen.length > 1_000)
  assert.deepEqual(
    unseen.filter((text) => learnt.has(text)),
    [],
  )
})

/** The older and the newer text of labelled pairs. */
const pairsIn = (pattern: string) =>
  globSync(pattern).flatMap((file) =>
    readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => line.slice(line.indexOf('\t') + 1)),
  )

test('nor is a pair that measures the pair model', () => {
  const learnt = new Set(pairsIn('data/relations/relations-*.tsv'))
  const unseen = pairsIn('data/relations/unseen/*.tsv')
  assert.ok(learnt.size > 20_000 && unseen.length > 1_000)
  assert.deepEqual(
    unseen.filter((pair) => learnt.has(pair)),
    [],
  )
})

/** Questions with their texts. */
const questionsIn = (pattern: string) =>
  globSync(pattern).flatMap((file) => readFileSync(file, 'utf8').trimEnd().split('\n'))

test('nor is a question that measures its reading, nor a text of one that answers', () => {
  const partsOf = (lines: readonly string[]) =>
    lines.flatMap((line): readonly string[] => {
      const { q, yes }: { readonly q: string; readonly yes: readonly string[] } = JSON.parse(line)
      return yes.map((text) => `${q}\n${text}`)
    })
  const learnt = new Set(partsOf(questionsIn('data/answers/answers-*.jsonl')))
  const unseen = partsOf(questionsIn('data/answers/unseen/*.jsonl'))
  assert.ok(learnt.size > 5_000 && unseen.length > 80)
  assert.deepEqual(
    unseen.filter((part) => learnt.has(part)),
    [],
  )
})

/** The texts of stories. */
const storyTexts = (pattern: string) =>
  globSync(pattern).flatMap((file) =>
    readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .flatMap((line): readonly string[] => {
        const { texts }: { readonly texts: readonly (string | { readonly text: string })[] } =
          JSON.parse(line)
        return texts.map((text) => (typeof text === 'string' ? text : text.text))
      }),
  )

test('nor is a turn of a conversation that measures it', () => {
  const learnt = new Set(storyTexts('data/stories/links-*.jsonl'))
  const unseen = storyTexts('data/stories/unseen/links-*.jsonl')
  assert.ok(learnt.size > 20_000 && unseen.length > 800)
  assert.deepEqual(
    unseen.filter((text) => learnt.has(text)),
    [],
  )
})
