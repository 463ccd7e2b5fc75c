import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import {
  AuthenticationError,
  BadRequestError,
  ConnectionError,
  type ListQuery,
  Memoryd,
  NotFoundError,
  RateLimitError,
  ServerError,
  TimeoutError,
  UnprocessableError,
} from '../src/index.ts'
import { startServer, type TestServer } from './server.ts'

describe('with a server', () => {
  let server: TestServer
  let client: Memoryd
  before(async () => {
    server = await startServer()
    client = new Memoryd({ url: `${server.url}/`, key: server.key })
  })
  after(() => server.close())

  test('what is remembered is recalled, in the persona of the client', async () => {
    const work = new Memoryd({ url: server.url, key: server.key, persona: 'work' })
    const reply = await work.remember('Our staging database listens on port 5433.')
    assert.equal(reply.episodic_chunks, 1)
    const { facts, context } = await work.recall('Which port has the staging database?')
    assert.equal(facts[0]?.persona, 'work')
    assert.match(context, /5433/)
    assert.deepEqual((await client.recall({ query: 'staging database', persona: 'home' })).facts, [])
    await client.remember({ text: 'The cellar is dry.', persona: 'home' })
    const told = async (query: ListQuery) =>
      (await Array.fromAsync(work.memories.list({ type: 'episodic', ...query }))).length
    assert.deepEqual(
      [await told({}), await told({ persona: 'home' }), await told({ persona: null })],
      [1, 1, 2],
    )
  })

  test('many texts go in portions, and come back page by page, each once', async () => {
    const texts = Array.from({ length: 45 }, (_, at) => `Locker ${at} belongs to team ${at * 7}.`)
    const items = texts.map((text) => ({ text, persona: 'lockers' }))
    const replies = await client.rememberAll(items)
    assert.deepEqual(
      replies.map(({ results }) => results.length),
      [20, 20, 5],
    )
    const found: string[] = []
    for await (const memory of client.memories.list({ persona: 'lockers', type: 'episodic', limit: 10 }))
      found.push(memory.fact)
    assert.deepEqual(found.sort(), texts.sort())
    let pages = 0
    for await (const page of client.memories.pages({ persona: 'lockers', type: 'episodic', limit: 10 })) {
      assert.ok(page.length <= 10)
      pages++
    }
    assert.equal(pages, 5)
  })

  test('a memory is read, corrected, told by its history and deleted', async () => {
    await client.remember({ text: 'The bins go out on Monday.', persona: 'bins' })
    const [memory] = await Array.fromAsync(client.memories.list({ persona: 'bins', type: 'episodic' }))
    assert.ok(memory)
    assert.equal((await client.memories.get(memory.id)).fact, 'The bins go out on Monday.')
    await client.memories.update(memory.id, { text: 'The bins go out on Tuesday.' })
    const { context } = await client.recall({ query: 'When do the bins go out?', persona: 'bins' })
    assert.match(context.split('\n')[0] ?? '', /Tuesday/)
    assert.ok((await client.memories.history(memory.id)).history.length > 0)
    await client.memories.delete(memory.id)
    await assert.rejects(client.memories.get(memory.id), NotFoundError)
  })

  test('forget shows first, then forgets', async () => {
    await client.remember({ text: 'Zanele plays the oboe.', persona: 'band' })
    const shown = await client.forget({ entity: 'Zanele', dry_run: true })
    assert.ok(shown.relations > 0)
    assert.match((await client.recall({ query: 'oboe', persona: 'band' })).context, /Zanele/)
    await client.forget({ entity: 'Zanele' })
    assert.equal((await client.recall({ query: 'oboe', persona: 'band' })).context, '')
  })

  test('the same key with the same text is one write; with another it is refused', async () => {
    const idempotencyKey = crypto.randomUUID()
    const told = { text: 'The gate code is 4711.', persona: 'gate' }
    const first = await client.remember(told, { idempotencyKey })
    assert.deepEqual(await client.remember(told, { idempotencyKey }), first)
    await assert.rejects(client.remember('something else', { idempotencyKey }), UnprocessableError)
  })

  test('a document is kept as it is and found by what it says; its second version leaves nothing of the first', async () => {
    const scope = { persona: 'docs' }
    const text = '# Runbook\n\n## Backups\n\nThe nightly dump goes to bucket ice-7.\n'
    await client.documents.put('ops/runbook.md', text, scope)
    assert.equal(await client.documents.get('ops/runbook.md', scope), text)
    const question = { query: 'Where does the nightly dump go?', ...scope }
    assert.match((await client.recall(question)).context, /ice-7/)
    await client.documents.put('ops/runbook.md', text.replace('ice-7', 'ice-9'), scope)
    const { context } = await client.recall(question)
    assert.match(context, /ice-9/)
    assert.doesNotMatch(context, /ice-7/)
    const { documents } = await client.documents.list({ prefix: 'ops/', ...scope })
    assert.deepEqual(
      documents.map(({ path }) => path),
      ['ops/runbook.md'],
    )
    await client.documents.delete('ops/runbook.md', scope)
    await assert.rejects(client.documents.get('ops/runbook.md', scope), NotFoundError)
  })

  test('metadata filters, a preview, the profile, the graph and the usage are there', async () => {
    await client.remember({
      text: 'Maria lives in Ghent.',
      persona: 'views',
      metadata: { topic: 'bees' },
    })
    const filter = { topic: 'bees' }
    assert.match(
      (await client.recall({ query: 'Where does Maria live?', persona: 'views', filter })).context,
      /Ghent/,
    )
    assert.equal(
      (await Array.fromAsync(client.memories.list({ persona: 'views', filter, type: 'episodic' }))).length,
      1,
    )
    assert.ok((await client.extract('My brother lives in Bruges.')).facts.length > 0)
    assert.equal(typeof (await client.profile({ persona: 'views' })).text, 'string')
    assert.ok((await client.graph({ entity: 'Maria' })).nodes.length > 0)
    assert.ok((await client.entities({ prefix: 'Mar' })).entities.length > 0)
    assert.ok((await client.usage()).ops_used > 0)
  })

  test('errors have a class, a code and the fields that are wrong', async () => {
    await assert.rejects(client.recall({ query: 'x', k: 0 }), (error) => {
      assert.ok(error instanceof BadRequestError)
      assert.equal(error.status, 400)
      assert.match(error.message, /\bk\b/)
      return true
    })
    const stranger = new Memoryd({ url: server.url, key: 'mk_unknown' })
    await assert.rejects(stranger.recall('x'), AuthenticationError)
  })
})

