import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { createManualClock } from '../../src/core/clock.ts'
import { asNamespace } from '../../src/core/ids.ts'
import type { Vector } from '../../src/core/vectors.ts'
import { createMemory, type OwnedMemory } from '../../src/memory/create-memory.ts'
import type { Embedder, Extraction, Extractor, MemoryStores } from '../../src/memory/ports.ts'
import { createLocalEmbedder } from '../../src/models/embedder/local-embedder.ts'
import { createStatisticalExtractor } from '../../src/models/extractor/extractor.ts'
import { openInlineEngine } from '../../src/stores/embedded/engine/inline.ts'
import { createEmbeddedMemoryStores } from '../../src/stores/embedded/memory/stores.ts'
import { anItem, aRequest } from '../support/small-memory.ts'
import { conversation } from './conversation.ts'
import { openTestStores } from './support.ts'

const memories = 2_000
const questions = 200
const agreed = 0.95
const namespace = asNamespace('agreement')

interface Line {
  readonly text: string
  readonly sessionId: string | null
}

/** LoCoMo where SETS_DIR has it, made-up conversations otherwise. */
function readData(): {
  readonly name: string
  readonly lines: readonly Line[]
  readonly asked: readonly string[]
} {
  const folder = path.join(process.env.SETS_DIR ?? '', 'locomo', 'dev')
  if (process.env.SETS_DIR === undefined || !existsSync(folder))
    return { name: 'made-up conversations', ...conversation(memories, questions) }
  const rows = (file: string) =>
    readFileSync(path.join(folder, file), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  const lines = rows('items.jsonl').map(({ text, meta }) => ({ text, sessionId: meta?.session ?? null }))
  const asked = rows('queries.jsonl').map(({ query }) => String(query))
  const step = Math.max(1, Math.floor(asked.length / questions))
  return {
    name: 'LoCoMo',
    lines: lines.slice(0, memories),
    asked: asked.filter((_, place) => place % step === 0).slice(0, questions),
  }
}

/** Models answer each text once: the second backend is told what the first one was. */
function remembering(embedder: Embedder, extractor: Extractor) {
  const vectors = new Map<string, Vector>()
  const extractions = new Map<string, Extraction>()
  const kept: { embedder: Embedder; extractor: Extractor } = {
    embedder: {
      identity: embedder.identity,
      async embed(texts) {
        const missing = [...new Set(texts)].filter((text) => !vectors.has(text))
        const made = await embedder.embed(missing)
        missing.forEach((text, place) => {
          const vector = made[place]
          if (vector !== undefined) vectors.set(text, vector)
        })
        return texts.map((text) => vectors.get(text) ?? new Float32Array())
      },
    },
    extractor: {
      async extract(inputs) {
        const missing = inputs.filter(({ text }) => !extractions.has(text))
        const made = await extractor.extract(missing)
        missing.forEach(({ text }, place) => {
          const extraction = made[place]
          if (extraction !== undefined) extractions.set(text, extraction)
        })
        return inputs.map(({ text }) => extractions.get(text) ?? { facts: [], entities: [], notice: null })
      },
    },
  }
  return kept
}

let server: Awaited<ReturnType<typeof openTestStores>>
let models: ReturnType<typeof remembering>
const closing: (() => Promise<void>)[] = []
const cacheDir = process.env.MODEL_CACHE_DIR ?? mkdtempSync(path.join(tmpdir(), 'memoryd-agreement-'))

before(async () => {
  server = await openTestStores()
  const embedder = await createLocalEmbedder({ cacheDir })
  const extractor = await createStatisticalExtractor()
  models = remembering(embedder, extractor)
  closing.push(
    () => server.close(),
    () => embedder.close(),
    () => extractor.close(),
  )
})
after(async () => {
  for (const close of closing) await close()
  if (process.env.MODEL_CACHE_DIR === undefined) rmSync(cacheDir, { recursive: true })
})

function memoryOn(stores: MemoryStores): OwnedMemory {
  let next = 0
  return createMemory({
    ...{
      stores,
      ...models,
      llmExtractor: null,
      graphQa: null,
      compressContext: null,
      compressClusters: null,
    },
    clock: createManualClock(1_800_000_000),
    settings: { halfLifeDays: 7, pruneThreshold: 0.05 },
    newId: () => `id-${String(next++).padStart(8, '0')}`,
    report: (error) => {
      throw error
    },
    // Accesses are not written: they would change nothing that is compared, and take their time.
    timer: () => () => undefined,
  })
}

const batch = 50

async function fill(memory: OwnedMemory, lines: readonly Line[]): Promise<number> {
  const started = performance.now()
  for (let at = 0; at < lines.length; at += batch) {
    const items = lines.slice(at, at + batch).map(({ text, sessionId }) => anItem(text, { sessionId }))
    const { failed, results } = await memory.ingestBatch(namespace, items)
    assert.equal(failed, 0, JSON.stringify(results.find((result) => 'error' in result)))
  }
  return lines.length / ((performance.now() - started) / 1000)
}

test(`the same ${memories} memories and ${questions} questions give the same top five on both backends`, async () => {
  const { name, lines, asked } = readData()
  const embedded = memoryOn(createEmbeddedMemoryStores(openInlineEngine()))
  const remote = memoryOn(server.stores.memory)
  await fill(embedded, lines)
  const rate = await fill(remote, lines)
  let same = 0
  let shared = 0
  for (const query of asked) {
    const [here, there] = await Promise.all(
      [embedded, remote].map(async (memory) => {
        const { facts } = await memory.retrieve(namespace, aRequest(query, { k: 5 }))
        return new Set(facts.map(({ fact }) => fact))
      }),
    )
    if (here === undefined || there === undefined) throw new Error('no answer')
    shared += [...here].filter((fact) => there.has(fact)).length / Math.max(1, here.size, there.size)
    if (here.symmetricDifference(there).size === 0) same += 1
  }
  const share = same / asked.length
  console.log(
    `${name}: ${lines.length} memories, ${asked.length} questions: same top five in ${(100 * share).toFixed(1)} % ` +
      `(at least ${100 * agreed} % wanted), ${((100 * shared) / asked.length).toFixed(1)} % of the facts shared; ` +
      `server mode took ${rate.toFixed(1)} texts a second with vectors and facts at hand`,
  )
  assert.ok(lines.length === memories && asked.length === questions)
  assert.ok(share >= agreed, `${share}`)
})
