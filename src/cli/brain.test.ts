import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { z } from 'zod'
import { brainAt, Refused } from './brain.ts'

const reply = z.object({ answer: z.number() })

/** A server that answers the nth call with the nth of these. */
async function serverOf(answers: readonly ((response: ServerResponse) => void)[]) {
  const keys: unknown[] = []
  const server = createServer((request, response) => {
    keys.push(request.headers['idempotency-key'])
    answers[keys.length - 1]?.(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, keys, close: () => server.close() }
}

const saying =
  (status: number, body: object, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

test('what may come right is sent again under the same idempotency key, after the time that the server names', async () => {
  const server = await serverOf([
    saying(429, { detail: 'Too many requests.' }, { 'retry-after': '2' }),
    saying(503, { detail: 'Busy.' }),
    (response) => response.destroy(),
    saying(200, { answer: 42 }),
  ])
  const waits: string[] = []
  const waiting = (reason: string, seconds: number) => waits.push(`${reason} ${seconds}`)
  const brain = brainAt({ url: server.url, key: 'k' }, { patienceMs: 10_000, waiting })
  assert.deepEqual(await brain.call(reply, 'POST', '/brain/x', {}), { answer: 42 })
  assert.equal(server.keys.length, 4)
  assert.equal(new Set(server.keys).size, 1)
  assert.deepEqual(waits, [`the server at ${server.url} says: Too many requests. 2`])
  server.close()
})

test('a redirect is told and not followed: texts and key go to the address that was named alone', async () => {
  const elsewhere = await serverOf([saying(200, { answer: 42 })])
  const server = await serverOf([saying(307, {}, { location: `${elsewhere.url}/brain/x` })])
  const brain = brainAt({ url: server.url, key: 'k' }, { patienceMs: 10_000, waiting: () => {} })
  await assert.rejects(brain.call(reply, 'POST', '/brain/x', {}), new RegExp(`on to ${elsewhere.url}`))
  assert.deepEqual([server.keys.length, elsewhere.keys.length], [1, 0])
  server.close()
  elsewhere.close()
})

test('a server that asks to be tried again at once is not asked for ever', async () => {
  const now = { 'retry-after': '0' }
  const server = await serverOf(Array.from({ length: 9 }, () => saying(503, { detail: 'Busy.' }, now)))
  await assert.rejects(brainAt({ url: server.url, key: 'k' }).call(reply, 'GET', '/brain/x'), /Busy/)
  assert.equal(server.keys.length, 1)
  server.close()
})

test('what cannot come right, or not soon enough, is told at once', async () => {
  const server = await serverOf([
    saying(400, { detail: 'text is missing.', errors: [{ path: 'items.3.text', message: 'm' }] }),
    saying(429, { detail: 'The month is used up.', error: 'monthly_limit_exceeded' }),
    saying(503, { detail: 'Back tomorrow.' }, { 'retry-after': '86400' }),
  ])
  const brain = brainAt({ url: server.url, key: 'k' }, { patienceMs: 10_000, waiting: () => {} })
  await assert.rejects(brain.call(reply, 'POST', '/brain/x', {}), (error: unknown) => {
    assert.ok(error instanceof Refused)
    assert.deepEqual([error.status, error.paths], [400, ['items.3.text']])
    return /says: text is missing/.test(error.message)
  })
  await assert.rejects(brain.call(reply, 'POST', '/brain/x', {}), /The month is used up/)
  await assert.rejects(brain.call(reply, 'POST', '/brain/x', {}), /Back tomorrow/)
  server.close()
})
