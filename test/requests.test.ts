import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { type TierName, tiers } from '../src/accounts/tiers.ts'
import { estimateTokens } from '../src/core/tokens.ts'
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
const blanks: FieldCase[1] = [' ', '\n\t ', '\u00a0\u3000', '\u0000 \u202e', '\u200b\u00ad\ufeff']
const flags: FieldCase[1] = ['true', 1, 0, 'yes', {}]

const times: FieldCase[1] = [-1, 1e13, '2024-01-01', '5', true, {}]
const manyFields = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, at]))
const wrongFilters: FieldCase[1] = [
  ...['kind', 5, true, [], [{ a: 1 }], {}, { and: [] }, { or: {} }, { not: [] }, { not: {} }, { '': 1 }],
  ...[
    { a: [1] },
    { a: {} },
    { a: { in: [] } },
    { a: { in: 'b' } },
    { a: { in: [[]] } },
    { a: { exists: 1 } },
  ],
  ...[
    { a: { in: [1], exists: true } },
    { a: { gt: 1 } },
    { a: { b: 1 } },
    { and: [{ a: 1 }, {}] },
    { or: [1] },
  ],
  ...[{ not: { not: { not: { not: { not: { a: 1 } } } } } }, manyFields(65), { a: 'x'.repeat(8_192) }],
]
const rightFilters: FieldCase[2] = [
  ...[{ a: 1 }, { a: 'b' }, { a: null }, { a: false }, { 'a.b': 1, c: 2 }, { a: { in: [1, 'b', null] } }],
  ...[{ a: { exists: false } }, { and: [{ a: 1 }, { or: [{ b: 1 }, { c: 1 }] }] }, { not: { a: 1 } }],
  ...[{ not: { not: { not: { not: { a: 1 } } } } }, manyFields(64), { a: 'x'.repeat(8_000) }],
]

