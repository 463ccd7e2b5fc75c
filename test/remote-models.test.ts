import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { json } from 'node:stream/consumers'
import { after, beforeEach, test } from 'node:test'
import { doctor } from '../src/cli/doctor.ts'
import { createRemoteEmbedder } from '../src/models/embedder/remote-embedder.ts'
import { openEngine } from '../src/stores/embedded/engine/engine.ts'
import { createEmbeddedMemoryStores } from '../src/stores/embedded/memory/stores.ts'
import { startTestService } from './harness.ts'

/** Models behind one address, which answer with the status that a test sets. */
let status = 200
const endpoint = createServer(async (request, response) => {
  const body = (await json(request)) as { input?: string[] }
  const known = ['/v1/embeddings', '/v1/chat/completions'].includes(request.url ?? '')
  if (status !== 200 || !known) return response.writeHead(known ? status : 404).end('{}')
  const data = (body.input ?? []).map((_, index) => ({ index, embedding: [0.6, 0.8] }))
  response.end(JSON.stringify({ data, choices: [{ message: { content: 'Hi' } }] }))
})
await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve))
const origin = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`
const folder = mkdtempSync(path.join(tmpdir(), 'memoryd-remote-'))
beforeEach(() => {
  status = 200
})
after(() => {
  endpoint.close()
  rmSync(folder, { recursive: true, force: true })
})

const parts = { baseUrl: `${origin}/v1`, apiKey: null, model: 'm', timeoutMs: 5_000, random: () => 0 }

for (const failing of [401, 500]) {
  test(`an embeddings endpoint that answers ${failing} shows in health, and requests say so`, async () => {
    const embedder = await createRemoteEmbedder(parts)
    const service = await startTestService({ models: { embedder } })
    const { key } = await service.newKey('pro')
    const health = async () => (await service.call('GET', '/brain/health')).json
    assert.deepEqual([(await health()).ready, (await health()).models], [true, 'loaded'])

    status = failing
    const refused = await service.call('POST', '/brain/ingest', { key, body: { text: 'Ana likes Tea.' } })
    assert.deepEqual([refused.status, refused.json.error], [503, 'embedder_unavailable'])
    const { ready, models_loaded, models } = await health()
    assert.deepEqual([ready, models_loaded], [false, false])
    assert.equal(models, `error: the embeddings endpoint answered ${failing}`)

    status = 200
    const { status: stored } = await service.call('POST', '/brain/ingest', { key, body: { text: 'A text.' } })
    assert.deepEqual([stored, (await health()).ready], [200, true])
    await service.close()
    await embedder.close()
  })
}

test('a request that the endpoint finds wrong does not make the service unready', async () => {
  const embedder = await createRemoteEmbedder(parts)
  status = 400
  await assert.rejects(embedder.embed(['a']))
  assert.equal(embedder.problem?.(), null)
  await embedder.close()
})

async function examine(environment: Record<string, string>): Promise<{ code: number; said: string }> {
  const said: string[] = []
  const say = (text: string) => void said.push(text)
  const terminal = { outIsShown: false, errIsShown: false, out: say, err: say }
  const config = () => {
    throw new Error('the doctor reads the environment itself')
  }
  const settings = { DATA_DIR: folder, PORT: '0', ...environment }
  const code = await doctor.run([], { environment: settings, terminal, config })
  return { code, said: said.join('\n') }
}

const embeddings = { EMBEDDINGS_BASE_URL: `${origin}/v1`, EMBEDDINGS_MODEL: 'm' }
const llm = { LLM_BASE_URL: `${origin}/v1`, LLM_MODEL: 'stub' }

test('the doctor asks the configured models', async () => {
  const well = await examine({ ...embeddings, ...llm })
  assert.equal(well.code, 0, well.said)
  assert.match(well.said, /ok +embeddings: m answers with 2 dimensions/)
  assert.match(well.said, /ok +LLM: stub answers/)
})

for (const [what, environment, expected] of [
  ['an LLM address without /v1', { ...llm, LLM_BASE_URL: origin }, /PROBLEM +LLM: stub answered 404/],
  ['a dead LLM', { ...llm, LLM_BASE_URL: 'http://127.0.0.1:1/v1' }, /PROBLEM +LLM: stub cannot be reached/],
  [
    'dead embeddings',
    { ...embeddings, EMBEDDINGS_BASE_URL: 'http://127.0.0.1:1/v1' },
    /PROBLEM +embeddings: .*cannot be reached/,
  ],
] as const) {
  test(`the doctor finds ${what}`, async () => {
    const { code, said } = await examine(environment)
    assert.equal(code, 1)
    assert.match(said, expected)
  })
}

test('the doctor finds embeddings that refuse the key', async () => {
  status = 401
  const { code, said } = await examine(embeddings)
  assert.equal(code, 1)
  assert.match(said, /PROBLEM +embeddings: .*answered 401/)
})

test('the doctor finds a store whose vectors another model made', async () => {
  const engine = await openEngine({ directory: folder })
  const { vectors } = createEmbeddedMemoryStores(engine)
  await vectors.setIdentity({ model: 'other', weights: 'w', scale: 's', dimensions: 3 })
  await engine.close()
  for (const environment of [{}, embeddings]) {
    const { code, said } = await examine(environment)
    assert.equal(code, 1)
    assert.match(said, /PROBLEM +vectors: The stored vectors were made by other/)
  }
})
