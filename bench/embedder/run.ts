import { parseArgs } from 'node:util'
import type { Embedder } from '../../src/memory/ports.ts'
import { createLocalEmbedder } from '../../src/models/embedder/local-embedder.ts'
import {
  nearRepeats,
  retrieval,
  sentenceSimilarity,
  shareAbove,
  surfaceRepeats,
  tokenLikeness,
  vectorLikeness,
} from './measures.ts'
import { readRetrievalSet, readSentencePairs } from './sets.ts'
import { measureSpeed } from './speed.ts'

// Quality and speed of the shipped encoder:
//   npm run -s bench -- embedder --sets DIR [--speed-only]

const { values } = parseArgs({
  options: {
    sets: { type: 'string' },
    'speed-only': { type: 'boolean', default: false },
  },
})
const sets = values.sets ?? process.env.SETS_DIR
if (!sets) throw new Error('usage: npm run -s bench -- embedder --sets DIR [--speed-only]')

const pairs = await readSentencePairs(sets, 'dev')
const locomo = await readRetrievalSet(sets, 'locomo')
const hotpot = await readRetrievalSet(sets, 'hotpotqa')
// The questions that README figures of others leave out have no answer in the conversation.
const answerable = { ...locomo, queries: locomo.queries.filter(({ category }) => category !== 'adversarial') }
const repeats = surfaceRepeats(locomo.items.slice(0, 500).map(({ text }) => text))

const fixed = (value: number, digits = 3): string => value.toFixed(digits)

async function quality(embedder: Embedder): Promise<void> {
  const texts = new Set([
    ...pairs.flatMap((pair) => [pair.first, pair.second]),
    ...repeats.flatMap(({ first, second }) => [first, second]),
    ...[locomo, hotpot].flatMap(({ items, queries }) => [
      ...items.map((item) => item.text),
      ...queries.map((query) => query.query),
    ]),
  ])
  const list = [...texts]
  const encodings = await embedder.encode(list)
  const known = new Map(list.map((text, i) => [text, encodings[i]]))
  const vectorOf = (text: string) => known.get(text)?.vector ?? new Float32Array()
  const tokensOf = (text: string) => known.get(text)?.tokens ?? null

  const similarity = sentenceSimilarity(pairs, vectorOf)
  console.log(
    `  STS-B dev: Spearman ${fixed(similarity.spearman, 4)}; unrelated pairs at ${fixed(similarity.unrelatedMean)},` +
      ` equal ones at ${fixed(similarity.sameMean)}`,
  )
  for (const [name, set, k] of [
    ['LoCoMo dev', answerable, 10],
    ['HotpotQA dev', hotpot, 5],
  ] as const) {
    for (const [how, likeness] of [
      ['vectors', vectorLikeness(vectorOf)],
      ['late interaction', tokenLikeness(tokensOf)],
    ] as const) {
      const { recall, ndcg } = retrieval(set, likeness, k)
      console.log(`  ${name}, ${how} alone: R@${k} ${fixed(recall)}, nDCG@${k} ${fixed(ndcg)}`)
    }
  }
  const near = nearRepeats(locomo, vectorOf, 0.92)
  console.log(`  LoCoMo turns at 0.92 or more to an earlier one: ${near.repeats} of ${near.items}`)
  console.log(
    `  Turns that differ in surface alone, at 0.92 or more: ${fixed(shareAbove(repeats, vectorOf, 0.92))}`,
  )
  const rows = locomo.items.map(({ text }) => tokensOf(text)?.count ?? 0)
  const tokens = rows.reduce((sum, count) => sum + count, 0) / rows.length
  console.log(`  Token vectors of a LoCoMo turn: ${fixed(tokens, 1)}, ${Math.round(tokens * 64)} bytes`)
}

const started = performance.now()
const embedder = await createLocalEmbedder({ recentBytes: 0 })
console.log(`  ready after ${Math.round(performance.now() - started)} ms`)
await measureSpeed(
  embedder,
  locomo.items.map((item) => item.text),
)
if (!values['speed-only']) await quality(embedder)
await embedder.close()
