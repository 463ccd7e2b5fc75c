import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { type Config, readConfig } from '../src/config.ts'
import { systemClock } from '../src/core/clock.ts'
import { asNamespace, randomId } from '../src/core/ids.ts'
import { createMemory } from '../src/memory/create-memory.ts'
import { createLog } from '../src/observe/log.ts'
import { createMetrics } from '../src/observe/metrics.ts'
import { joinMemory } from '../src/service/memory.ts'
import { openEmbedder } from '../src/service/models.ts'
import { openReembedding } from '../src/service/reembed.ts'
import { item, unit } from '../src/stores/contracts/journal-drafts.ts'
import { openEngine } from '../src/stores/embedded/engine/engine.ts'
import { createEmbeddedMemoryStores } from '../src/stores/embedded/memory/stores.ts'
import { anItem } from './support/small-memory.ts'
import { createPatternExtractor, createWordRelation } from './support/small-models.ts'

const folder = await mkdtemp(path.join(tmpdir(), 'memoryd-reembed-'))
let requests = 0
let failAfter = Number.POSITIVE_INFINITY
/** Texts of equal length and beginning are told apart by what is in them. */
function embeddingOf(text: string): number[] {
  const sum = [...text].reduce((total, letter, at) => total + (letter.codePointAt(0) ?? 0) * (at + 1), 0)
  return [1, text.length / 100, (sum % 997) / 100, (sum % 89) / 10]
}

/** A model whose vectors have four numbers; it can be told to break down. */
const endpoint = createServer(async (request, response) => {
  const { input } = JSON.parse(String(Buffer.concat(await request.toArray())))
  requests += 1
  if (requests > failAfter) return response.writeHead(400).end('{}')
  const data = input.map((text: string, index: number) => ({ index, embedding: embeddingOf(text) }))
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }))
})
await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve))
after(async () => {
  endpoint.close()
  await rm(folder, { recursive: true })
})

function configured(dataDir = folder) {
  const { port } = endpoint.address() as AddressInfo
  const environment = { EMBEDDINGS_BASE_URL: `http://127.0.0.1:${port}/v1`, EMBEDDINGS_MODEL: 'tiny' }
  const { config } = readConfig({ DATA_DIR: dataDir, ...environment })
  assert.ok(config)
  return config
}

test('an interrupted reembed keeps every server out and goes on where it stopped', async () => {
  const mine = asNamespace('mine')
  const engine = await openEngine({ directory: folder })
  const { journal, vectors } = createEmbeddedMemoryStores(engine)
  await vectors.setIdentity({ model: 'old', weights: 'w', scale: 's', dimensions: 384 })
  for (let at = 0; at < 600; at++) await journal.remember(mine, item(`text ${at}`, { vector: unit(1, at) }))
  await engine.close()

  const config = configured()
  const log = createLog('silent')
  const steps: [number, number][] = []
  const run = async () => {
    const work = await openReembedding(config, log)
    try {
      return await work.run((done, total) => steps.push([done, total]))
    } finally {
      await work.close()
    }
  }
  // One request learns the dimensions; each step of 256 texts is a handful more.
  failAfter = 6
  await assert.rejects(run())
  assert.deepEqual(steps, [[256, 600]])
  failAfter = Number.POSITIVE_INFINITY
  await assert.rejects(startServer(config), { name: 'ModelMismatch' })
  assert.equal(await run(), 600)
  assert.deepEqual(steps, [
    [256, 600],
    [512, 600],
    [600, 600],
  ])
  const again = await openEngine({ directory: folder })
  const stores = createEmbeddedMemoryStores(again)
  assert.equal((await stores.vectors.identity())?.model, 'tiny')
  const [nearest] = await stores.episodic.nearest(mine, ['shared'], Float32Array.from([1, 0, 0, 0]), 1)
  assert.ok((nearest?.cosine ?? 0) > 0)
  await again.close()
})

