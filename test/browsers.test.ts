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
