import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { type Listening, listen } from '../src/http/server.ts'
import { createLog } from '../src/observe/log.ts'
import { adminToken, hashingEmbedder, startTestService, type TestService } from './harness.ts'
import { vectorsOnly } from './support/vectors-only.ts'

const log = createLog('silent')
const serve = (service: TestService) =>
  listen(service.service.app, { host: '127.0.0.1', port: 0 }, { capacity: service.service.capacity, log })

/** Sends bytes as they are and collects what comes back until the server closes. */
function raw(port: number, ...parts: readonly (string | Uint8Array)[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = ''
    const socket = connect(port, '127.0.0.1', () => {
      for (const part of parts) socket.write(part)
    })
    socket.on('data', (data) => {
      received += data.toString('latin1')
    })
    socket.on('close', () => resolve(received))
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // A server that has answered may cut off a client that is still sending.
      if (received === '' && error.code !== 'EPIPE' && error.code !== 'ECONNRESET') reject(error)
    })
  })
}

const head = (...lines: readonly string[]) =>
  `${lines.join('\r\n')}\r\nhost: localhost\r\nconnection: close\r\n\r\n`
const statusOf = (reply: string) => Number(reply.match(/^HTTP\/1\.1 (\d{3})/)?.[1])
const bodyOf = (reply: string) =>
  JSON.parse(reply.slice(reply.indexOf('\r\n\r\n') + 4).replace(/^[0-9a-f]+\r\n|\r\n0\r\n\r\n$/g, ''))

