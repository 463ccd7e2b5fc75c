import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { tiers } from '../src/accounts/tiers.ts'
import { clientOf } from '../src/http/callers.ts'
import { startTestService, type TestService } from './harness.ts'

const service = await startTestService()
after(() => service.close())

const usageOf = async (key: string, headers: Readonly<Record<string, string>> = {}) =>
  (await service.call('GET', '/brain/usage', { key, headers })).json

const rateOf = (headers: Headers) =>
  ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`))

describe('GET /brain/usage', () => {
  test('tells what the month has cost, what is left, and when it begins anew', async () => {
    const { key, account } = await service.newKey('starter', 20)
    const call = () => service.call('POST', '/brain/ingest', { key, body: { text: 'Ana likes Tea.' } })
    for (let calls = 0; calls < 3; calls++) await call()
    const { clients: _, rate: __, ...told } = await usageOf(key)
    const monthEnd = Date.UTC(2027, 1, 1) / 1000
    assert.deepEqual(told, {
      ...{ account, tier: 'starter', month: '2027-01', ops_used: 15, ops_limit: 20, ops_remaining: 5 },
      ...{ resets_at: monthEnd, batch_items: 20 },
    })
    await call()
    assert.equal((await call()).status, 429)
    assert.deepEqual([(await usageOf(key)).ops_used, (await usageOf(key)).ops_remaining], [20, 0])
  })

  test('has no limits to tell of where there are none', async () => {
    const { key } = await service.newKey('enterprise')
    const { ops_limit, ops_remaining, rate } = await usageOf(key)
    assert.deepEqual([ops_limit, ops_remaining, rate], [null, null, null])
  })

  test('names the programs that called, the last one first, for their account alone', async () => {
    const [ours, theirs] = [await service.newKey('pro'), await service.newKey('pro')]
    await usageOf(ours.key, { 'user-agent': 'codex/0.166.0 (linux)' })
    service.clock.advance(5)
    await usageOf(ours.key, { 'x-client': 'claude-code' })
    const { clients } = await usageOf(ours.key, { 'x-client': 'claude-code', 'user-agent': 'node' })
    const now = service.clock.now()
    assert.deepEqual(clients, [
      { client: 'claude-code', calls: 2, last_call_at: now },
      { client: 'codex', calls: 1, last_call_at: now - 5 },
    ])
    assert.deepEqual(
      ((await usageOf(theirs.key, { 'x-client': 'other' })).clients as { client: string }[]).map(
        ({ client }) => client,
      ),
      ['other'],
    )
  })

  test('keeps 20 names of an account, however many it invents', async () => {
    const { key } = await service.newKey('enterprise')
    for (let at = 0; at < 60; at++) await usageOf(key, { 'x-client': `client-${at}` })
    assert.equal(((await usageOf(key)).clients as unknown[]).length, 20)
  })
})

for (const [headers, expected] of [
  [{}, 'unknown'],
  [{ 'user-agent': 'python-httpx/0.28.1' }, 'python-httpx'],
  [{ 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)' }, 'Mozilla'],
  [{ 'user-agent': '(odd)' }, 'unknown'],
  [{ 'x-client': 'My agent 2', 'user-agent': 'node' }, 'My agent 2'],
  [{ 'x-client': '<script>alert(1)</script>' }, 'scriptalert1/script'],
  [{ 'x-client': '  ', 'user-agent': 'node' }, 'node'],
  [{ 'x-client': 'x'.repeat(200) }, 'x'.repeat(64)],
] as const) {
  test(`a caller with ${JSON.stringify(headers).slice(0, 60)} is shown as ${expected.slice(0, 20)}`, () =>
    assert.equal(clientOf(new Headers(headers)), expected))
}

describe('rate headers', () => {
  test('count down to the 429, whose wait they tell', async () => {
    const { key } = await service.newKey('free')
    const { requestsPerMinute } = tiers.free
    assert.ok(requestsPerMinute !== null)
    for (let left = requestsPerMinute - 1; left >= 0; left--) {
      const { headers } = await service.call('GET', '/brain/usage', { key })
      assert.deepEqual(rateOf(headers), [String(requestsPerMinute), String(left), '60'])
    }
    service.clock.advance(12.5)
    const { status, headers, json } = await service.call('GET', '/brain/usage', { key })
    assert.equal(status, 429)
    assert.deepEqual(rateOf(headers), [String(requestsPerMinute), '0', '48'])
    assert.deepEqual([headers.get('retry-after'), json.retry_after_seconds], ['48', 48])
    service.clock.advance(48)
    const { json: after } = await service.call('GET', '/brain/usage', { key })
    assert.deepEqual(after.rate, { limit: requestsPerMinute, remaining: 9, reset_seconds: 60 })
  })

  test('are on refusals behind the rate check, and on none before it', async () => {
    const { key } = await service.newKey('free')
    const headersOf = async (...call: Parameters<TestService['call']>) =>
      (await service.call(...call)).headers
    const body = { query: 'Who?' }
    assert.equal(rateOf(await headersOf('POST', '/brain/retrieve/graph-qa', { key, body }))[1], '9')
    assert.equal(rateOf(await headersOf('POST', '/brain/retrieve', { key, body: {} }))[1], '8')
    assert.equal(rateOf(await headersOf('GET', '/brain/memories/none', { key }))[1], '7')
    const none = [null, null, null]
    assert.deepEqual(rateOf(await headersOf('POST', '/brain/retrieve', { body })), none)
    assert.deepEqual(rateOf(await headersOf('GET', '/brain/health')), none)
    const { key: unlimited } = await service.newKey('enterprise')
    assert.deepEqual(rateOf(await headersOf('GET', '/brain/usage', { key: unlimited })), none)
  })
})
