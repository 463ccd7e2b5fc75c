import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type TierName, tiers } from '../src/accounts/tiers.ts'
import { ServiceError } from '../src/core/errors.ts'
import type { Llm } from '../src/memory/ports.ts'
import { hashingEmbedder, obedientLlm, startTestService, type TestService } from './harness.ts'

type Body = Readonly<Record<string, unknown>>

let service: TestService
let key: string
before(async () => {
  service = await startTestService()
  key = (await service.newKey('enterprise')).key
})
after(() => service.close())

const post = (path: string, body: Body, headers: Record<string, string> = {}) =>
  service.call('POST', path, { key, body, headers })

/** [field, refused values, accepted values] of a request, the other fields being valid. */
type FieldCase = readonly [field: string, refused: readonly unknown[], accepted: readonly unknown[]]

const ids: FieldCase[1] = ['', 'x'.repeat(129), 'a\nb', '\u202e', 5, {}, []]
const flags: FieldCase[1] = ['true', 1, 0, 'yes', {}]

const fields: Readonly<Record<string, { readonly base: Body; readonly cases: readonly FieldCase[] }>> = {
  '/brain/ingest': {
    base: { text: 'A text.' },
    cases: [
      ['text', [undefined, null, '', 5, [], {}, '\u0000', 'x'.repeat(32_769)], ['x', '😀'.repeat(32_768)]],
      ['persona', [...ids, '*'], [undefined, null, 'work', 'é', '😀'.repeat(128)]],
      ['source', ['User', 'system', '', 1], [undefined, null, 'user', 'assistant', 'document']],
      ['session_id', ids, [undefined, null, 's']],
      ['use_llm_extraction', flags, [undefined, null, true, false]],
      [
        'metadata',
        [[], 'x', 1, { a: { b: { c: { d: { e: {} } } } } }, { x: 'y'.repeat(16_384) }],
        [undefined, null, {}, { a: [1] }],
      ],
    ],
  },
  '/brain/retrieve': {
    base: { query: 'What?' },
    cases: [
      ['query', [undefined, null, '', 5, 'x'.repeat(4_097)], ['x', 'é'.repeat(4_096)]],
      ['k', [0, 21, -1, 1.5, '5', true, 1e99], [undefined, null, 1, 20, 5.0]],
      ['persona', [...ids, '*'], [undefined, null, 'work']],
      ['session_id', ids, [undefined, null, 's']],
      ['include_episodic', flags, [undefined, null, true, false]],
      ['include_semantic', flags, [undefined, null, true, false]],
      ['include_working', flags, [undefined, null, true, false]],
      ['max_hops', [0, 6, 1.5, '2'], [undefined, null, 1, 5]],
      ['min_score', [-0.1, 1.1, '0.5'], [undefined, null, 0, 1, 0.5]],
      ['use_compression', flags, [undefined, null, true, false]],
    ],
  },
  '/brain/retrieve/graph-qa': {
    base: { query: 'What?' },
    cases: [
      ['query', [undefined, null, '', 5], ['x']],
      ['max_hops', [0, 6, 2.5, '3'], [undefined, null, 1, 5]],
      ['k', [0, 51, '10', 1.5], [undefined, null, 1, 50]],
      ['persona', [...ids, '*'], [undefined, null, 'work']],
    ],
  },
  '/brain/consolidate': {
    base: {},
    cases: [
      ['persona', [...ids, '*'], [undefined, null, 'work']],
      ['force', flags, [undefined, null, true, false]],
    ],
  },
  '/brain/prune': {
    base: {},
    cases: [
      ['threshold', [-0.01, 1.01, '0.5', true], [undefined, null, 0, 1, 0.05]],
      ['dry_run', flags, [undefined, null, true]],
      ['persona', [...ids, '*'], [undefined, null, 'work']],
    ],
  },
  '/brain/stats': {
    base: { user_id: 'someone' },
    cases: [
      ['user_id', [undefined, null, 5, {}], ['', 'x', 'another account']],
      ['persona', ids, [undefined, null, 'work', '*']],
    ],
  },
}

for (const [path, { base, cases }] of Object.entries(fields)) {
  describe(`fields of ${path}`, () => {
    for (const [field, refused, accepted] of cases) {
      test(`${field}: wrong values are 400 and named, right ones are taken`, async () => {
        for (const value of refused) {
          const { status, json } = await post(path, { ...base, [field]: value })
          assert.equal(status, 400, JSON.stringify(value)?.slice(0, 60))
          assert.match(String(json.detail), new RegExp(field))
          assert.equal((json.errors as { path: string }[])[0]?.path, field)
        }
        for (const value of accepted) {
          const { status, json } = await post(path, { ...base, [field]: value })
          assert.equal(status, 200, `${JSON.stringify(value)?.slice(0, 60)}: ${JSON.stringify(json)}`)
        }
      })
    }
    test('unknown fields are ignored', async () =>
      assert.equal(
        (await post(path, { ...base, user_id: 'someone else', nonsense: [1, { a: 2 }] })).status,
        200,
      ))
  })
}