describe('with a network that fails', () => {
  const answers = (...list: (Response | Error)[]) => {
    const sent: Request[] = []
    const fetch: typeof globalThis.fetch = async (input, init) => {
      sent.push(new Request(input, init))
      const next = list.length > 1 ? list.shift() : list[0]
      if (next instanceof Error) throw next
      if (next === undefined) throw new Error('no answer left')
      return next.clone()
    }
    return { sent, client: new Memoryd({ url: 'http://memoryd.test', key: 'k', fetch }) }
  }
  const soon = { 'retry-after': '0' }
  const busy = new Response('{"detail":"busy","error":"store_unavailable"}', { status: 503, headers: soon })
  const done = Response.json({ facts_ingested: 1 })

  test('a write is sent again under the same idempotency key', async () => {
    const { sent, client } = answers(new TypeError('reset'), busy, done)
    assert.equal((await client.remember('I live in Lisbon.')).facts_ingested, 1)
    const keys = sent.map(({ headers }) => headers.get('idempotency-key'))
    assert.equal(keys.length, 3)
    assert.ok(keys[0])
    assert.deepEqual(new Set(keys).size, 1)
  })

  test('a redirect is not followed: texts and key go to the address that was named alone', async () => {
    const asked: (string | undefined)[] = []
    const other = createServer((request, response) => {
      asked.push(request.url)
      response.writeHead(307, { location: '/elsewhere' }).end()
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
    await assert.rejects(new Memoryd({ url, key: 'k' }).recall('x'), /leads to another address/)
    other.close()
    assert.deepEqual(asked, ['/brain/retrieve'])
  })

  test('what cannot get better is not sent again', async () => {
    for (const status of [400, 401, 403, 404, 422]) {
      const { sent, client } = answers(new Response('{"detail":"no"}', { status }))
      await assert.rejects(client.recall('x'))
      assert.equal(sent.length, 1)
    }
  })

  test('a month’s budget that is used up is told at once', async () => {
    const headers = { 'retry-after': '86400' }
    const { sent, client } = answers(new Response('{"detail":"used up"}', { status: 429, headers }))
    await assert.rejects(client.remember('x'), RateLimitError)
    assert.equal(sent.length, 1)
  })

  test('after the last try the last failure is told', async () => {
    const { sent, client } = answers(busy)
    await assert.rejects(client.recall('x', { maxRetries: 1 }), (error) => {
      assert.ok(error instanceof ServerError)
      assert.equal(error.code, 'store_unavailable')
      return true
    })
    assert.equal(sent.length, 2)
    const { client: cut } = answers(new TypeError('reset'))
    await assert.rejects(cut.recall('x', { maxRetries: 0 }), ConnectionError)
  })

  test('an answer that never comes ends with the time given, or with the caller’s signal', async () => {
    const fetch: typeof globalThis.fetch = (_, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
      })
    const client = new Memoryd({ url: 'http://memoryd.test', key: 'k', fetch, timeout: 20, maxRetries: 0 })
    await assert.rejects(client.recall('x'), TimeoutError)
    const own = new AbortController()
    const asked = client.recall('x', { signal: own.signal, timeout: 60_000 })
    own.abort(new Error('enough'))
    await assert.rejects(asked, /enough/)
  })

  test('without a key nothing is sent', () => {
    assert.throws(() => new Memoryd({ url: 'http://memoryd.test', key: '' }), /MEMORYD_API_KEY/)
  })
})