const fields: Readonly<Record<string, { readonly base: Body; readonly cases: readonly FieldCase[] }>> = {
  '/brain/ingest': {
    base: { text: 'A text.' },
    cases: [
      [
        'text',
        [undefined, null, '', 5, [], {}, '\u0000', ...blanks, 'x'.repeat(32_769)],
        ['x', ' x ', '😀'.repeat(32_768)],
      ],
      ['persona', [...ids, '*'], [undefined, null, 'work', 'é', '😀'.repeat(128)]],
      ['source', ['User', 'system', '', 1], [undefined, null, 'user', 'assistant', 'document']],
      ['session_id', ids, [undefined, null, 's']],
      ['use_llm_extraction', flags, [undefined, null, true, false]],
      [
        'metadata',
        [[], 'x', 1, { a: { b: { c: { d: { e: {} } } } } }, { x: 'y'.repeat(16_384) }],
        [undefined, null, {}, { a: [1] }],
      ],
      ['external_id', ids, [undefined, null, 'mail-7', '😀'.repeat(128)]],
      [
        'occurred_at',
        ['2024-05-01', '1700000000', -1, true, {}, 1_800_000_061, 1e13],
        [undefined, null, 0, 1_700_000_000.25, 1_800_000_060],
      ],
    ],
  },
  '/brain/extract': {
    base: { text: 'A text.' },
    cases: [
      ['text', [undefined, null, '', 5, ...blanks, 'x'.repeat(32_769)], ['x', 'é'.repeat(1_000)]],
      ['persona', [...ids, '*'], [undefined, null, 'work']],
      ['source', ['User', ''], [undefined, null, 'document']],
      ['session_id', ids, [undefined, null, 's']],
      ['occurred_at', ['2024-05-01', -1, 1_800_000_061], [undefined, null, 0, 1_800_000_060]],
      ['use_llm_extraction', flags, [undefined, null, true]],
    ],
  },
  '/brain/retrieve': {
    base: { query: 'What?' },
    cases: [
      ['query', [undefined, null, '', 5, ...blanks, 'x'.repeat(4_097)], ['x', 'é'.repeat(4_096)]],
      ['k', [0, 21, -1, 1.5, '5', true, 1e99], [undefined, null, 1, 20, 5.0]],
      ['persona', [...ids, '*'], [undefined, null, 'work']],
      ['session_id', ids, [undefined, null, 's']],
      ['include_episodic', flags, [undefined, null, true, false]],
      ['include_semantic', flags, [undefined, null, true, false]],
      ['include_working', flags, [undefined, null, true, false]],
      ['max_hops', [0, 6, 1.5, '2'], [undefined, null, 1, 5]],
      ['min_score', [-0.1, 1.1, '0.5'], [undefined, null, 0, 1, 0.5]],
      ['use_compression', flags, [undefined, null, true, false]],
      ['since', times, [undefined, null, 0, 1_700_000_000.5, 1e12]],
      ['until', times, [undefined, null, 0, 1_700_000_000.5, 1e12]],
      ['as_of', times, [undefined, null, 0, 1_700_000_000.5, 1e12]],
      ['filter', wrongFilters, [undefined, null, ...rightFilters]],
      ['max_tokens', [0, -1, 1.5, '5', 100_001, true], [undefined, null, 1, 100_000]],
    ],
  },
  '/brain/forget': {
    base: { dry_run: true, filter: { a: 1 } },
    cases: [
      ['filter', wrongFilters, rightFilters],
      ['entity', [...ids, ...blanks], [undefined, null]],
    ],
  },
  '/brain/retrieve/graph-qa': {
    base: { query: 'What?' },
    cases: [
      ['query', [undefined, null, '', 5, ...blanks], ['x']],
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

test('a field that looks misspelt is named in the reply, and changes nothing', async () => {
  const told = await post('/brain/ingest', { text: 'A text of its own.', sesion_id: 's' })
  assert.deepEqual([told.status, told.json.warnings], [200, ['sesion_id: did you mean session_id?']])
  assert.equal(told.json.working_memory_updated, false)
  const batch = await post('/brain/ingest/batch', {
    items: [{ text: 'One.' }, { text: 'Two.', Source: 'user' }],
  })
  assert.deepEqual(batch.json.warnings, ['items.1.Source: did you mean source?'])
  const found = await service.call('GET', '/brain/memories?limits=3', { key })
  assert.deepEqual(found.json.warnings, ['limits: did you mean limit?'])
  assert.ok(!('warnings' in (await post('/brain/retrieve', { query: 'What?', user_id: 'me' })).json))
})

test('a refused request says which of its fields look misspelt', async () => {
  const asked = await post('/brain/retrieve', { qurey: 'Where do I live?' })
  assert.deepEqual([asked.status, asked.json.detail], [400, 'query is missing. qurey: did you mean query?'])
  const forgotten = await post('/brain/forget', { entiy: 'Ana' })
  assert.equal(forgotten.status, 400)
  assert.match(String(forgotten.json.detail), /entiy: did you mean entity\?$/)
  const patched = await service.call('PATCH', '/brain/memories/x', { key, body: { pined: true } })
  assert.deepEqual(
    [patched.status, patched.json.detail],
    [400, 'give text, pinned, or both. pined: did you mean pinned?'],
  )
})

const said = (content: string, more: Body = {}) => ({ role: 'user', content, ...more })

test('messages: wrong ones are 400 and named, right ones are taken', async () => {
  const refused = [
    ...[
      [],
      {},
      'x',
      [5],
      [{}],
      [said('')],
      [said('x'.repeat(32_769))],
      [said('x'), said('y', { role: 'tool' })],
    ],
    ...[[said('x', { name: 'a\nb' })], [said('x', { occurred_at: 1_800_000_061 })]],
    ...[[said('x', { occurred_at: 'now' })], Array.from({ length: 101 }, () => said('x'))],
    [said('x'.repeat(20_000)), said('y'.repeat(20_000))],
  ]
  for (const messages of refused) {
    const { status, json } = await post('/brain/ingest', { messages })
    assert.equal(status, 400, JSON.stringify(messages).slice(0, 60))
    assert.match((json.errors as { path: string }[])[0]?.path ?? '', /^messages/)
  }
  const accepted = [
    ...[[said('x')], [said('x', { name: 'Ana', occurred_at: 5 }), said('y', { role: 'assistant' })]],
    ...[[said('x', { role: 'system', name: null, occurred_at: null })], [said('z'.repeat(32_768))]],
  ]
  for (const messages of accepted) assert.equal((await post('/brain/ingest', { messages })).status, 200)
})

test('messages count as items of a batch, and each costs as much as one', async () => {
  const { key: free, account } = await service.newKey('free', 40)
  const messages = Array.from({ length: 6 }, (_, at) => said(`Number ${at}.`))
  const call = (path: string, body: Body) => service.call('POST', path, { key: free, body })
  const refused = await call('/brain/ingest', { messages })
  assert.equal(refused.status, 400)
  assert.match(String(refused.json.detail), /^messages has 6 entries/)
  const batch = { items: [{ messages: messages.slice(0, 3) }, { messages: messages.slice(3) }] }
  assert.equal((await call('/brain/ingest/batch', batch)).status, 400)
  assert.equal((await call('/brain/ingest', { messages: messages.slice(0, 5) })).status, 200)
  assert.equal((await call('/brain/ingest', { messages: messages.slice(2) })).status, 429, account)
})

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
    const body = { items: [{ text: 'fine' }, { text: 'fine too', source: 'nobody' }, { text: ' \n' }] }
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
    const whole = { key: own.key, body: { items: items(3) } }
    assert.equal(
      (await service.call('POST', '/brain/ingest/batch', whole)).status,
      200,
      'nothing was charged',
    )
  })
})