test('an empty body is {} for consolidate and prune, and 400 elsewhere', async () => {
  for (const [path, expected] of [
    ['/brain/consolidate', 200],
    ['/brain/prune', 200],
    ['/brain/ingest', 400],
    ['/brain/retrieve', 400],
    ['/brain/stats', 400],
  ] as const) {
    assert.equal((await service.call('POST', path, { key })).status, expected, path)
    assert.equal((await service.call('POST', path, { key, raw: '' })).status, expected, path)
  }
})

describe('batch', () => {
  const items = (count: number) => Array.from({ length: count }, (_, at) => ({ text: `Text number ${at}.` }))

  for (const tier of Object.keys(tiers) as TierName[]) {
    const { batchItems, title } = tiers[tier]
    test(`tier ${tier} takes ${batchItems} items and says so about ${batchItems + 1}; nothing is charged`, async () => {
      const own = await service.newKey(tier, 5 * batchItems)
      const over = await service.call('POST', '/brain/ingest/batch', {
        key: own.key,
        body: { items: items(batchItems + 1) },
      })
      assert.equal(over.status, 400)
      for (const part of [String(batchItems + 1), title, String(batchItems)])
        assert.ok(String(over.json.detail).includes(part))
      const full = await service.call('POST', '/brain/ingest/batch', {
        key: own.key,
        body: { items: items(batchItems) },
      })
      assert.equal(full.status, 200, full.text)
      assert.equal((full.json.results as unknown[]).length, batchItems)
      assert.equal(full.json.succeeded, batchItems)
    })
  }

  test('a list that no tier takes is told its count, a tier and its maximum too', async () => {
    const { status, json } = await post('/brain/ingest/batch', { items: items(1_001) })
    assert.equal(status, 400)
    for (const part of ['1001', 'Enterprise', '100 ']) assert.ok(String(json.detail).includes(part), part)
  })

  test('an empty batch is 400', async () => {
    const { status, json } = await post('/brain/ingest/batch', { items: [] })
    assert.equal(status, 400)
    assert.match(String(json.detail), /0|empty/)
  })

  test('one invalid item refuses the call, and is named by its index', async () => {
    const own = await service.newKey('pro', 15)
    const body = { items: [{ text: 'fine' }, { text: 'fine too', source: 'nobody' }, { text: '' }] }
    const { status, json } = await service.call('POST', '/brain/ingest/batch', { key: own.key, body })
    assert.equal(status, 400)
    assert.deepEqual(
      (json.errors as { path: string }[]).map(({ path }) => path),
      ['items.1.source', 'items.2.text'],
    )
    const stats = await service.call('POST', '/brain/stats', {
      key: own.key,
      body: { user_id: '', persona: '*' },
    })
    assert.equal(stats.json.episodic_count, 0)
  })
})

describe('budget and refunds', () => {
  test('200 parallel ingests against a budget of 137 of them: exactly 137 succeed', async () => {
    const own = await service.newKey('enterprise', 137 * 5)
    const calls = Array.from({ length: 200 }, (_, at) =>
      service.call('POST', '/brain/ingest', { key: own.key, body: { text: `Note ${at} of many.` } }),
    )
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 200).length, 137)
    assert.equal(statuses.filter((status) => status === 429).length, 63)
  })

  for (const [title, failure, status] of [
    ['a bug', new Error('a secret inside'), 500],
    ['a store that is down', new ServiceError('store_unavailable'), 503],
  ] as const) {
    test(`${title} answers ${status}, tells nothing, and gives the ops back`, async () => {
      let broken = true
      const embed: typeof hashingEmbedder.embed = async (texts, signal) => {
        if (broken) throw failure
        return hashingEmbedder.embed(texts, signal)
      }
      const failing = await startTestService({ models: { embedder: { ...hashingEmbedder, embed } } })
      const own = await failing.newKey('pro', 5)
      const ingest = () =>
        failing.call('POST', '/brain/ingest', { key: own.key, body: { text: 'Anna likes Tea.' } })
      const { status: answered, text, json } = await ingest()
      assert.equal(answered, status)
      assert.ok(!text.includes('secret'))
      if (status === 500) assert.equal(json.request_id, (await lastRequestId(failing)) ?? '')
      assert.equal((await ingest()).status, status)
      broken = false
      assert.equal((await ingest()).status, 200)
      assert.equal((await ingest()).status, 429)
      await failing.close()
    })
  }
})

