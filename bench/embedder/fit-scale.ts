import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import type { Vector } from '../../src/core/vectors.ts'
import { createCentredScale, identityScale } from '../../src/models/embedder/common-scale.ts'
import { createLocalEmbedder } from '../../src/models/embedder/local-embedder.ts'
import {
  nearRepeats,
  retrieval,
  sentenceSimilarity,
  shareAbove,
  surfaceRepeats,
  unrelatedMean,
  type VectorOf,
  vectorLikeness,
} from './measures.ts'
import { readNews, readPersonas, readRetrievalSet, readSentencePairs } from './sets.ts'

// What general texts have in common, for the shipped encoder; prints what each mapping would do and writes the chosen:
//   node bench/embedder/fit-scale.ts --sets DIR [--out src/models/reader/weights/scale.json]

const { values } = parseArgs({ options: { sets: { type: 'string' }, out: { type: 'string' } } })
const sets = values.sets ?? process.env.SETS_DIR
if (!sets) throw new Error('usage: fit-scale.ts --sets DIR [--out FILE]')

/** Texts taken from each kind of source. */
const TEXTS = 500

/** How much of the mean is taken off: all of it would put unrelated texts at 0, and pull repeats apart. */
const CHOSEN = 0.8

const TRIED = [0, 0.5, 0.6, 0.7, 0.8, 0.9, 1]

/** Every so many, so that the whole source is covered and the choice can be repeated. */
function spread(texts: readonly string[], count: number): string[] {
  const unique = [...new Set(texts)]
  const step = unique.length / count
  return Array.from({ length: count }, (_, i) => unique[Math.floor(i * step)] ?? '')
}

function mean(vectors: readonly Vector[]): Vector {
  const sum = new Float64Array(vectors[0]?.length ?? 0)
  for (const vector of vectors) for (const [i, value] of vector.entries()) sum[i] = (sum[i] ?? 0) + value
  return Float32Array.from(sum, (value) => value / vectors.length)
}

const passages = async (name: string): Promise<string[]> =>
  (await readRetrievalSet(sets, name)).items.map((item) => item.text)
const sources: Record<string, string[]> = {
  captions: (await readSentencePairs(sets, 'train')).map((pair) => pair.first),
  news: await readNews(sets),
  personas: await readPersonas(sets),
  encyclopedia: await passages('musique'),
  chat: await passages('longmemeval_mini'),
}
const general = Object.values(sources).map((texts) => spread(texts, TEXTS))
const pairs = await readSentencePairs(sets, 'dev')
const locomo = await readRetrievalSet(sets, 'locomo')
const answerable = { ...locomo, queries: locomo.queries.filter(({ category }) => category !== 'adversarial') }
const hotpot = await readRetrievalSet(sets, 'hotpotqa')
const repeats = surfaceRepeats(spread(await passages('locomo'), TEXTS))

const raw = new Map<string, Vector>()
const vectorOf: VectorOf = (text) => raw.get(text) ?? new Float32Array()
const embedder = await createLocalEmbedder({ scale: identityScale, recentBytes: 0 })
const all = new Set([
  ...general.flat(),
  ...pairs.flatMap(({ first, second }) => [first, second]),
  ...repeats.flatMap(({ first, second }) => [first, second]),
  ...[locomo, hotpot].flatMap(({ items, queries }) => [
    ...items.map(({ text }) => text),
    ...queries.map(({ query }) => query),
  ]),
])
const vectors = await embedder.embed([...all])
for (const [i, text] of [...all].entries()) raw.set(text, vectors[i] ?? new Float32Array())
await embedder.close()

const middle = mean(general.map((texts) => mean(texts.map(vectorOf))))
const shiftOf = (share: number): Vector => middle.map((value) => value * share)

function report(share: number): string {
  const scale = createCentredScale('tried', shiftOf(share))
  const mapped = new Map([...raw].map(([text, vector]) => [text, scale.map(vector)]))
  const of: VectorOf = (text) => mapped.get(text) ?? new Float32Array()
  const turns = retrieval(answerable, vectorLikeness(of), 10)
  const cells = [
    share.toFixed(1),
    sentenceSimilarity(pairs, of).spearman.toFixed(3),
    `${turns.recall.toFixed(3)} / ${turns.ndcg.toFixed(3)}`,
    retrieval(hotpot, vectorLikeness(of), 5).recall.toFixed(3),
    unrelatedMean(general.flat(), of).toFixed(2),
    shareAbove(repeats, of, 0.92).toFixed(3),
    nearRepeats(locomo, of, 0.92).repeats,
  ]
  return `| ${cells.join(' | ')} |`
}

console.log('| mean taken off | STS-B | LoCoMo | HotpotQA | unrelated | surface alone | turns |')
for (const share of TRIED) console.log(report(share))

if (values.out) {
  const shift = [...shiftOf(CHOSEN)].map((value) => Number(value.toFixed(6)))
  // Vectors of different scales must not meet: the version follows from the numbers.
  const hash = createHash('sha256').update(JSON.stringify(shift)).digest('hex').slice(0, 8)
  const fitted = { version: `centred-${hash}`, weights: embedder.identity.weights, shift }
  await writeFile(values.out, `${JSON.stringify(fitted)}\n`)
}