test('a dry run of forget says what would go and removes nothing; without it the same goes', async () => {
  const own = await service.newKey('pro')
  const call = async (path: string, body: Body) =>
    (await service.call('POST', `/brain/${path}`, { key: own.key, body })).json
  await call('ingest', { text: 'Ana likes Tea.' })
  await call('ingest', { text: 'Ben likes Chess.' })
  const preview = await call('forget', { entity: 'Ana', dry_run: true })
  const memories = preview.memories as { fact: string }[]
  assert.ok(memories.length > 0 && memories.every(({ fact }) => fact.includes('Ana')))
  assert.deepEqual([preview.dry_run, preview.sessions, preview.remaining], [true, null, null])
  assert.equal((await call('stats', { user_id: 'x' })).episodic_count, 2)
  const done = await call('forget', { entity: 'Ana' })
  assert.deepEqual([done.dry_run, done.memories, done.remaining], [false, null, 0])
  assert.deepEqual([done.chunks, done.relations], [preview.chunks, preview.relations])
  assert.equal((await call('stats', { user_id: 'x' })).episodic_count, 1)
})

test('the list takes a filter as JSON, goes on by its cursor, and says what is wrong with one', async () => {
  const own = await service.newKey('pro')
  for (let at = 0; at < 6; at++) {
    const metadata = { kind: at % 2 === 0 ? 'even' : 'odd', at }
    await service.call('POST', '/brain/ingest', {
      key: own.key,
      body: { text: `Ana likes Tea${at}.`, metadata },
    })
  }
  const list = (query: Record<string, string>) =>
    service.call('GET', `/brain/memories?${new URLSearchParams(query)}`, { key: own.key })
  const filter = JSON.stringify({ kind: 'odd', at: { in: [1, 2, 3] } })
  const kinds: unknown[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page = await list({ filter, limit: '1', ...(cursor === '' ? {} : { cursor }) })
    const memories = page.json.memories as { metadata: { kind: string; at: number } }[]
    assert.equal(memories.length, 1)
    kinds.push(memories[0]?.metadata.at)
    cursor = page.json.next_cursor as string | null
  }
  assert.deepEqual(kinds, [3, 3, 1, 1])
  for (const wrong of ['', '{', '5', '[]', '{}', '{"a":{"gt":1}}', `{"a":"${'x'.repeat(8_192)}"}`]) {
    const { status, json } = await list({ filter: wrong })
    assert.equal(status, 400, wrong)
    assert.match(String(json.detail), /^filter /)
    assert.equal((json.errors as { path: string }[])[0]?.path, 'filter')
  }
})

test('the list finds by words, by what is pinned and by what no longer holds', async () => {
  const { key } = await service.newKey('pro')
  const { json } = await service.call('POST', '/brain/ingest', { key, body: { text: 'Ana likes Tea.' } })
  const [id] = json.ids as string[]
  await service.call('PATCH', `/brain/memories/${id}`, {
    key,
    body: { text: 'Ana likes Juice.', pinned: true },
  })
  const list = async (query: string) => {
    const page = await service.call('GET', `/brain/memories?type=episodic&${query}`, { key })
    return (page.json.memories as { fact: string }[]).map(({ fact }) => fact)
  }
  assert.deepEqual(await list('text=likes%20JUICE'), ['Ana likes Juice.'])
  assert.deepEqual(await list('text=%25'), [])
  assert.deepEqual(await list('pinned=true'), ['Ana likes Juice.'])
  assert.deepEqual(await list('pinned=false'), ['Ana likes Tea.'])
  assert.deepEqual(await list('superseded=true'), ['Ana likes Tea.'])
  assert.deepEqual(await list('superseded=false'), ['Ana likes Juice.'])
  for (const wrong of ['pinned=1', 'superseded=yes', `text=${'x'.repeat(129)}`]) {
    const { status } = await service.call('GET', `/brain/memories?${wrong}`, { key })
    assert.equal(status, 400, wrong)
  }
})

