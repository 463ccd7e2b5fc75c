import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { startTestService } from './harness.ts'

const service = await startTestService()
const { key } = await service.newKey('enterprise')
after(() => service.close())

const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  service.call(method, `/brain/documents${path}`, { key, headers, ...(body === undefined ? {} : { body }) })

const problems = (json: Readonly<Record<string, unknown>>) => json.errors as { path: string }[]

describe('documents', () => {
  test('come back byte for byte, with their type and an ETag that is known again', async () => {
    const content = '# Ünï\r\n\r\n\tAna likes Tea.\u0000\u202e\ud83d\ude00\n\n```\ncode\n```\n'
    const put = await call('PUT', '/notes/a%20b.md', {
      content,
      content_type: 'text/plain',
      metadata: { v: 1 },
    })
    assert.equal(put.status, 200)
    assert.deepEqual([put.json.created, (put.json.document as { path: string }).path], [true, 'notes/a b.md'])
    const got = await call('GET', '/notes/a%20b.md')
    assert.equal(got.text, content)
    assert.equal(got.headers.get('content-type'), 'text/plain; charset=utf-8')
    const etag = got.headers.get('etag') ?? ''
    assert.equal(etag, put.headers.get('etag'))
    const known = await call('GET', '/notes/a%20b.md', undefined, { 'if-none-match': `"x", ${etag}` })
    assert.deepEqual([known.status, known.text, known.headers.get('etag')], [304, '', etag])
    const again = await call('PUT', '/notes/a%20b.md', {
      content,
      content_type: 'text/plain',
      metadata: { v: 1 },
    })
    assert.equal((again.json.indexed as { deduplicated: boolean }).deduplicated, true)
    const next = await call('PUT', '/notes/a%20b.md', { content: 'Ben likes Chess.' })
    assert.deepEqual([next.json.created, next.headers.get('etag') === etag], [false, false])
    const found = await service.call('POST', '/brain/retrieve', { key, body: { query: 'Tea', min_score: 0 } })
    assert.ok(!found.text.includes('Tea'), 'nothing of the first version is left')
    const gone = await call('DELETE', '/notes/a%20b.md')
    assert.deepEqual([gone.status, gone.json.path], [200, 'notes/a b.md'])
    assert.ok(Number(gone.json.memories) >= 1)
    for (const method of ['GET', 'DELETE']) assert.equal((await call(method, '/notes/a%20b.md')).status, 404)
  })

  test('have paths that cannot lead out of themselves', async () => {
    const refused = [
      '/a%2F..%2Fb',
      '/..%2Fb',
      '/b%2F..',
      '/a//b',
      '/a/',
      '/.%2Fa',
      '/a%5Cb',
      '/a%09b',
      '/%E2%80%AE',
    ]
    for (const path of [...refused, `/${'x'.repeat(513)}`]) {
      const { status, json } = await call('PUT', path, { content: 'x' })
      assert.equal(status, 400, path)
      assert.equal(problems(json)[0]?.path, 'path')
    }
    // An address itself is resolved before it is looked at.
    assert.equal((await call('PUT', '/a/../../../x', { content: 'x' })).status, 404)
    for (const path of ['/a%2Fb', '/…/x', `/${'y'.repeat(512)}`, '/.hidden', '/a/.../b'])
      assert.equal((await call('PUT', path, { content: 'x' })).status, 200, path)
    assert.equal((await call('GET', '/a/b')).text, 'x')
  })

  test('are bounded, and what is wrong is named', async () => {
    const refused: readonly (readonly [string, unknown])[] = [
      ...(['content'] as const).flatMap((field) =>
        [5, null, undefined].map((value) => [field, value] as const),
      ),
      ['content', 'x'.repeat(1024 * 1024 + 1)],
      ['content', 'é'.repeat(1024 * 512 + 1)],
      ['content_type', 'text/html'],
      ['metadata', []],
    ]
    for (const [field, value] of refused) {
      const { status, json } = await call('PUT', '/bounds', { content: 'x', [field]: value })
      assert.equal(status, 400, field)
      assert.equal(problems(json)[0]?.path, field)
    }
    assert.equal((await call('PUT', '/bounds?persona=*', { content: 'x' })).status, 400)
    assert.equal((await call('PUT', '/bounds', { content: '' })).status, 200)
    assert.equal((await call('GET', '?limit=0')).status, 400)
    assert.equal((await call('GET', `?prefix=${'x'.repeat(600)}`)).status, 400)
  })

  test('are listed by persona, prefix and page', async () => {
    for (const path of ['list/1', 'list/2', 'list/3'])
      await call('PUT', `/${path}?persona=work`, { content: path })
    const paths = async (query: string) => {
      const { json } = await call('GET', query)
      return [(json.documents as { path: string }[]).map(({ path }) => path), json.next_after]
    }
    assert.deepEqual(await paths('?persona=work&prefix=list/&limit=2'), [['list/1', 'list/2'], 'list/2'])
    assert.deepEqual(await paths('?persona=work&prefix=list/&limit=2&after=list/2'), [['list/3'], null])
    assert.deepEqual(await paths('?prefix=list/'), [[], null])
  })

  test('belong to their account alone, and cost as much as their text', async () => {
    const [one, other] = [await service.newKey('free', 16), await service.newKey('pro')]
    const as = (who: string, method: string, path: string, body?: unknown) =>
      service.call(method, `/brain/documents${path}`, { key: who, ...(body === undefined ? {} : { body }) })
    assert.equal((await as(one.key, 'PUT', '/mine', { content: 'x'.repeat(40_000) })).status, 200)
    assert.equal((await as(one.key, 'GET', '/mine')).status, 200)
    assert.equal((await as(one.key, 'PUT', '/more', { content: 'x' })).status, 200)
    assert.equal((await as(one.key, 'PUT', '/more', { content: 'y' })).status, 429)
    for (const method of ['GET', 'DELETE']) assert.equal((await as(other.key, method, '/mine')).status, 404)
    assert.deepEqual((await as(other.key, 'GET', '')).json.documents, [])
  })
})

