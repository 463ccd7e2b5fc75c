import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Embedder } from '../../src/memory/ports.ts'
import { createLocalEmbedder } from '../../src/models/embedder/local-embedder.ts'
import { denseRetrieval, nearRepeats, sentenceSimilarity } from './measures.ts'
import { readRetrievalSet, readSentencePairs } from './sets.ts'
import { measureSpeed } from './speed.ts'

// Quality and speed of the local embedder, as published (fp32) and as shipped (int8):
//   npm run -s bench:embedder -- --sets DIR [--precision int8] [--speed-only] [--cache DIR]

const { values } = parseArgs({
  options: {
    sets: { type: 'string' },
    cache: { type: 'string' },
    precision: { type: 'string' },
    'speed-only': { type: 'boolean', default: false },
  },
})
const sets = values.sets ?? process.env.SETS_DIR
if (!sets) throw new Error('usage: npm run -s bench:embedder -- --sets DIR [--speed-only] [--cache DIR]')
const cacheDir = values.cache ?? join(tmpdir(), 'memoryd-bench-embedder')

const pairs = await readSentencePairs(sets, 'dev')
const locomo = await readRetrievalSet(sets, 'locomo')
const hotpot = await readRetrievalSet(sets, 'hotpotqa')

const fixed = (value: number, digits = 3): string => value.toFixed(digits)

async function quality(embedder: Embedder): Promise<void> {
  const texts = new Set([
    ...pairs.flatMap((pair) => [pair.first, pair.second]),
    ...[locomo, hotpot].flatMap(({ items, queries }) => [
      ...items.map((item) => item.text),
      ...queries.map((query) => query.query),
    ]),
  ])
  const list = [...texts]
  const vectors = await embedder.embed(list)
  const known = new Map(list.map((text, i) => [text, vectors[i] ?? new Float32Array()]))
  const vectorOf = (text: string) => known.get(text) ?? new Float32Array()

  const similarity = sentenceSimilarity(pairs, vectorOf)
  console.log(
    `  STS-B dev: Spearman ${fixed(similarity.spearman, 4)}; unrelated pairs at ${fixed(similarity.unrelatedMean)},` +
      ` equal ones at ${fixed(similarity.sameMean)}`,
  )
  // The questions that README figures of others leave out have no answer in the conversation.
  const answerable = locomo.queries.filter((query) => query.category !== 'adversarial')
  const turns = denseRetrieval({ items: locomo.items, queries: answerable }, vectorOf, 10)
  console.log(`  LoCoMo dev, dense alone: R@10 ${fixed(turns.recall)}, nDCG@10 ${fixed(turns.ndcg)}`)
  console.log(`  HotpotQA dev, dense alone: R@5 ${fixed(denseRetrieval(hotpot, vectorOf, 5).recall)}`)
  const repeats = nearRepeats(locomo, vectorOf, 0.92)
  console.log(`  LoCoMo turns at 0.92 or more to an earlier one: ${repeats.repeats} of ${repeats.items}`)
}

for (const precision of (['fp32', 'int8'] as const).filter((one) => (values.precision ?? one) === one)) {
  console.log(`${precision}:`)
  const started = performance.now()
  const embedder = await createLocalEmbedder({ cacheDir, precision, recentBytes: 0 })
  console.log(`  ready after ${Math.round(performance.now() - started)} ms`)
  await measureSpeed(
    embedder,
    locomo.items.map((item) => item.text),
  )
  if (!values['speed-only']) await quality(embedder)
  await embedder.close()
}