test('a forget by filter takes only what has such metadata; a persona or session narrows it', async () => {
  const own = await service.newKey('pro')
  const call = async (path: string, body: Body) =>
    service.call('POST', `/brain/${path}`, { key: own.key, body })
  const tell = (text: string, body: Body) => call('ingest', { text, ...body })
  await tell('Ana likes Tea.', { metadata: { kind: 'a' }, persona: 'work' })
  await tell('Ben likes Chess.', { metadata: { kind: 'a' }, session_id: 's' })
  await tell('Cleo likes Rain.', { metadata: { kind: 'b' }, session_id: 's' })
  const filter = { kind: 'a' }
  const seen = await call('forget', { filter, dry_run: true })
  assert.deepEqual([seen.json.chunks, seen.json.relations], [2, 2])
  const narrow = await call('forget', { filter, session_id: 's' })
  assert.deepEqual([narrow.json.chunks, narrow.json.remaining], [1, 0])
  const other = await call('forget', { filter, persona: 'shared' })
  assert.equal(other.json.chunks, 0)
  assert.equal((await call('forget', { filter })).json.chunks, 1)
  const stats = await call('stats', { user_id: 'x', persona: '*' })
  assert.equal(stats.json.episodic_count, 1)
  for (const more of [{ ids: ['x'] }, { entity: 'Ana' }, { everything: true }]) {
    assert.equal((await call('forget', { filter, ...more })).status, 400)
  }
})

test('the context of a retrieve is never longer than max_tokens, and the facts are all there', async () => {
  const own = await service.newKey('pro')
  const call = async (path: string, body: Body) =>
    (await service.call('POST', `/brain/${path}`, { key: own.key, body })).json
  for (let at = 0; at < 8; at++)
    await call('ingest', { text: `Tea number ${'very '.repeat(at)}${at} is good.` })
  const question = { query: 'Which tea is good?', k: 20, min_score: 0 }
  const { context: whole, facts } = await call('retrieve', question)
  const all = String(whole).split('\n')
  let longest = 0
  for (let max_tokens = 1; max_tokens < 400; max_tokens += 7) {
    const reply = await call('retrieve', { ...question, max_tokens })
    const context = String(reply.context)
    assert.ok(estimateTokens(context) <= max_tokens)
    assert.equal((reply.facts as unknown[]).length, (facts as unknown[]).length)
    const lines = context === '' ? [] : context.split('\n')
    assert.ok(lines.every((line) => all.includes(line)))
    longest = Math.max(longest, lines.length)
  }
  assert.ok(longest > 3)
  const roomy = await call('retrieve', { ...question, max_tokens: 100_000 })
  assert.equal(roomy.context, whole)
})

for (const [path, body, detail] of [
  ['/brain/ingest', { content: 'A text.' }, /^text is missing\.$/],
  ['/brain/ingest', { messages: 'A text.' }, /^messages must be an array of messages\.$/],
  ['/brain/ingest', { text: 'A', messages: [said('B')] }, /^give text or messages, not both\.$/],
  ['/brain/ingest', { messages: [said('x'), { role: 'user' }] }, /^content is missing \(at messages\.1\./],
  ['/brain/ingest', { text: null }, /^text must be a string\.$/],
  ['/brain/retrieve', {}, /^query is missing\.$/],
  ['/brain/retrieve', { query: 'x', since: 9, until: 9 }, /^until must be later than since\.$/],
  ['/brain/retrieve', { query: 'x', since: '2024' }, /^since must be Unix time in seconds from 0 /],
  ['/brain/stats', {}, /^user_id is missing\.$/],
  ['/brain/ingest/batch', { items: ['A text.'] }, /^the item must be a JSON object \(at items\.0\)\.$/],
] as const) {
  test(`${path} with ${JSON.stringify(body)} is told what is wrong`, async () => {
    const { status, json } = await post(path, body)
    assert.equal(status, 400)
    assert.match(String(json.detail), detail)
  })
}
