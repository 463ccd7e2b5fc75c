import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { createManualClock } from '../../../src/core/clock.ts'
import { asNamespace } from '../../../src/core/ids.ts'
import { createMemory, type OwnedMemory } from '../../../src/memory/create-memory.ts'
import type {
  Embedder,
  Encoding,
  Extraction,
  Extractor,
  MemoryStores,
  RelationChances,
  StatementRelation,
} from '../../../src/memory/ports.ts'
import { createLocalEmbedder } from '../../../src/models/embedder/local-embedder.ts'
import { createLocalExtractor } from '../../../src/models/facts/local-extractor.ts'
import { createLocalRelation } from '../../../src/models/relation/local-relation.ts'
import { openInlineEngine } from '../../../src/stores/embedded/engine/inline.ts'
import { createEmbeddedMemoryStores } from '../../../src/stores/embedded/memory/stores.ts'
import { anItem, aRequest } from '../../support/small-memory.ts'
import { conversation } from '../conversation.ts'
import { openTestStores } from '../support.ts'

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
function remembering(embedder: Embedder, extractor: Extractor, relation: StatementRelation) {
  const encodings = new Map<string, Encoding>()
  const encode: Embedder['encode'] = async (texts) => {
    const missing = [...new Set(texts)].filter((text) => !encodings.has(text))
    const made = await embedder.encode(missing)
    missing.forEach((text, place) => {
      const encoding = made[place]
      if (encoding !== undefined) encodings.set(text, encoding)
    })
    return texts.map((text) => encodings.get(text) ?? { vector: new Float32Array(), tokens: null })
  }
  const extractions = new Map<string, Extraction>()
  const judgements = new Map<string, RelationChances>()
  const kept: { embedder: Embedder; extractor: Extractor; relation: StatementRelation } = {
    embedder: {
      identity: embedder.identity,
      encode,
      embed: async (texts) => (await encode(texts)).map(({ vector }) => vector),
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
    relation: {
      async judge(pairs) {
        const missing = pairs.filter((pair) => !judgements.has(JSON.stringify(pair)))
        const made = await relation.judge(missing)
        missing.forEach((pair, place) => {
          const chances = made[place]
          if (chances !== undefined) judgements.set(JSON.stringify(pair), chances)
        })
        return pairs.flatMap((pair) => judgements.get(JSON.stringify(pair)) ?? [])
      },
    },
  }
  return kept
}

let server: Awaited<ReturnType<typeof openTestStores>>
let models: ReturnType<typeof remembering>
const closing: (() => Promise<void>)[] = []

before(async () => {
  server = await openTestStores()
  const embedder = await createLocalEmbedder()
  const extractor = await createLocalExtractor()
  const relation = await createLocalRelation()
  models = remembering(embedder, extractor, relation)
  closing.push(
    () => server.close(),
    () => embedder.close(),
    () => extractor.close(),
    () => relation.close(),
  )
})
after(async () => {
  for (const close of closing) await close()
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
    // An engine may be too busy for a moment; a retry is safe, and what is stored already is known.
    for (let left = 5; ; left--) {
      const { failed, results } = await memory.ingestBatch(namespace, items)
      if (failed === 0) break
      assert.ok(left > 0, JSON.stringify(results.find((result) => 'error' in result)))
    }
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
