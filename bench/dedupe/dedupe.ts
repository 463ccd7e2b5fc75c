/**
 * What deduplication does with changed facts, with rephrasings and with real conversations, on the built-in
 * embedding model: npm run bench:dedupe [-- --cache DIR] ; SETS_DIR names the folder of the conversations.
 */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { dot, type Vector } from '../../src/core/vectors.ts'
import { duplicateOf, duplicateSimilarity } from '../../src/memory/ingest/dedupe/find-twin.ts'
import { createComparison } from '../../src/memory/ingest/dedupe/same-statement.ts'
import { createLocalEmbedder } from '../../src/models/embedder/local-embedder.ts'
import { readModelFile } from '../../src/models/embedder/model-files.ts'
import { changedPairs, type Pair, repeatedPairs } from './pairs.ts'

const { values: options } = parseArgs({ options: { cache: { type: 'string' }, show: { type: 'boolean' } } })
const embedder = await createLocalEmbedder({ cacheDir: options.cache ?? null })
const vocabulary = new Set(
  Object.keys(JSON.parse((await readModelFile('tokenizer.json')).toString('utf8')).model.vocab),
)
const comparison = createComparison((word) => vocabulary.has(word))

interface Outcome extends Pair {
  readonly cosine: number
  readonly skipped: boolean
}

async function compare(pairs: readonly Pair[]): Promise<readonly Outcome[]> {
  const vectors = await embedder.embed(pairs.flatMap(({ first, second }) => [first.trim(), second.trim()]))
  return pairs.map((pair, at) => {
    const cosine = dot(vectors[2 * at] ?? new Float32Array(), vectors[2 * at + 1] ?? new Float32Array())
    const skipped = duplicateOf(pair.second, pair.first, cosine, comparison) !== null
    return { ...pair, cosine, skipped }
  })
}

function print(title: string, outcomes: readonly Outcome[]): void {
  const skipped = outcomes.filter((outcome) => outcome.skipped).length
  const near = outcomes.filter(({ cosine }) => cosine >= duplicateSimilarity).length
  console.log(
    `${title}: ${outcomes.length} pairs, ${near} at cosine ${duplicateSimilarity} or more, ${skipped} skipped`,
  )
  for (const [kind, own] of Map.groupBy(outcomes, ({ kind }) => kind)) {
    console.log(`  ${kind}: ${own.filter((outcome) => outcome.skipped).length} of ${own.length} skipped`)
  }
}

const changed = await compare(changedPairs)
const repeated = await compare(repeatedPairs)
print('changed facts (none may be skipped)', changed)
print('rephrasings (90 % must be skipped)', repeated)
if (options.show) {
  for (const { first, second, cosine, skipped } of [
    ...changed.filter((o) => o.skipped),
    ...repeated.filter((o) => !o.skipped),
  ]) {
    console.log(`${skipped ? 'skipped' : 'stored'} ${cosine.toFixed(3)} ${first} | ${second.trim()}`)
  }
}

interface Turn {
  readonly group: string
  readonly text: string
}

const turnsFile = path.join(process.env.SETS_DIR ?? '', 'locomo', 'dev', 'items.jsonl')
if (existsSync(turnsFile)) {
  const turns: readonly Turn[] = readFileSync(turnsFile, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  let skipped = 0
  let near = 0
  for (const group of Map.groupBy(turns, (turn) => turn.group).values()) {
    const vectors = await embedder.embed(group.map(({ text }) => text))
    const stored: { readonly text: string; readonly vector: Vector }[] = []
    for (const [at, { text }] of group.entries()) {
      const vector = vectors[at] ?? new Float32Array()
      const close = stored.map((other) => ({ ...other, cosine: dot(other.vector, vector) }))
      if (close.some(({ cosine }) => cosine >= duplicateSimilarity)) near++
      const twin = close.find((other) => duplicateOf(text, other.text, other.cosine, comparison) !== null)
      if (twin === undefined) stored.push({ text, vector })
      else {
        skipped++
        if (options.show) console.log(`turn skipped: ${text} | ${twin.text}`)
      }
    }
  }
  const share = ((100 * skipped) / turns.length).toFixed(2)
  console.log(
    `conversations: ${turns.length} turns, ${near} near an earlier one, ${skipped} skipped (${share} %; 1 % allowed)`,
  )
} else console.log('conversations: not measured, because SETS_DIR names no folder with them')
await embedder.close()
