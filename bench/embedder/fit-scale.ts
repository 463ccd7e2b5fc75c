import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { dot, normalize, type Vector } from '../../src/core/vectors.ts'
import { identityScale } from '../../src/models/embedder/common-scale.ts'
import { createLocalEmbedder } from '../../src/models/embedder/local-embedder.ts'
import { readNews, readPersonas, readRetrievalSet, readSentencePairs } from './sets.ts'

// Recomputes what general texts have in common:
//   node bench/embedder/fit-scale.ts --sets DIR --out src/models/embedder/gte-small-scale.json

const { values } = parseArgs({
  options: { sets: { type: 'string' }, out: { type: 'string' }, cache: { type: 'string' } },
})
const sets = values.sets ?? process.env.SETS_DIR
if (!sets || !values.out) throw new Error('usage: fit-scale.ts --sets DIR --out FILE [--cache DIR]')

/** Texts taken from each kind of source. */
const TEXTS = 500

/** Written into the file; a new fit needs a new one, because vectors of different scales must not meet. */
const VERSION = 'centred-2'

/** All of the mean puts unrelated texts at 0.00 but costs retrieval; this share puts them at 0.03. */
const MEAN_SHARE = 0.9

/** Two directions gain a point of LoCoMo recall; more start to cost HotpotQA's. */
const DIRECTIONS = 2

/** Every so many, so that the whole source is covered and the choice can be repeated. */
function spread(texts: readonly string[]): string[] {
  const unique = [...new Set(texts)]
  const step = unique.length / TEXTS
  return Array.from({ length: TEXTS }, (_, i) => unique[Math.floor(i * step)] ?? '')
}

function mean(vectors: readonly Vector[]): Vector {
  const sum = new Float64Array(vectors[0]?.length ?? 0)
  for (const vector of vectors) for (const [i, value] of vector.entries()) sum[i] = (sum[i] ?? 0) + value
  return Float32Array.from(sum, (value) => value / vectors.length)
}

/** a - times × b */
const minus = (a: Vector, b: Vector, times = 1): Vector => a.map((value, i) => value - times * (b[i] ?? 0))

/** Directions of largest spread, by power iteration from a fixed start. */
function principal(centred: readonly Vector[], count: number): Vector[] {
  const found: Vector[] = []
  for (let k = 0; k < count; k++) {
    let direction = normalize(Float32Array.from(centred[0] ?? [], (_, i) => Math.sin(7 * i + k)))
    for (let round = 0; round < 60; round++) {
      let next: Vector = new Float32Array(direction.length)
      for (const vector of centred) next = minus(next, vector, -dot(vector, direction))
      for (const earlier of found) next = minus(next, earlier, dot(next, earlier))
      direction = normalize(next)
    }
    found.push(direction)
  }
  return found
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
const byKind: Vector[][] = []
for (const [name, texts] of Object.entries(sources)) {
  byKind.push([...(await embedder.embed(spread(texts)))])
  console.log(`${name}: ${TEXTS} of ${texts.length} texts`)
}
await embedder.close()

const middle = mean(byKind.map(mean))
const directions = principal(
  byKind.flat().map((vector) => minus(vector, middle)),
  DIRECTIONS,
)
// The directions are taken off a vector's distance from the middle, not off the vector: hence their share here.
let shift: Vector = middle.map((value) => value * MEAN_SHARE)
for (const direction of directions) shift = minus(shift, direction, dot(direction, middle))
const digits = (vector: Vector): number[] => [...vector].map((value) => Number(value.toFixed(6)))
const fitted = { version: VERSION, shift: digits(shift), directions: directions.map(digits) }
await writeFile(values.out, `${JSON.stringify(fitted)}\n`)
