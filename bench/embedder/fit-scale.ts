import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import type { Vector } from '../../src/core/vectors.ts'
import { identityScale } from '../../src/models/embedder/common-scale.ts'
import { createLocalEmbedder } from '../../src/models/embedder/local-embedder.ts'
import { readNews, readPersonas, readRetrievalSet, readSentencePairs } from './sets.ts'

// Recomputes the mean vector of general text:
//   node bench/embedder/fit-scale.ts --sets DIR --out src/models/embedder/gte-small-mean.json

const { values } = parseArgs({
  options: { sets: { type: 'string' }, out: { type: 'string' }, cache: { type: 'string' } },
})
const sets = values.sets ?? process.env.SETS_DIR
if (!sets || !values.out) throw new Error('usage: fit-scale.ts --sets DIR --out FILE [--cache DIR]')

/** Texts taken from each kind of source. */
const TEXTS = 500

/** Every so many, so that the whole source is covered and the choice can be repeated. */
function spread(texts: readonly string[]): string[] {
  const unique = [...new Set(texts)]
  const step = unique.length / TEXTS
  return Array.from({ length: TEXTS }, (_, i) => unique[Math.floor(i * step)] ?? '')
}

function mean(vectors: readonly Vector[]): Float64Array {
  const sum = new Float64Array(vectors[0]?.length ?? 0)
  for (const vector of vectors) for (const [i, value] of vector.entries()) sum[i] = (sum[i] ?? 0) + value
  return sum.map((value) => value / vectors.length)
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

const embedder = await createLocalEmbedder({ cacheDir: values.cache ?? null, scale: identityScale })
const means: Float64Array[] = []
for (const [name, texts] of Object.entries(sources)) {
  means.push(mean(await embedder.embed(spread(texts))))
  console.log(`${name}: ${TEXTS} of ${texts.length} texts`)
}
await embedder.close()
const middle = Float32Array.from(mean(means.map((one) => Float32Array.from(one))))
const rounded = [...middle].map((value) => Number(value.toFixed(6)))
await writeFile(values.out, `${JSON.stringify({ version: 'centred-1', mean: rounded })}\n`)