describe('ingest names what it learned', () => {
  const ingest = (path: string, body: unknown) => service.call('POST', `/brain/ingest${path}`, { key, body })

  test('for one text and for a batch, in the names of the wire', async () => {
    const one = (await ingest('', { text: 'Eve likes Opera.', external_id: 'e1' })).json
    assert.equal((one.ids as string[]).length, 1)
    const [fact] = one.facts as { id: string; fact: string; triple: object; certainty: number }[]
    assert.deepEqual(
      [fact?.fact, fact?.triple, fact?.certainty],
      ['Eve likes Opera', { subject: 'Eve', relation: 'likes', object: 'Opera', negated: false }, 0.9],
    )
    assert.deepEqual(one.replaced, [])
    const items = [
      { text: 'Eve likes Opera.', external_id: 'e1' },
      { messages: [{ role: 'user', content: 'Zoe likes Jazz.' }] },
    ]
    const { results } = (await ingest('/batch', { items })).json
    const [again, talk] = results as { ids: string[]; deduplicated: boolean; facts: { fact: string }[] }[]
    assert.deepEqual([again?.deduplicated, again?.ids], [true, one.ids])
    assert.deepEqual(
      talk?.facts.map((told) => told.fact),
      ['Zoe likes Jazz'],
    )
  })

  test('a time of the future is refused before anything is charged, by its place', async () => {
    const now = service.clock.now()
    const items = [{ text: 'a' }, { messages: [{ role: 'user', content: 'b', occurred_at: now + 61 }] }]
    const { status, json } = await ingest('/batch', { items })
    assert.deepEqual([status, problems(json)[0]?.path], [400, 'items.1.messages.0.occurred_at'])
    assert.equal((await ingest('', { text: 'c', occurred_at: now + 59 })).status, 200)
  })
})

test('the pieces of a document are no pinned memories of a profile', async () => {
  const { key: own } = await service.newKey('pro')
  const ask = (method: string, path: string, body?: unknown) =>
    service.call(method, path, { key: own, ...(body === undefined ? {} : { body }) })
  await ask('PUT', '/brain/documents/a', { content: 'Ana likes Tea.' })
  assert.ok(!(await ask('GET', '/brain/profile')).text.includes('To be kept in mind'))
})
