import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { tiers } from '../src/accounts/tiers.ts'
import type { Route } from '../src/http/route.ts'
import { everyRoute } from '../src/http/routes/table.ts'
import { type CallOptions, type Reply, startTestService, type TestService, testModels } from './harness.ts'

const freeRate = tiers.free.requestsPerMinute ?? 0
const keyRoutes = everyRoute.filter(({ auth }) => auth === 'key')
const adminRoutes = everyRoute.filter(({ auth }) => auth === 'admin')
const withBody = keyRoutes.filter(({ body }) => body !== null)
const nameOf = ({ method, path }: Route) => `${method} ${path}`
const addressOf = ({ path }: Route) => path.replace('{type}', 'user').replace(/\{\w+\}/g, 'unknown-id')

const queryOf = ({ body, example }: Route) =>
  body === null && example !== null ? `?${new URLSearchParams(example as Record<string, string>)}` : ''

/** A request that passes every check of form. */
const valid = (route: Route): CallOptions => (route.body === null ? {} : { body: route.example ?? {} })

/** A body that nobody may look at: reading it fails the test. */
function untouchable(): { options: CallOptions; wasRead: () => boolean } {
  let read = false
  const raw = new ReadableStream(
    {
      pull: (controller) => {
        read = true
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  return { options: { raw, headers: { 'content-type': 'text/plain' } }, wasRead: () => read }
}

describe('order of checks', () => {
  let running: TestService
  let loading: TestService
  before(async () => {
    running = await startTestService()
    loading = await startTestService({ loaded: false })
  })
  after(() => Promise.all([running.close(), loading.close()]))

  const send = (service: TestService, route: Route, options: CallOptions) =>
    service.call(route.method, `${addressOf(route)}${queryOf(route)}`, options)

  describe('1 route and method', () => {
    for (const path of [
      '/',
      '/brain',
      '/brain/',
      '/brain/ingest/',
      '//brain/ingest',
      '/brain/nothing',
      '/BRAIN/ingest',
      '/brain/ingest%2f',
      '/%',
      '/brain/%zz',
      '/admin',
      '/..%2fbrain/ingest',
    ]) {
      test(`${path} is 404 with a JSON detail`, async () => {
        const { status, json } = await running.call('POST', path, { body: {} })
        assert.equal(status, 404)
        assert.match(String(json.detail), /\/docs/)
      })
    }
    for (const path of new Set(everyRoute.map((route) => addressOf(route)))) {
      const taken = everyRoute
        .filter((route) => addressOf(route) === path)
        .map(({ method }) => method as string)
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'].filter(
        (verb) => !taken.includes(verb),
      )) {
        test(`${method} ${path} is 405 and says what is allowed, whatever the key`, async () => {
          const { status, headers, json } = await running.call(method, path)
          assert.equal(status, 405)
          assert.equal(typeof json.detail, 'string')
          for (const allowed of taken) assert.ok(headers.get('allow')?.split(', ').includes(allowed))
        })
      }
    }
    test('HEAD is answered where GET is, without a body', async () => {
      const { status, text } = await running.call('HEAD', '/brain/health')
      assert.deepEqual({ status, text }, { status: 200, text: '' })
    })
  })

  describe('2 key, before everything else', () => {
    test('the 401 bodies are byte-equal for every kind of bad key, on every route', async () => {
      const revoked = await running.newKey('pro')
      await running.admin('DELETE', `/admin/keys/${revoked.id}`)
      const good = await running.newKey('pro')
      const bad: Record<string, CallOptions> = {
        missing: {},
        empty: { key: '' },
        malformed: { key: 'mem_short' },
        'wrong checksum': { key: `mem_${'a'.repeat(32)}` },
        revoked: { key: revoked.key },
        repeated: { key: `${good.key}, ${good.key}` },
        'two different ones': { key: good.key, headers: { authorization: `Bearer ${revoked.key}` } },
        'under another scheme': { headers: { authorization: `Basic ${good.key}` } },
        'two as bearers': { headers: { authorization: `Bearer ${good.key}, Bearer ${good.key}` } },
        'the admin token as a bearer': { headers: { authorization: 'Bearer test-admin-token-0123456789' } },
        'the admin token': { key: 'test-admin-token-0123456789' },
      }
      const bodies = new Set<string>()
      for (const route of keyRoutes) {
        for (const [kind, options] of Object.entries(bad)) {
          const { status, text, headers } = await send(running, route, options)
          assert.equal(status, 401, `${kind} on ${nameOf(route)}`)
          assert.equal(headers.get('www-authenticate'), 'Bearer')
          bodies.add(text)
        }
      }
      assert.deepEqual(
        [...bodies],
        ['{"detail":"Invalid or inactive API key; send one in the header x-api-key."}'],
      )
    })

    test('a key is taken as x-api-key, as a bearer, and as the same key in both', async () => {
      const { key } = await running.newKey('pro')
      const body = { user_id: '' }
      for (const options of [
        { key },
        { headers: { authorization: `Bearer ${key}` } },
        { headers: { authorization: `bearer  ${key}` } },
        { headers: { authorization: `Token ${key}` } },
        { key, headers: { authorization: `Bearer ${key}` } },
        // Whatever a proxy asks for is none of our business.
        { key, headers: { authorization: 'Basic dXNlcjpwYXNz' } },
      ]) {
        const { status, text } = await running.call('POST', '/brain/stats', { body, ...options })
        assert.equal(status, 200, `${JSON.stringify(options)}: ${text}`)
      }
    })

    for (const route of withBody) {
      test(`${nameOf(route)} answers 401 without reading the body, while loading too`, async () => {
        for (const service of [running, loading]) {
          const { options, wasRead } = untouchable()
          assert.equal((await send(service, route, options)).status, 401)
          assert.ok(!wasRead())
        }
      })
    }
  })

  describe('3 loading', () => {
    for (const route of keyRoutes.filter(({ isHook }) => isHook)) {
      test(`${nameOf(route)} answers an empty object, before rate, plan and form`, async () => {
        const { key } = await loading.newKey('free')
        for (let call = 0; call < freeRate + 5; call++) {
          const { options, wasRead } = untouchable()
          const { status, text } = await send(loading, route, { ...options, key })
          assert.deepEqual({ status, text }, { status: 200, text: '{}' })
          assert.ok(!wasRead())
        }
      })
    }
    for (const route of keyRoutes.filter(({ isHook }) => !isHook)) {
      test(`${nameOf(route)} answers 503 with Retry-After 30, before rate, plan and form`, async () => {
        const { key } = await loading.newKey('free')
        for (let call = 0; call < freeRate + 5; call++) {
          const { options, wasRead } = untouchable()
          const { status, headers, json } = await send(
            loading,
            route,
            route.body ? { ...options, key } : { key },
          )
          assert.equal(status, 503)
          assert.equal(headers.get('retry-after'), '30')
          assert.match(String(json.detail), /loading/)
          assert.ok(!wasRead())
        }
      })
    }
    test('health and the admin API answer meanwhile', async () => {
      const { status, json } = await loading.call('GET', '/brain/health')
      assert.equal(status, 200)
      assert.deepEqual(
        { ready: json.ready, models_loaded: json.models_loaded, neo4j: json.neo4j },
        { ready: false, models_loaded: false, neo4j: 'connected' },
      )
      assert.equal((await loading.admin('GET', '/admin/keys')).status, 200)
    })
    test('health says that models do not load, what helps, and nothing of the files, until they do', async () => {
      const [again, whole] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      let attempts = 0
      const loadModels = async () => {
        if (attempts++ === 0) throw new Error('/srv/words.bin is damaged')
        again.resolve()
        await whole.promise
        return testModels()
      }
      const service = await startTestService({ loaded: false, loadModels })
      const models = async () => (await service.call('GET', '/brain/health')).json.models
      assert.equal(await models(), 'loading')
      const loaded = service.service.loadModels()
      await again.promise
      assert.equal(await models(), 'error: models do not load; run "memoryd doctor" to see what is wrong')
      const { key } = await service.newKey('free')
      const { status, json } = await service.call('POST', '/brain/stats', { key, body: { user_id: 'me' } })
      assert.deepEqual([status, json.detail], [503, 'Models are still loading; retry in about 30 seconds.'])
      whole.resolve()
      await loaded
      assert.equal(await models(), 'loaded')
      await service.close()
    })
  })

  describe('4 rate', () => {
    for (const route of keyRoutes) {
      test(`${nameOf(route)} answers 429 over the rate, before plan and form; 400s have counted`, async () => {
        const { key } = await running.newKey('free')
        for (let call = 0; call < freeRate; call++) {
          const { status } = await send(running, route, { key, ...(route.body ? { raw: '[' } : {}) })
          assert.notEqual(status, 429)
        }
        const { options, wasRead } = untouchable()
        const { status, headers, json } = await send(
          running,
          route,
          route.body ? { ...options, key } : { key },
        )
        assert.equal(status, 429)
        assert.ok(!wasRead())
        assert.equal(json.error, 'rate_limit_exceeded')
        assert.equal(json.limit, 10)
        assert.equal(json.tier, 'free')
        assert.equal(typeof json.upgrade, 'string')
        assert.equal(typeof json.detail, 'string')
        assert.equal(headers.get('retry-after'), String(json.retry_after_seconds))
        running.clock.advance(61)
        assert.notEqual((await send(running, route, { key, ...valid(route) })).status, 429)
      })
    }
  })

  describe('5 plan', () => {
    const limited = keyRoutes.filter(({ requiredTier }) => requiredTier !== null)
    test('graph QA needs Starter', () =>
      assert.deepEqual(
        limited.map((route) => [nameOf(route), route.requiredTier]),
        [['POST /brain/retrieve/graph-qa', 'starter']],
      ))
    for (const route of limited) {
      test(`${nameOf(route)} answers 403 on a lower plan, before the body is read`, async () => {
        const { key } = await running.newKey('free')
        const { options, wasRead } = untouchable()
        const { status, json } = await send(running, route, { ...options, key })
        assert.equal(status, 403)
        assert.ok(!wasRead())
        assert.deepEqual(
          { error: json.error, required_tier: json.required_tier, tier: json.tier },
          { error: 'plan_required', required_tier: 'starter', tier: 'free' },
        )
        assert.equal(typeof json.upgrade, 'string')
        assert.equal(typeof json.detail, 'string')
      })
    }
  })

  describe('6 form: nothing of it is charged, and it comes before the budget', () => {
    for (const route of withBody) {
      test(`${nameOf(route)}: media type, size, JSON and fields, in this order`, async () => {
        const { key } = await running.newKey('enterprise', 0)
        const large = ' '.repeat(route.bodyBytes + 1)
        const expectations: [number, CallOptions][] = [
          [415, { raw: large, headers: { 'content-type': 'text/plain' } }],
          [415, { raw: '{}', headers: { 'content-encoding': 'gzip' } }],
          [413, { raw: large }],
          [400, { raw: '{"a":' }],
          [400, { raw: '[]' }],
          [400, { raw: '"text"' }],
          [400, { raw: '[[[[[[[[[1]]]]]]]]]' }],
          [
            400,
            {
              raw: JSON.stringify({ ...(route.example as object), other: 1 }).replace(
                '"other"',
                '"__proto__"',
              ),
            },
          ],
          [400, { raw: new Uint8Array([0x7b, 0xff, 0x7d]) }],
        ]
        for (const [expected, options] of expectations) {
          const { status, json } = await send(running, route, { ...options, key })
          assert.equal(status, expected)
          assert.equal(typeof json.detail, 'string')
          if (expected === 400) assert.ok(Array.isArray(json.errors) && json.errors.length > 0)
        }
      })
    }
  })

  describe('7 budget', () => {
    for (const route of keyRoutes.filter(({ costText }) => costText !== '0')) {
      test(`${nameOf(route)} answers 429 when its ops are not there`, async () => {
        const isFree = route.path === '/brain/retrieve/graph-qa'
        const { key } = await running.newKey('enterprise', 0)
        const { status, json } = await send(running, route, { key, ...valid(route) })
        if (isFree) return assert.equal(status, 200)
        assert.equal(status, 429)
        assert.equal(json.error, 'monthly_limit_exceeded')
        assert.equal(json.tier, 'enterprise')
        assert.equal(typeof json.upgrade, 'string')
        assert.equal(typeof json.detail, 'string')
      })
    }
    test('stats answers on an empty budget', async () => {
      const { key } = await running.newKey('enterprise', 0)
      assert.equal((await running.call('POST', '/brain/stats', { key, body: { user_id: 'x' } })).status, 200)
    })
  })

  describe('replies', () => {
    for (const route of keyRoutes.filter(({ params }) => params === null)) {
      test(`${nameOf(route)} answers its example in the documented form, with a request id`, async () => {
        const { key } = await running.newKey('pro')
        const { status, json, headers } = await send(running, route, { key, ...valid(route) })
        assert.equal(status, route.status, JSON.stringify(json))
        assertDocumented(route, json)
        assert.match(headers.get('x-request-id') ?? '', /^[\w.-]{1,64}$/)
      })
    }
  })

  describe('admin routes', () => {
    for (const route of adminRoutes) {
      test(`${nameOf(route)} takes the admin token alone`, async () => {
        const { key } = await running.newKey('enterprise')
        const bodies = new Set<string>()
        for (const headers of [
          {},
          { authorization: '' },
          { authorization: 'Bearer wrong' },
          { authorization: `Bearer ${key}` },
          { 'x-api-key': key },
          { authorization: 'Basic dGVzdDp0ZXN0' },
          { authorization: 'test-admin-token-0123456789' },
        ]) {
          const { options, wasRead } = untouchable()
          const given = {
            ...(route.body ? options : {}),
            headers: { ...(route.body ? options.headers : {}), ...headers },
          }
          const { status, text } = await send(running, route, given)
          assert.equal(status, 401)
          assert.ok(!wasRead())
          bodies.add(text)
        }
        assert.equal(bodies.size, 1)
      })
    }
  })
})

/** The reply has exactly the documented fields, in the documented form. */
function assertDocumented(route: Route, json: Reply['json']): void {
  const outcome = route.reply.safeParse(json)
  assert.ok(outcome.success, JSON.stringify(outcome.error?.issues))
  assert.deepEqual(outcome.data, json, 'a field is not documented')
}
