import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { withFolder } from './support/services.ts'

const main = path.resolve(import.meta.dirname, '../../src/main.ts')

/** An embeddings endpoint that holds back its answers for texts with "slow" in them until it is released. */
async function startEndpoint() {
  const held = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const { input }: { input: string[] } = JSON.parse(Buffer.concat(parts).toString('utf8'))
    if (input.some((text) => text.includes('slow'))) {
      asked.resolve()
      await held.promise
    }
    const embedding = Array.from({ length: 8 }, (_, at) => Math.sin(at + input.join().length))
    const data = input.map((_, index) => ({ object: 'embedding', index, embedding }))
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ object: 'list', data, model: 'm', usage: {} }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    asked: asked.promise,
    release: () => held.resolve(),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function startServer(dataDir: string, baseUrl: string) {
  const { PATH, HOME } = process.env
  const child = spawn(process.execPath, [main], {
    env: {
      ...{ PATH, HOME, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' },
      ...{ EMBEDDINGS_BASE_URL: baseUrl, EMBEDDINGS_MODEL: 'm' },
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let address: string | undefined
  for await (const line of createInterface({ input: child.stdout })) {
    address = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0]
    if (address !== undefined) break
  }
  const key = (await readFile(path.join(dataDir, 'default-key'), 'utf8')).trim()
  const post = (route: string, body: unknown) =>
    fetch(`${address}${route}`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  return { child, post }
}

test('SIGTERM with requests in flight: they are answered, new ones are not taken, the exit code is 0, all is kept', () =>
  withFolder(async (dataDir) => {
    const endpoint = await startEndpoint()
    try {
      const first = await startServer(dataDir, endpoint.baseUrl)
      const inFlight = Array.from({ length: 4 }, (_, at) =>
        first.post('/brain/ingest', { text: `slow text ${at}` }),
      )
      await endpoint.asked
      const ended = once(first.child, 'exit')
      first.child.kill('SIGTERM')
      // Refused, or answered 503, from the moment the signal has arrived.
      const isTaken = () =>
        first.post('/brain/ingest', { text: 'late text' }).then(
          ({ status }) => status < 500,
          () => false,
        )
      while (await isTaken());
      endpoint.release()
      const statuses = (await Promise.all(inFlight)).map(({ status }) => status)
      assert.deepEqual(statuses, [200, 200, 200, 200])
      assert.deepEqual(await ended, [0, null])
      assert.equal(await readFile(path.join(dataDir, 'state'), 'utf8'), 'closed')

      const second = await startServer(dataDir, endpoint.baseUrl)
      const response = await second.post('/brain/stats', { user_id: 'x', persona: '*' })
      const { episodic_count } = (await response.json()) as { episodic_count: number }
      assert.ok(episodic_count >= 4, `${episodic_count}`)
      const again = once(second.child, 'exit')
      second.child.kill('SIGTERM')
      assert.deepEqual(await again, [0, null])
    } finally {
      endpoint.close()
    }
  }))
