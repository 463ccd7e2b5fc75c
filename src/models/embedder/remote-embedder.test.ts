import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { test } from 'node:test'
import { ServiceError } from '../../core/errors.ts'
import type { RemoteEmbedderParts } from './remote-embedder.ts'
import { createRemoteEmbedder } from './remote-embedder.ts'

interface Call {
  readonly model: string
  readonly input: string[]
  readonly dimensions?: number
  readonly authorization: string | undefined
}

type Answer = (call: Call, response: ServerResponse, count: number) => void

/** Runs against a real server on loopback; `answer` sees how many calls came before. */
async function withServer(
  answer: Answer,
  use: (parts: RemoteEmbedderParts, calls: readonly Call[]) => Promise<void>,
): Promise<void> {
  const calls: Call[] = []
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const call = { ...((await json(request)) as Call), authorization: request.headers.authorization }
    calls.push(call)
    answer(call, response, calls.length - 1)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const baseUrl = `http://127.0.0.1:${port}/v1`
  try {
    await use(
      { baseUrl, apiKey: 'secret', model: 'm', dimensions: 2, timeoutMs: 5_000, random: () => 0 },
      calls,
    )
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const vectorOf = (text: string): number[] => [3 * text.length, 4 * text.length]

/** In reverse order: only `index` says which is which. */
const honest: Answer = ({ input }, response) => {
  const data = input.map((text, index) => ({ index, embedding: vectorOf(text) })).reverse()
  response.end(JSON.stringify({ data }))
}

const withCode =
  (code: string) =>
  (cause: unknown): boolean =>
    cause instanceof ServiceError && cause.code === code

test('gives unit vectors in the order of the texts, 64 a request, with key and model', () =>
  withServer(honest, async (parts, calls) => {
    const embedder = await createRemoteEmbedder(parts)
    const texts = Array.from({ length: 130 }, (_, i) => 'x'.repeat(i + 1))
    const vectors = await embedder.embed(texts)
    assert.equal(vectors.length, 130)
    assert.deepEqual(vectors[7], Float32Array.of(0.6, 0.8))
    assert.deepEqual(
      calls.map((call) => call.input.length),
      [64, 64, 2],
    )
    assert.equal(calls[0]?.authorization, 'Bearer secret')
    assert.equal(calls[0]?.model, 'm')
    assert.equal(calls[0]?.dimensions, 2)
    assert.deepEqual(embedder.identity, {
      model: 'm',
      weights: parts.baseUrl,
      scale: 'identity',
      dimensions: 2,
    })
  }))

test('encodes to the same vectors, and has no token vectors', () =>
  withServer(honest, async (parts) => {
    const embedder = await createRemoteEmbedder(parts)
    const [vector] = await embedder.embed(['tea'])
    assert.deepEqual(await embedder.encode(['tea']), [{ vector, tokens: null }])
  }))

test('finds out the dimensions when none are given, and does not ask for any', () =>
  withServer(honest, async ({ dimensions: _, ...parts }, calls) => {
    const embedder = await createRemoteEmbedder(parts)
    assert.equal(embedder.identity.dimensions, 2)
    assert.equal(calls[0]?.dimensions, undefined)
  }))

test('subtracts a configured mean, and the identity says so', () =>
  withServer(honest, async (parts) => {
    const mean = { version: 'own-1', vector: Float32Array.of(0.6, 0) }
    const embedder = await createRemoteEmbedder({ ...parts, mean })
    const [vector] = await embedder.embed(['a'])
    assert.ok(Math.abs((vector?.[0] ?? 1) - 0) < 1e-6 && Math.abs((vector?.[1] ?? 0) - 1) < 1e-6)
    assert.equal(embedder.identity.scale, 'own-1')
  }))

test('sends a long text in parts: all of it, and nothing twice', () =>
  withServer(honest, async (parts, calls) => {
    const embedder = await createRemoteEmbedder({ ...parts, maxCharacters: 10 })
    const vectors = await embedder.embed(['one two three four five', 'six'])
    assert.equal(vectors.length, 2)
    assert.equal(calls[0]?.input.join(''), 'one two three four fivesix')
  }))

for (const status of [429, 500, 503]) {
  test(`tries once more after ${status}`, () => {
    const answer: Answer = (call, response, count) => {
      if (count > 0) return honest(call, response, count)
      response.writeHead(status).end('{}')
    }
    return withServer(answer, async (parts, calls) => {
      const embedder = await createRemoteEmbedder(parts)
      assert.equal((await embedder.embed(['a'])).length, 1)
      assert.equal(calls.length, 2)
    })
  })
}

for (const [status, attempts] of [
  [503, 2],
  [400, 1],
  [401, 1],
] as const) {
  test(`rejects as unavailable when the answer stays ${status}, after ${attempts} attempts`, () =>
    withServer(
      (_, response) => response.writeHead(status).end('{}'),
      async (parts, calls) => {
        const embedder = await createRemoteEmbedder(parts)
        await assert.rejects(embedder.embed(['a']), withCode('embedder_unavailable'))
        assert.equal(calls.length, attempts)
      },
    ))
}

test('a silent endpoint is a deadline exceeded', () =>
  withServer(
    () => {},
    async (parts) => {
      const embedder = await createRemoteEmbedder({ ...parts, timeoutMs: 20 })
      await assert.rejects(embedder.embed(['a']), withCode('deadline_exceeded'))
    },
  ))

test('an endpoint that stops in the middle of its answer is a deadline exceeded', () =>
  withServer(
    (_, response) => void response.write('{"data": ['),
    async (parts) => {
      const embedder = await createRemoteEmbedder({ ...parts, timeoutMs: 20 })
      await assert.rejects(embedder.embed(['a']), withCode('deadline_exceeded'))
    },
  ))

test('an abort rejects with its reason', () =>
  withServer(
    () => {},
    async (parts) => {
      const embedder = await createRemoteEmbedder(parts)
      const reason = new Error('nobody waits')
      const controller = new AbortController()
      const call = embedder.embed(['a'], controller.signal)
      controller.abort(reason)
      await assert.rejects(call, reason)
    },
  ))

const unsound: Record<string, unknown> = {
  'a vector of another length': [{ index: 0, embedding: [1] }],
  'a number beyond 32 bits': [{ index: 0, embedding: [1e39, 0] }],
  'a missing vector': [],
  'two vectors for one text': [
    { index: 0, embedding: [1, 0] },
    { index: 0, embedding: [0, 1] },
  ],
  'no numbers': [{ index: 0, embedding: [null, null] }],
}
for (const [what, data] of Object.entries(unsound)) {
  test(`${what} is a rejection`, () =>
    withServer(
      (_, response) => void response.end(JSON.stringify({ data })),
      async (parts) => {
        const embedder = await createRemoteEmbedder(parts)
        await assert.rejects(embedder.embed(['a']))
      },
    ))
}

test('a redirect is refused: texts and key go to the configured address alone', () =>
  withServer(
    (_, response) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
    async (parts) => {
      const embedder = await createRemoteEmbedder(parts)
      await assert.rejects(embedder.embed(['a']), withCode('embedder_unavailable'))
    },
  ))
