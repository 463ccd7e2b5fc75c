import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { type TierName, tiers } from '../src/accounts/tiers.ts'
import { startTestService } from './harness.ts'

type Body = Readonly<Record<string, unknown>>

const service = await startTestService()
const { key } = await service.newKey('enterprise')
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