describe('over a socket', () => {
  let service: TestService
  let server: Listening
  let key: string
  before(async () => {
    service = await startTestService()
    server = await serve(service)
    key = (await service.newKey('enterprise')).key
  })
  after(async () => {
    await server.stop(1_000)
    await service.close()
  })

  test('a key header sent twice is 401, even when both are good', async () => {
    const reply = await raw(
      server.port,
      head('POST /brain/stats HTTP/1.1', `x-api-key: ${key}`, `X-API-Key: ${key}`, 'content-length: 0'),
    )
    assert.equal(statusOf(reply), 401)
  })

  test('the header name may be written in any case', async () => {
    const body = '{"user_id":"x"}'
    const reply = await raw(
      server.port,
      head('POST /brain/stats HTTP/1.1', `X-Api-KEY: ${key}`, `content-length: ${body.length}`),
      body,
    )
    assert.equal(statusOf(reply), 200)
  })

  test('an address of a document that was tidied on its way, or cannot be read, is refused', async () => {
    const asked = (path: string) =>
      raw(server.port, head(`GET /brain/documents/${path} HTTP/1.1`, `x-api-key: ${key}`))
    for (const path of ['tmp/../keep.md', 'tmp/%2e%2E/keep.md', './keep.md', 'v%FF.md', 'v%.md']) {
      const reply = await asked(path)
      assert.equal(statusOf(reply), 400, path)
      assert.equal(bodyOf(reply).errors[0].path, 'path')
    }
    for (const path of ['v%25.md', 'a/.../b', '.hidden?a=/../b'])
      assert.equal(statusOf(await asked(path)), 404, path)
  })

  test('a bad key is answered before the body arrives', async () => {
    const reply = await raw(
      server.port,
      head('POST /brain/ingest HTTP/1.1', 'x-api-key: mem_bad', 'content-length: 100000'),
    )
    assert.equal(statusOf(reply), 401)
  })

  test('a body that says it is too large is 413 before it arrives', async () => {
    const reply = await raw(
      server.port,
      head('POST /brain/ingest HTTP/1.1', `x-api-key: ${key}`, 'content-length: 262145'),
    )
    assert.equal(statusOf(reply), 413)
  })

  test('a chunked body is cut off with 413 when it passes the limit', async () => {
    const part = `10000\r\n${' '.repeat(0x10000)}\r\n`
    const reply = await raw(
      server.port,
      head('POST /brain/ingest HTTP/1.1', `x-api-key: ${key}`, 'transfer-encoding: chunked'),
      ...Array(40).fill(part),
    )
    assert.equal(statusOf(reply), 413)
  })

  for (const [title, request, status] of [
    ['nonsense', 'not http at all\r\n\r\n', 400],
    ['a header without end', `GET / HTTP/1.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 431],
    [
      'both lengths',
      'POST /brain/ingest HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['a host that is none', 'GET /brain/health HTTP/1.1\r\nhost: a b\r\nconnection: close\r\n\r\n', 400],
    ['a backslash in the path', 'GET /brain\\health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n', 400],
  ] as const) {
    test(`${title} is ${status} with a JSON detail`, async () => {
      const reply = await raw(server.port, request)
      assert.equal(statusOf(reply), status)
      assert.equal(typeof bodyOf(reply).detail, 'string')
    })
  }

  test('metrics ask for the token from this machine too: a proxy on it need not say that it is one', async () => {
    const address = `http://127.0.0.1:${server.port}/metrics`
    assert.equal((await fetch(address)).status, 401)
    const headers = { authorization: `Bearer ${adminToken}` }
    assert.equal((await fetch(address, { headers })).status, 200)
  })

  test('the API reference needs nothing from elsewhere and runs no script', async () => {
    const reply = await fetch(`http://127.0.0.1:${server.port}/docs`)
    const page = await reply.text()
    assert.equal(reply.status, 200)
    assert.match(
      reply.headers.get('content-security-policy') ?? '',
      /^default-src 'none'; style-src 'sha256-/,
    )
    assert.ok(!/<script|<link|<img|src=|https?:\/\/(?!127\.0\.0\.1)/.test(page), 'something would be loaded')
    for (const path of ['/brain/ingest', '/brain/memories/{id}/history', '/admin/keys'])
      assert.ok(page.includes(path))
  })
})

describe('shutting down', () => {
  /** A service whose embedder waits to be let go. */
  async function slowService() {
    const started = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    const hungUp = Promise.withResolvers<void>()
    const embed: typeof hashingEmbedder.embed = async (texts, signal) => {
      started.resolve()
      signal?.addEventListener('abort', () => hungUp.resolve())
      await gate.promise
      return hashingEmbedder.embed(texts, signal)
    }
    const service = await startTestService({
      models: { embedder: { ...hashingEmbedder, ...vectorsOnly(embed) } },
    })
    const { key } = await service.newKey('pro')
    const server = await serve(service)
    const ingest = (signal?: AbortSignal) =>
      fetch(`http://127.0.0.1:${server.port}/brain/ingest`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: '{"text":"Anna likes Tea."}',
        ...(signal === undefined ? {} : { signal }),
      })
    return {
      service,
      server,
      started: started.promise,
      hungUp: hungUp.promise,
      release: gate.resolve,
      ingest,
    }
  }

  test('requests in flight are answered, new ones are not taken', async () => {
    const { service, server, started, release, ingest } = await slowService()
    const running = ingest()
    await started
    const stopped = server.stop(5_000)
    await assert.rejects(ingest())
    release()
    assert.equal((await running).status, 200)
    await stopped
    await service.close()
  })

  test('a client that hangs up stops its work', { timeout: 20_000 }, async () => {
    const { service, server, started, hungUp, release, ingest } = await slowService()
    const client = new AbortController()
    const running = ingest(client.signal)
    await started
    client.abort()
    await assert.rejects(running)
    await hungUp
    release()
    await server.stop(5_000)
    assert.equal(service.service.capacity.inFlight(), 0)
    // The line is written when the work has ended, which nobody waits for any more.
    const isEnded = (line: string) => line.includes('"/brain/ingest"') && line.includes('"status":408')
    while (!service.lines.some(isEnded)) await new Promise((resume) => setImmediate(resume))
    await service.close()
  })
})
