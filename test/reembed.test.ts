import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { readConfig } from '../src/config.ts'
import { asNamespace } from '../src/core/ids.ts'
import { createLog } from '../src/observe/log.ts'
import { joinMemory } from '../src/service/memory.ts'
import { openReembedding } from '../src/service/reembed.ts'
import { item, unit } from '../src/stores/contracts/journal-drafts.ts'
import { openEngine } from '../src/stores/embedded/engine/engine.ts'
import { createEmbeddedMemoryStores } from '../src/stores/embedded/memory/stores.ts'

const folder = await mkdtemp(path.join(tmpdir(), 'memoryd-reembed-'))
let requests = 0
let failAfter = Number.POSITIVE_INFINITY
/** A model whose vectors have four numbers; it can be told to break down. */
const endpoint = createServer(async (request, response) => {
  const { input } = JSON.parse(String(Buffer.concat(await request.toArray())))
  requests += 1
  if (requests > failAfter) return response.writeHead(400).end('{}')
  const data = input.map((text: string, index: number) => ({ index, embedding: [1, text.length, 0, 1] }))
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }))
})
await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve))
after(async () => {
  endpoint.close()
  await rm(folder, { recursive: true })
})

function configured() {
  const { port } = endpoint.address() as AddressInfo
  const environment = { EMBEDDINGS_BASE_URL: `http://127.0.0.1:${port}/v1`, EMBEDDINGS_MODEL: 'tiny' }
  const { config } = readConfig({ DATA_DIR: folder, ...environment })
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
  await assert.rejects(refusedServer(), { name: 'ModelMismatch' })
  assert.equal(await run(), 600)
  assert.deepEqual(steps, [
    [256, 600],
    [512, 600],
    [600, 600],
  ])
  const again = await openEngine({ directory: folder })
  const stores = createEmbeddedMemoryStores(again)
  assert.equal((await stores.vectors.identity())?.model, 'tiny')
  const [nearest] = await stores.episodic.nearest(mine, 'shared', Float32Array.from([1, 0, 0, 0]), 1)
  assert.ok((nearest?.cosine ?? 0) > 0)
  await again.close()
})

/** A server with the new model, on a store whose vectors are only partly the new model's. */
async function refusedServer(): Promise<void> {
  const { openEmbedder } = await import('../src/service/models.ts')
  const config = configured()
  const engine = await openEngine({ directory: folder })
  const embedder = await openEmbedder(config)
  const models = {
    embedder,
    extractor: { extract: async () => [] },
    knowsWord: () => false,
    llm: null,
    close: async () => undefined,
  }
  const parts = {
    models,
    stores: createEmbeddedMemoryStores(engine),
    config,
    clock: { now: () => 1 },
    log: createLog('silent'),
  }
  try {
    await (await joinMemory(parts)).close()
  } finally {
    await embedder.close()
    await engine.close()
  }
}
