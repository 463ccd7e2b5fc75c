import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { startTestService } from './harness.ts'

const service = await startTestService({
  environment: { ALLOWED_HOSTS: 'memory.example.com, Box', ALLOWED_ORIGINS: 'https://app.example.com' },
})
after(() => service.close())

/** The error of the guard, or null when it let the request pass to what is there, or not. */
async function refusal(path: string, headers: Readonly<Record<string, string>>): Promise<unknown> {
  const { status, json } = await service.call('POST', path, { headers })
  assert.equal(status === 403, 'error' in json, JSON.stringify(json))
  return status === 403 ? json.error : null
}

for (const path of ['/mcp', '/hooks/any', '/console', '/console/page']) {
  describe(`${path} and browsers`, () => {
    for (const host of [
      ...['localhost', 'localhost:7420', '127.0.0.1:7420', '127.9.9.9', '[::1]:7420'],
      ...['memory.example.com', 'MEMORY.example.com:443', 'box:80'],
    ])
      test(`Host ${host} is ours`, async () => assert.equal(await refusal(path, { host }), null))

    for (const host of [
      ...['example.com', 'evil.memory.example.com', 'localhost.example.com:7420', '127.0.0.1.example.com'],
      ...['x@localhost', 'evil.com#@localhost', '10.0.0.4', '', 'a b'],
    ])
      test(`Host ${JSON.stringify(host)} is refused`, async () =>
        assert.equal(await refusal(path, { host }), 'host_refused'))

    for (const [host, origin] of [
      ['localhost:7420', 'http://localhost:3000'],
      ['127.0.0.1:7420', 'http://[::1]:7420'],
      ['localhost:7420', 'https://app.example.com'],
      ['memory.example.com', 'https://memory.example.com'],
    ] as const)
      test(`a page of ${origin} may call ${host}`, async () =>
        assert.equal(await refusal(path, { host, origin }), null))

    for (const origin of [
      ...['https://example.com', 'null', '', 'http://app.example.com', 'https://app.example.com.evil.com'],
      ...['https://memory.example.com', 'https://user@localhost', 'file://'],
    ])
      test(`a page of ${JSON.stringify(origin)} may not`, async () =>
        assert.equal(await refusal(path, { host: 'localhost', origin }), 'origin_refused'))
  })
}

test('the API itself is for programs under any name: its key is the check', async () => {
  const { key } = await service.newKey('pro')
  const headers = { host: 'example.com', origin: 'https://example.com' }
  const { status } = await service.call('POST', '/brain/stats', { key, headers, body: { user_id: '' } })
  assert.equal(status, 200)
})

describe('pages of another origin', () => {
  const preflight = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type,x-api-key',
  }
  const allowed = 'access-control-allow-origin'

  for (const path of ['/brain/retrieve', '/brain/documents/a/b.md', '/mcp']) {
    test(`${path}: one that is named may call it`, async () => {
      const headers = { ...preflight, origin: 'https://app.example.com' }
      const { status, headers: answered } = await service.call('OPTIONS', path, { headers })
      assert.equal(status, 204)
      assert.equal(answered.get(allowed), 'https://app.example.com')
      assert.match(answered.get('access-control-allow-headers') ?? '', /authorization, \*/)
    })

    test(`${path}: no other may`, async () => {
      const headers = { ...preflight, origin: 'https://example.com' }
      const { status, headers: answered } = await service.call('OPTIONS', path, { headers })
      assert.ok(status >= 400)
      assert.equal(answered.get(allowed), null)
    })
  }

  test('the one that is named reads replies and refusals; programs and others get no such header', async () => {
    const { key } = await service.newKey('pro')
    const ask = (headers: Record<string, string>, given: string) =>
      service.call('POST', '/brain/stats', { key: given, headers, body: { user_id: '' } })
    for (const given of [key, 'mem_wrong']) {
      const { headers } = await ask({ origin: 'https://app.example.com' }, given)
      assert.equal(headers.get(allowed), 'https://app.example.com')
      assert.equal(headers.get('access-control-expose-headers'), '*')
    }
    assert.equal((await ask({ origin: 'https://example.com' }, key)).headers.get(allowed), null)
    assert.equal((await ask({}, key)).headers.get(allowed), null)
  })

  test('what the operator uses is for no page', async () => {
    const headers = { ...preflight, origin: 'https://app.example.com' }
    const { status } = await service.call('OPTIONS', '/admin/keys', { headers })
    assert.equal(status, 405)
  })
})