async function lastRequestId({ lines }: TestService): Promise<string | undefined> {
  return lines.map((line) => JSON.parse(line)).findLast(({ msg }) => msg === 'request')?.request_id
}

describe('Idempotency-Key', () => {
  const body = { text: 'Berta likes Coffee.' }
  const ingest = (own: string, header: string, given: Body = body) =>
    service.call('POST', '/brain/ingest', { key: own, body: given, headers: { 'idempotency-key': header } })

  test('the same request again gets the same reply and costs nothing', async () => {
    const own = await service.newKey('pro', 5)
    const first = await ingest(own.key, 'one')
    const second = await ingest(own.key, 'one')
    assert.equal(first.status, 200)
    assert.equal(second.text, first.text)
    assert.equal(second.headers.get('idempotency-replayed'), 'true')
  })

  test('another body under the same key is 422; another account has its own keys', async () => {
    const [own, other] = await Promise.all([service.newKey('pro'), service.newKey('pro')])
    await ingest(own.key, 'two')
    assert.equal((await ingest(own.key, 'two', { text: 'Something else.' })).status, 422)
    assert.equal((await ingest(other.key, 'two', { text: 'Something else.' })).status, 200)
  })

  test('it is forgotten after 24 hours', async () => {
    const own = await service.newKey('pro', 10)
    await ingest(own.key, 'three')
    service.clock.advance(24 * 3_600 + 1)
    const again = await ingest(own.key, 'three')
    assert.equal(again.headers.get('idempotency-replayed'), null)
    assert.equal((await ingest(own.key, 'four')).status, 429)
  })

  test('while the first is running the second is 409; both cost once', async () => {
    const started = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    const embed: typeof hashingEmbedder.embed = async (texts, signal) => {
      started.resolve()
      await gate.promise
      return hashingEmbedder.embed(texts, signal)
    }
    const slow = await startTestService({ models: { embedder: { ...hashingEmbedder, embed } } })
    const own = await slow.newKey('pro', 5)
    const send = () =>
      slow.call('POST', '/brain/ingest', { key: own.key, body, headers: { 'idempotency-key': 'x' } })
    const first = send()
    await started.promise
    assert.equal((await send()).status, 409)
    gate.resolve()
    assert.equal((await first).status, 200)
    assert.equal((await send()).text, (await first).text)
    await slow.close()
  })

  test('a server failure is not replayed', async () => {
    let calls = 0
    const embed: typeof hashingEmbedder.embed = async (texts, signal) => {
      if (calls++ === 0) throw new ServiceError('store_unavailable')
      return hashingEmbedder.embed(texts, signal)
    }
    const flaky = await startTestService({ models: { embedder: { ...hashingEmbedder, embed } } })
    const own = await flaky.newKey('pro', 5)
    const send = () =>
      flaky.call('POST', '/brain/ingest', { key: own.key, body, headers: { 'idempotency-key': 'x' } })
    assert.deepEqual([(await send()).status, (await send()).status], [503, 200])
    await flaky.close()
  })

  for (const header of ['', 'é', 'x'.repeat(256)]) {
    test(`${JSON.stringify(header.slice(0, 5))} (${header.length}) is refused`, async () =>
      assert.equal((await ingest(key, header)).status, 400))
  }
})

describe('answers that cost nothing', () => {
  test('graph QA without an LLM', async () => {
    const own = await service.newKey('starter', 0)
    const { status, json } = await service.call('POST', '/brain/retrieve/graph-qa', {
      key: own.key,
      body: { query: 'Who?' },
    })
    assert.equal(status, 200)
    assert.deepEqual(json, { answer: '', error: 'LLM not available', facts_used: 0 })
  })

  test('consolidate within 10 minutes of a run', async () => {
    const own = await service.newKey('starter', 3)
    const run = (body: Body) => service.call('POST', '/brain/consolidate', { key: own.key, body })
    const started = service.clock.now()
    assert.equal((await run({})).json.skipped, false)
    const { status, json } = await run({})
    assert.equal(status, 200)
    assert.equal(json.skipped, true)
    assert.equal(json.last_run_at, started)
    assert.equal(json.memories_decayed, 0)
    assert.equal((await run({ force: true })).status, 429)
    service.clock.advance(601)
    assert.equal((await run({})).status, 429)
  })

  test('consolidate while another one is going on', async () => {
    const own = await service.newKey('starter', 6)
    const run = () => service.call('POST', '/brain/consolidate', { key: own.key, body: { force: true } })
    const both = await Promise.all([run(), run()])
    assert.deepEqual(both.map(({ json }) => json.skipped).sort(), [false, true])
    assert.equal((await run()).json.skipped, false)
    assert.equal((await run()).status, 429)
  })
})

