import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { mock, test } from 'node:test'
import { listen } from '../../src/http/server.ts'
import type { Extractor } from '../../src/memory/ports.ts'
import { createRemoteEmbedder } from '../../src/models/embedder/remote-embedder.ts'
import { createLog } from '../../src/observe/log.ts'
import { startTestService, type TestService, threeWordExtractor } from '../harness.ts'
import { createHeldEmbedder } from './support/services.ts'

const dimensions = 8

/** An embeddings endpoint that answers each text with whatever `vector` gives. */
async function startEndpoint(vector: () => unknown) {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const { input }: { input: string[] } = JSON.parse(Buffer.concat(parts).toString('utf8'))
    const data = input.map((_, index) => ({ object: 'embedding', index, embedding: vector() }))
    response.setHeader('content-type', 'application/json')
    // Written by hand: JSON.stringify turns infinity into null.
    response.end(JSON.stringify({ object: 'list', data, model: 'm', usage: {} }).replaceAll('"∞"', '1e999'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { baseUrl: `http://127.0.0.1:${port}/v1`, close }
}

const ingest = (service: TestService, key: string, text: string) =>
  service.call('POST', '/brain/ingest', { key, body: { text } })
const stored = async (service: TestService, key: string) =>
  (await service.call('POST', '/brain/stats', { key, body: { user_id: 'x', persona: '*' } })).json

const good = () => Array.from({ length: dimensions }, () => Math.random() - 0.5)
const broken: Readonly<Record<string, () => unknown>> = {
  'not a number': () => ['NaN', ...good().slice(1)],
  infinite: () => ['∞', ...good().slice(1)],
  null: () => null,
  'of too few dimensions': () => good().slice(1),
  'of too many dimensions': () => [...good(), 1],
}

for (const [what, vector] of Object.entries(broken)) {
  test(`an embedding that is ${what}: 5xx, the ops come back, nothing is stored, and the next one works`, async () => {
    let answer: () => unknown = good
    const { baseUrl, close } = await startEndpoint(() => answer())
    const parts = { baseUrl, apiKey: null, model: 'm', timeoutMs: 5_000, random: Math.random }
    const embedder = await createRemoteEmbedder(parts)
    const service = await startTestService({ models: { embedder } })
    try {
      const { key } = await service.newKey('enterprise', 5)
      answer = vector
      for (let attempt = 0; attempt < 2; attempt++) {
        const { status } = await ingest(service, key, 'Anna likes Tea.')
        assert.ok(status >= 500, `${status}`)
      }
      const counts = await stored(service, key)
      assert.deepEqual(
        [counts.episodic_count, counts.semantic_relations, counts.semantic_entities],
        [0, 0, 0],
      )
      answer = good
      // The budget covers exactly this one.
      assert.equal((await ingest(service, key, 'Anna likes Tea.')).status, 200)
    } finally {
      await service.close()
      close()
    }
  })
}

test('an embedder that hangs: the deadline answers, the ops come back, nothing is stored', async () => {
  const embedder = createHeldEmbedder()
  const service = await startTestService({ models: { embedder } })
  const { key } = await service.newKey('enterprise', 5)
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    const waiting = ingest(service, key, 'Anna likes Tea.')
    await embedder.asked
    mock.timers.tick(600_000)
    const { status } = await waiting
    assert.ok(status === 503 || status === 504, `${status}`)
  } finally {
    mock.timers.reset()
  }
  embedder.release()
  assert.equal((await stored(service, key)).episodic_count, 0)
  assert.equal((await ingest(service, key, 'Anna likes Tea.')).status, 200)
  await service.close()
})

test('an extractor that hangs: the deadline answers, nothing is stored, and a retry stores all', async () => {
  const asked = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  // It hears no signal: what it reads in the end must not be stored.
  const extractor: Extractor = {
    extract: async (inputs, signal) => {
      asked.resolve()
      await gate.promise
      return threeWordExtractor.extract(inputs, signal)
    },
  }
  const service = await startTestService({ models: { extractor } })
  const { key } = await service.newKey('enterprise', 5)
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    const waiting = ingest(service, key, 'Anna likes Tea.')
    await asked.promise
    mock.timers.tick(600_000)
    assert.equal((await waiting).json.error, 'deadline_exceeded')
  } finally {
    mock.timers.reset()
  }
  gate.resolve()
  await new Promise((resume) => setImmediate(resume))
  assert.equal((await stored(service, key)).episodic_count, 0)
  const { status, json } = await ingest(service, key, 'Anna likes Tea.')
  assert.deepEqual([status, json.facts_ingested, json.deduplicated], [200, 1, false])
  await service.close()
})

test('a client that hangs up in the middle of a request leaves the server whole and its place free', async () => {
  const embedder = createHeldEmbedder()
  const service = await startTestService({ models: { embedder } })
  const { capacity, app } = service.service
  const server = await listen(app, { host: '127.0.0.1', port: 0 }, { capacity, log: createLog('silent') })
  const { key } = await service.newKey('enterprise')
  const body = JSON.stringify({ text: 'Anna likes Tea.' })
  const head = `POST /brain/ingest HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\n`
  const socket = connect(server.port, '127.0.0.1')
  socket.write(`${head}content-length: ${body.length}\r\n\r\n${body}`)
  await embedder.asked
  assert.equal(capacity.inFlight(), 1)
  socket.destroy()
  // The work ends because its signal fires: the embedder is still held.
  while (capacity.inFlight() > 0) await new Promise((resume) => setImmediate(resume))
  embedder.release()
  assert.equal((await stored(service, key)).episodic_count, 0)

  // One that hangs up while it still sends.
  const half = connect(server.port, '127.0.0.1')
  half.write(`${head}content-length: 1000\r\n\r\n{"text":`)
  await new Promise<void>((resolve) => half.once('connect', () => resolve()))
  half.destroy()
  assert.equal((await ingest(service, key, 'Anna likes Tea.')).status, 200)
  assert.equal((await stored(service, key)).episodic_count, 1)
  await server.stop(1_000)
  await service.close()
})