/** Every vector, exact and rounded, by what it belongs to. */
function vectorsIn(directory: string) {
  const db = new DatabaseSync(path.join(directory, 'memory.db'), { readOnly: true })
  const rows = db
    .prepare(
      'SELECT kind, id, hex(vector) AS exact, hex(rounded) AS rounded FROM memory_text JOIN memory_vector USING (seq) ORDER BY kind, id',
    )
    .all()
  db.close()
  return rows.map(({ kind, ...row }) => ({ kind, ...row }))
}

test('with the same model a reembed gives every memory the vector that ingest gave it', async () => {
  const directory = path.join(folder, 'same')
  const config = configured(directory)
  const embedder = await openEmbedder(config)
  const engine = await openEngine({ directory })
  const stores = createEmbeddedMemoryStores(engine)
  await stores.vectors.setIdentity(embedder.identity)
  const memory = createMemory({
    ...{ stores, embedder, extractor: createPatternExtractor(), relation: createWordRelation() },
    ...{ llmExtractor: null, graphQa: null },
    ...{ compressContext: null, compressClusters: null, clock: systemClock, newId: randomId },
    settings: { halfLifeDays: 7, pruneThreshold: 0.05 },
  })
  const filler =
    'The harbour was full of boats that day and nobody could say where all of them had come from. '
  const texts = [
    '  I live in Lisbon. Ana works at Siemens. ',
    'Maria likes tea.',
    'Maria Silva knows Ana.',
    `I like chess. I like go. ${filler.repeat(8)}Tom lives in Oslo. ${filler.repeat(8)}Tom works at Nokia.`,
  ]
  for (const text of texts) await memory.ingest(asNamespace('mine'), anItem(text, { sessionId: 's' }))
  await memory.ingestBatch(
    asNamespace('theirs'),
    texts.map((text) => anItem(text, { source: 'document' })),
  )
  await memory.close()
  await engine.close()
  await embedder.close()

  const before = vectorsIn(directory)
  const kinds = Map.groupBy(before, ({ kind }) => kind)
  for (const kind of ['chunk', 'fact', 'entity']) assert.ok((kinds.get(kind)?.length ?? 0) > 8, kind)
  const work = await openReembedding(config, createLog('silent'))
  assert.equal(await work.run(() => {}), before.length)
  await work.close()
  assert.deepEqual(vectorsIn(directory), before)
})

test('a store of the model before is refused with the way out, and takes it', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'memoryd-reembed-'))
  const mine = asNamespace('mine')
  const engine = await openEngine({ directory })
  const { journal, vectors } = createEmbeddedMemoryStores(engine)
  const before = { model: 'gte-small', weights: '398a2999/int8', scale: 'centred-2', dimensions: 384 }
  await vectors.setIdentity(before)
  for (const text of ['I live in Lisbon.', 'My sister is a nurse.']) {
    await journal.remember(mine, item(text, { vector: unit(1, 384) }))
  }
  await engine.close()

  const { config } = readConfig({ DATA_DIR: directory })
  assert.ok(config)
  await assert.rejects(startServer(config), {
    name: 'ModelMismatch',
    message: /gte-small.*"memoryd reembed"/,
  })
  const steps: [number, number][] = []
  const work = await openReembedding(config, createLog('silent'))
  assert.equal(await work.run((done, total) => steps.push([done, total])), 2)
  await work.close()
  assert.deepEqual(steps, [[2, 2]])
  await startServer(config)
  await rm(directory, { recursive: true })
})

/** Starts a server's memory with the configured model on the store there, and ends it. */
async function startServer(config: Config): Promise<void> {
  const engine = await openEngine({ directory: config.dataDir })
  const embedder = await openEmbedder(config)
  const models = {
    embedder,
    extractor: { extract: async () => [] },
    relation: { judge: async () => [] },
    llm: null,
    close: async () => undefined,
  }
  const parts = {
    models,
    stores: createEmbeddedMemoryStores(engine),
    config,
    clock: { now: () => 1 },
    metrics: createMetrics({ processMetrics: false }),
    log: createLog('silent'),
    accountOf: async () => null,
  }
  try {
    await (await joinMemory(parts)).close()
  } finally {
    await embedder.close()
    await engine.close()
  }
}