describe('graph QA', () => {
  const asked = { query: 'What does Anna like?' }
  const start = async (llm: Llm, ops: number) => {
    const running = await startTestService({ models: { llm } })
    const own = await running.newKey('starter', ops)
    await running.call('POST', '/brain/ingest', { key: own.key, body: { text: 'Anna likes Tea.' } })
    return {
      running,
      ask: (body: Body) => running.call('POST', '/brain/retrieve/graph-qa', { key: own.key, body }),
    }
  }

  test('a failing LLM is 503 with the fields of an answer, and free', async () => {
    const fail = async (): Promise<never> => {
      throw new ServiceError('llm_unavailable')
    }
    const { running, ask } = await start({ text: fail, object: fail }, 15)
    for (let call = 0; call < 3; call++) {
      const { status, json } = await ask(asked)
      assert.equal(status, 503)
      assert.equal(typeof json.detail, 'string')
      assert.deepEqual([json.answer, json.error, json.facts_used], ['', 'LLM not available', 0])
    }
    await running.close()
  })

  test('an answer costs 10, and says what it used', async () => {
    const { running, ask } = await start(obedientLlm, 15)
    const { status, json } = await ask(asked)
    assert.equal(status, 200)
    assert.ok(Number(json.facts_used) >= 1)
    assert.equal((json.facts as string[]).length, json.facts_used)
    assert.equal((await ask(asked)).status, 429)
    await running.close()
  })
})

describe('admin API', () => {
  test('create, list, rotate with grace, revoke, change tier', async () => {
    const made = await service.admin('POST', '/admin/keys', { account: 'acme', tier: 'Pro', monthly_ops: 50 })
    assert.equal(made.status, 201)
    assert.match(String(made.json.key), /^mem_[0-9A-Za-z]{32}$/)
    assert.deepEqual({ account: made.json.account, tier: made.json.tier }, { account: 'acme', tier: 'pro' })

    const rotated = await service.admin('POST', `/admin/keys/${made.json.id}/rotate`, { grace_seconds: 60 })
    const works = async (given: unknown) =>
      (await service.call('POST', '/brain/stats', { key: String(given), body: { user_id: '' } })).status ===
      200
    assert.ok((await works(made.json.key)) && (await works(rotated.json.key)))
    service.clock.advance(61)
    assert.deepEqual([await works(made.json.key), await works(rotated.json.key)], [false, true])

    const again = await service.admin('POST', '/admin/keys', { account: 'acme', tier: 'scale' })
    const patched = await service.admin('PATCH', '/admin/accounts/acme', { tier: 'starter' })
    assert.deepEqual(patched.json, { account: 'acme', tier: 'starter', monthly_ops: 50 })

    assert.equal((await service.admin('DELETE', `/admin/keys/${again.json.id}`)).status, 200)
    assert.ok(!(await works(again.json.key)))
    const listed = await service.admin('GET', '/admin/keys')
    const mine = (listed.json.keys as { account: string; active: boolean }[]).filter(
      ({ account }) => account === 'acme',
    )
    assert.deepEqual(mine.map(({ active }) => active).sort(), [false, false, true])
    assert.ok(!listed.text.includes(String(made.json.key)))
  })

  test('unknown ids and accounts are 404, bad fields 400', async () => {
    for (const [method, path, body, status] of [
      ['POST', '/admin/keys/nobody/rotate', {}, 404],
      ['DELETE', '/admin/keys/nobody', undefined, 404],
      ['PATCH', '/admin/accounts/nobody', { tier: 'pro' }, 404],
      ['POST', '/admin/keys', { account: 'x', tier: 'gold' }, 400],
      ['POST', '/admin/keys', { account: '../x', tier: 'pro' }, 400],
      ['POST', '/admin/keys', { tier: 'pro' }, 400],
      ['POST', '/admin/keys', { account: 'x', tier: 'pro', monthly_ops: -1 }, 400],
    ] as const) {
      assert.equal((await service.admin(method, path, body)).status, status, `${method} ${path}`)
    }
  })
})

describe('metrics', () => {
  test('need the admin token from elsewhere, and name no account', async () => {
    assert.equal((await service.call('GET', '/metrics')).status, 401)
    const { status, text } = await service.admin('GET', '/metrics')
    assert.equal(status, 200)
    assert.match(
      text,
      /memoryd_http_requests_total\{method="POST",route="\/brain\/ingest",status="200"\} \d+/,
    )
    assert.ok(!/account-\d|acme/.test(text))
  })
})
