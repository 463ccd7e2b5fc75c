import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Reply, startTestService, type TestService } from './harness.ts'

interface Shown {
  readonly id: string
  readonly memory: string
  readonly [name: string]: unknown
}

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

/** One tenant, as mem0's clients call: the key as a token, paths with a slash at the end. */
class Client {
  readonly key: string
  constructor(key: string) {
    this.key = key
  }
  call(method: string, path: string, body?: unknown): Promise<Reply> {
    const headers = { authorization: `Token ${this.key}` }
    return service.call(method, `/compat/mem0${path}`, { headers, ...(body === undefined ? {} : { body }) })
  }
  async add(content: string, about: object = { user_id: 'alice' }): Promise<Shown> {
    const messages = [{ role: 'user', content }]
    const reply = await this.call('POST', '/v3/memories/add/', { messages, ...about })
    assert.equal(reply.status, 200, reply.text)
    const [first] = reply.json.results as Shown[]
    assert.ok(first !== undefined, reply.text)
    return first
  }
  async search(query: string, filters: object, more: object = {}): Promise<string[]> {
    const reply = await this.call('POST', '/v3/memories/search/', { query, filters, threshold: 0, ...more })
    assert.equal(reply.status, 200, reply.text)
    return (reply.json.results as Shown[]).map(({ memory }) => memory)
  }
  async all(filters: object = {}): Promise<string[]> {
    const reply = await this.call('POST', '/v3/memories/', { filters })
    assert.equal(reply.status, 200, reply.text)
    return (reply.json.results as Shown[]).map(({ memory }) => memory).sort()
  }
}

async function newClient(tier: 'free' | 'enterprise' = 'enterprise', monthlyOps?: number): Promise<Client> {
  return new Client((await service.newKey(tier, monthlyOps)).key)
}

describe('what mem0 calls', () => {
  test('ping answers a right key, and a wrong one is refused as everywhere', async () => {
    const client = await newClient()
    const { status, json } = await client.call('GET', '/v1/ping/')
    assert.equal(status, 200)
    const { project_id, ...rest } = json
    assert.match(String(project_id), /^account-\d+$/)
    assert.deepEqual(rest, { status: 'ok', user_email: null, org_id: 'memoryd' })
    for (const [method, path, body] of [
      ['GET', '/v1/ping/'],
      ['POST', '/v3/memories/add/', { messages: 'x' }],
      ['POST', '/v3/memories/search/', { query: 'x' }],
      ['POST', '/v3/memories/', {}],
      ['GET', '/v1/memories/x/'],
      ['PUT', '/v1/memories/x/', { text: 'x' }],
      ['DELETE', '/v1/memories/x/'],
      ['GET', '/v1/memories/x/history/'],
      ['DELETE', '/v1/memories/?user_id=x'],
      ['GET', '/v1/entities/'],
      ['DELETE', '/v2/entities/user/x/'],
    ] as const) {
      const refused = await new Client(`${client.key.slice(0, -1)}!`).call(method, path, body)
      assert.equal(refused.status, 401, `${method} ${path}`)
    }
  })

  test('a memory comes back with its owners and metadata, from every call that shows it', async () => {
    const client = await newClient()
    const owners = { user_id: 'alice', agent_id: 'tutor', app_id: 'school', run_id: 'lesson-1' }
    const added = await client.add('Maria visits Lisbon.', { ...owners, metadata: { topic: 'travel' } })
    assert.deepEqual({ ...added, id: '' }, { id: '', memory: 'Maria visits Lisbon.', event: 'ADD' })
    const got = (await client.call('GET', `/v1/memories/${added.id}/`)).json
    const { created_at, ...rest } = got
    assert.match(String(created_at), /^2027-01-15T08:00:00/)
    assert.deepEqual(rest, {
      ...{ id: added.id, memory: 'Maria visits Lisbon.', ...owners },
      ...{ metadata: { topic: 'travel' }, categories: [], updated_at: created_at },
    })
    const listed = (await client.call('POST', '/v3/memories/')).json
    assert.deepEqual(listed, { count: 1, next: null, previous: null, results: [got] })
    const body = { query: 'Who visits Lisbon?', filters: { user_id: 'alice' } }
    const [found] = (await client.call('POST', '/v3/memories/search/', body)).json.results as Shown[]
    assert.ok(found !== undefined)
    const { score, ...same } = found
    assert.deepEqual(same, got)
    assert.ok(Number(score) > 0)
  })

  test('each message is a memory of its own; instructions and results of tools are none; a repetition is no news', async () => {
    const client = await newClient()
    const messages = [
      { role: 'system', content: 'You are a helpful assistant.' },
      { role: 'user', content: 'Anna likes Tea.' },
      { role: 'assistant', content: [{ type: 'text', text: 'Noted: Anna likes Tea very much.' }] },
      { role: 'assistant', content: null },
      { role: 'tool', content: 'ok' },
    ]
    const once = (await client.call('POST', '/v3/memories/add/', { messages, user_id: 'alice' })).json
    assert.deepEqual(
      (once.results as Shown[]).map(({ memory, event }) => [memory, event]),
      [
        ['Anna likes Tea.', 'ADD'],
        ['Noted: Anna likes Tea very much.', 'ADD'],
      ],
    )
    const again = (await client.call('POST', '/v3/memories/add/', { messages, user_id: 'alice' })).json
    assert.deepEqual(
      (again.results as Shown[]).map(({ id, event }) => [id, event]),
      (once.results as Shown[]).map(({ id }) => [id, 'NOOP']),
    )
    const sources = (await service.call('GET', '/brain/memories?type=episodic', { key: client.key })).json
    assert.deepEqual((sources.memories as { source: string }[]).map(({ source }) => source).sort(), [
      'assistant',
      'user',
    ])
  })

  test('a timestamp is when it was said: memories are in that order, and none is said in the future', async () => {
    const client = await newClient()
    const now = service.clock.now()
    await client.add('Anna visits Porto.')
    const { id } = await client.add('Anna visits Lisbon.', { user_id: 'alice', timestamp: now - 86_400 })
    const { created_at } = (await client.call('GET', `/v1/memories/${id}/`)).json
    assert.equal(created_at, new Date((now - 86_400) * 1_000).toISOString())
    const { results } = (await client.call('POST', '/v3/memories/')).json
    const texts = (results as Shown[]).map(({ memory }) => memory)
    assert.deepEqual(texts, ['Anna visits Porto.', 'Anna visits Lisbon.'])
    const body = { messages: 'Anna visits Faro.', user_id: 'alice', timestamp: now + 3_600 }
    const { status, json } = await client.call('POST', '/v3/memories/add/', body)
    assert.equal(status, 400)
    assert.deepEqual(json.errors, [{ path: 'timestamp', message: 'timestamp must not be in the future' }])
    assert.equal((await client.all()).length, 2)
  })

  test('facts are read from what is told, and none with infer false', async () => {
    const facts = async (client: Client) =>
      (await service.call('GET', '/brain/memories?type=semantic', { key: client.key })).json.memories
    const [reading, plain] = [await newClient(), await newClient()]
    await reading.add('Anna likes Tea.')
    await plain.add('Anna likes Tea.', { user_id: 'alice', infer: false })
    assert.equal(((await facts(reading)) as unknown[]).length, 1)
    assert.deepEqual(await facts(plain), [])
    assert.deepEqual(await plain.search('What does Anna like?', { user_id: 'alice' }), ['Anna likes Tea.'])
  })

  test('a search gives what it is asked for at most, the best first, and touches nothing else', async () => {
    const client = await newClient()
    for (const name of ['Anna', 'Bert', 'Carl']) await client.add(`${name} likes Tea.`)
    await client.add('Carl likes Tea.', {})
    const found = await client.search('Carl likes Tea', { user_id: 'alice' }, { top_k: 1 })
    assert.deepEqual(found, ['Carl likes Tea.'])
    await service.call('POST', '/brain/prune', { key: client.key, body: { dry_run: true } })
    const { memories } = (await service.call('GET', '/brain/memories?type=episodic', { key: client.key }))
      .json
    const accessed = (memories as { access_count: number; fact: string; persona: string }[])
      .filter(({ access_count }) => access_count > 0)
      .map(({ fact, persona }) => [fact, persona])
    assert.deepEqual(accessed, [['Carl likes Tea.', 'alice']])
  })

  test('an update takes the place of the memory; both ids lead to it, and the history tells', async () => {
    const client = await newClient()
    const { id } = await client.add('Anna visits Lisbon.')
    service.clock.advance(60)
    const once = (await client.call('PUT', `/v1/memories/${id}/`, { text: 'Anna visits Porto.' })).json
    service.clock.advance(60)
    const twice = (await client.call('PUT', `/v1/memories/${id}/`, { text: 'Anna visits Faro.' })).json
    assert.equal(twice.memory, 'Anna visits Faro.')
    for (const edition of [id, once.id, twice.id]) {
      const { json } = await client.call('GET', `/v1/memories/${edition}/`)
      assert.deepEqual([json.id, json.memory], [twice.id, 'Anna visits Faro.'])
    }
    assert.deepEqual(await client.all({ user_id: 'alice' }), ['Anna visits Faro.'])
    assert.deepEqual(await client.search('Where is Anna?', { user_id: 'alice' }), ['Anna visits Faro.'])
    const history = (await client.call('GET', `/v1/memories/${id}/history/`)).json as unknown as Shown[]
    assert.deepEqual(
      history.map(({ event, old_memory, new_memory }) => [event, old_memory, new_memory]),
      [
        ['ADD', null, 'Anna visits Lisbon.'],
        ['UPDATE', 'Anna visits Lisbon.', 'Anna visits Porto.'],
        ['UPDATE', 'Anna visits Porto.', 'Anna visits Faro.'],
      ],
    )
  })

  test('a deleted memory is gone with everything that it was', async () => {
    const client = await newClient()
    const { id } = await client.add('Anna visits Lisbon.')
    await client.add('Nobody knows Anna.')
    service.clock.advance(60)
    await client.call('PUT', `/v1/memories/${id}/`, { text: 'Anna visits Porto.' })
    assert.equal((await client.call('DELETE', `/v1/memories/${id}/`)).status, 200)
    assert.equal((await client.call('GET', `/v1/memories/${id}/`)).status, 404)
    assert.equal((await client.call('DELETE', `/v1/memories/${id}/`)).status, 404)
    const { json } = await service.call('GET', '/brain/memories', { key: client.key })
    assert.doesNotMatch(JSON.stringify(json), /Lisbon|Porto/)
    assert.deepEqual(await client.all(), ['Nobody knows Anna.'])
  })

  test('a list has pages, and counts what holds', async () => {
    const client = await newClient()
    for (const name of ['Anna', 'Bert', 'Carl']) {
      service.clock.advance(1)
      await client.add(`${name} likes Tea.`)
    }
    const page = async (number: number) =>
      (
        await client.call('POST', `/v3/memories/?page=${number}&page_size=2`, {
          filters: { user_id: 'alice' },
        })
      ).json
    const [first, second, third] = [await page(1), await page(2), await page(3)]
    const texts = ({ results }: Reply['json']) => (results as Shown[]).map(({ memory }) => memory)
    assert.deepEqual(
      [texts(first), texts(second), texts(third)],
      [['Carl likes Tea.', 'Bert likes Tea.'], ['Anna likes Tea.'], []],
    )
    assert.deepEqual([first.count, second.count], [3, 3])
    assert.equal(first.previous, null)
    assert.match(String(first.next), /page=2&page_size=2$/)
    assert.match(String(second.previous), /page=1&page_size=2$/)
    assert.equal(second.next, null)
  })

  test('a list keeps to its dates, the last day included', async () => {
    const client = await newClient()
    await client.add('Anna likes Tea.')
    const day = new Date(service.clock.now() * 1000).toISOString().slice(0, 10)
    const within = async (dates: object) => (await client.call('POST', '/v3/memories/', dates)).json.count
    assert.equal(await within({ start_date: day, end_date: day }), 1)
    assert.equal(await within({ end_date: '2020-01-01' }), 0)
    assert.equal(await within({ start_date: '2099-01-01T00:00:00Z' }), 0)
  })
})

describe('filters of mem0', () => {
  let client: Client
  before(async () => {
    client = await newClient()
    await client.add('Anna likes Tea.', { user_id: 'alice', agent_id: 'tutor', run_id: 'monday' })
    await client.add('Anna likes Milk.', { user_id: 'alice', app_id: 'kitchen', metadata: { level: 2 } })
    await client.add('Anna likes Rice.', { user_id: 'bob', run_id: 'monday' })
    await client.add('Anna likes Soup.', { filters: { agent_id: 'tutor' } })
  })

  test('are the only place for whose memories are meant: elsewhere it is refused, not passed over', async () => {
    for (const name of ['user_id', 'agent_id', 'app_id', 'run_id']) {
      for (const path of ['/v3/memories/search/', '/v3/memories/']) {
        const { status, text } = await client.call('POST', path, { query: 'Who?', [name]: 'zoe' })
        assert.equal(status, 400, text)
        assert.match(text, new RegExp(`${name} .* put it into filters`))
      }
    }
  })

  for (const [name, filters, expected] of [
    ['a user’s own alone, not what is everybody’s', { user_id: 'alice' }, ['Milk', 'Tea']],
    ['a run, of whichever user', { run_id: 'monday' }, ['Rice', 'Tea']],
    ['a user and a run', { user_id: 'bob', run_id: 'monday' }, ['Rice']],
    ['an agent', { agent_id: 'tutor' }, ['Soup', 'Tea']],
    ['an app', { app_id: 'kitchen' }, ['Milk']],
    ['a field of the metadata', { metadata: { level: 2 } }, ['Milk']],
    ['another type of value', { metadata: { level: '2' } }, []],
    ['AND', { AND: [{ user_id: 'alice' }, { AND: [{ agent_id: 'tutor' }] }] }, ['Tea']],
    ['nobody', { user_id: 'carl' }, []],
  ] as const) {
    test(`narrow a list and a search to ${name}`, async () => {
      const texts = expected.map((what) => `Anna likes ${what}.`)
      assert.deepEqual(await client.all(filters), texts)
      assert.deepEqual((await client.search('What does Anna like?', filters)).sort(), texts)
    })
  }

  for (const filters of [
    { OR: [{ user_id: 'alice' }] },
    { NOT: [{ user_id: 'alice' }] },
    { user_id: { in: ['alice'] } },
    { user_id: '*' },
    { user_id: 'shared' },
    { created_at: { gte: '2024-01-01' } },
    { categories: 'food' },
    { metadata: { level: { gt: 1 } } },
    { metadata: 'x' },
    { metadata: { agent_id: 'a' }, agent_id: 'b' },
    { AND: { user_id: 'alice' } },
    { AND: ['alice'] },
    { AND: [{ user_id: 'alice' }, { user_id: 'bob' }] },
    { user_id: 7 },
    { user_id: null },
    { metadata: Object.fromEntries(Array.from({ length: 65 }, (_, at) => [`field${at}`, at])) },
    { metadata: { '': 1 } },
    'alice',
  ]) {
    test(`are refused where they say more: ${JSON.stringify(filters).slice(0, 60)}`, async () => {
      for (const [path, body] of [
        ['/v3/memories/', { filters }],
        ['/v3/memories/search/', { query: 'x', filters }],
        ['/v3/memories/add/', { messages: 'x', filters }],
      ] as const) {
        const { status, json } = await client.call('POST', path, body)
        assert.equal(status, 400)
        assert.match(JSON.stringify(json.errors), /"path":"filters/)
      }
    })
  }

  test('delete what they name and nothing else', async () => {
    const own = await newClient()
    const tell = async (what: string, about: object) => own.add(`Anna likes ${what}.`, about)
    await tell('Tea', { user_id: 'alice', run_id: 'monday' })
    await tell('Milk', { user_id: 'alice', run_id: 'tuesday' })
    await tell('Rice', { user_id: 'bob', run_id: 'monday', agent_id: 'cook' })
    await tell('Soup', { agent_id: 'cook' })
    await tell('Salt', {})
    const left = async (query: string) => {
      assert.equal((await own.call('DELETE', `/v1/memories/?${query}`)).status, 200)
      return (await own.all()).map((memory) => memory.slice('Anna likes '.length, -1))
    }
    assert.deepEqual(await left('user_id=alice&run_id=monday'), ['Milk', 'Rice', 'Salt', 'Soup'])
    assert.deepEqual(await left('agent_id=cook&user_id=bob'), ['Milk', 'Salt', 'Soup'])
    assert.deepEqual(await left('user_id=alice'), ['Salt', 'Soup'])
    assert.deepEqual(await left('agent_id=cook'), ['Salt'])
  })

  test('a deletion without a name, or with one that is not understood, deletes nothing', async () => {
    const before = await client.all()
    for (const query of [
      '',
      'filters=x',
      'user_id=alice&category=food',
      'user_id=',
      'user_id=*',
      'user_id=shared',
    ]) {
      assert.equal((await client.call('DELETE', `/v1/memories/?${query}`)).status, 400, query)
    }
    assert.deepEqual(await client.all(), before)
  })
})

describe('entities of mem0', () => {
  test('are the users, agents, apps and runs, with what they have', async () => {
    const client = await newClient()
    await client.add('Anna likes Tea.', { user_id: 'alice', agent_id: 'tutor', run_id: 'monday' })
    await client.add('Anna likes Milk.', { user_id: 'alice', app_id: 'kitchen' })
    await client.add('Anna likes Salt.', {})
    const { results, count } = (await client.call('GET', '/v1/entities/')).json
    assert.deepEqual(
      (results as Shown[]).map(({ type, name, total_memories }) => [type, name, total_memories]),
      [
        ['user', 'alice', 2],
        ['agent', 'tutor', 1],
        ['app', 'kitchen', 1],
        ['run', 'monday', 1],
      ],
    )
    assert.equal(count, 4)
    assert.equal((await client.call('DELETE', '/v2/entities/agent/tutor/')).status, 200)
    assert.deepEqual(await client.all(), ['Anna likes Milk.', 'Anna likes Salt.'])
    assert.equal((await client.call('DELETE', '/v2/entities/agent/tutor/')).status, 404)
    assert.equal((await client.call('DELETE', '/v2/entities/user/alice/')).status, 200)
    assert.deepEqual(await client.all(), ['Anna likes Salt.'])
    for (const path of ['planet/mars', 'user/shared', 'user/*']) {
      assert.equal((await client.call('DELETE', `/v2/entities/${path}/`)).status, 400, path)
    }
    assert.deepEqual(await client.all(), ['Anna likes Salt.'])
  })
})

describe('the gate before mem0', () => {
  test('one tenant sees and changes nothing of another with the same names', async () => {
    const [mine, yours] = [await newClient(), await newClient()]
    const about = { user_id: 'alice', agent_id: 'tutor', run_id: 'monday' }
    const { id } = await mine.add('Anna likes Tea.', about)
    assert.deepEqual(await yours.all(), [])
    assert.deepEqual(await yours.search('What does Anna like?', { user_id: 'alice' }), [])
    for (const [method, path, body] of [
      ['GET', `/v1/memories/${id}/`],
      ['GET', `/v1/memories/${id}/history/`],
      ['PUT', `/v1/memories/${id}/`, { text: 'Anna likes Milk.' }],
      ['DELETE', `/v1/memories/${id}/`],
      ['DELETE', '/v2/entities/user/alice/'],
    ] as const) {
      assert.equal((await yours.call(method, path, body)).status, 404, `${method} ${path}`)
    }
    assert.deepEqual((await yours.call('GET', '/v1/entities/')).json.results, [])
    await yours.call('DELETE', '/v1/memories/?user_id=alice')
    await yours.call('DELETE', '/v1/memories/?agent_id=tutor')
    assert.deepEqual(await mine.all(), ['Anna likes Tea.'])
  })

  test('a call costs what the same work costs elsewhere, and a plan that is used up is told', async () => {
    const client = await newClient('enterprise', 12)
    await client.add('Anna likes Tea.')
    const messages = ['Bert likes Tea.', 'Carl likes Tea.'].map((content) => ({ role: 'user', content }))
    const refused = await client.call('POST', '/v3/memories/add/', { messages, user_id: 'alice' })
    assert.deepEqual([refused.status, refused.json.error], [429, 'monthly_limit_exceeded'])
    await client.add('Bert likes Tea.')
    await client.search('Who likes Tea?', { user_id: 'alice' })
    assert.equal((await client.call('POST', '/v3/memories/', {})).status, 429)
    assert.equal((await client.call('GET', '/v1/ping/')).status, 200)
  })

  test('the rate and the batch size of a plan hold', async () => {
    const client = await newClient('free')
    const messages = Array.from({ length: 6 }, (_, at) => ({ role: 'user', content: `Anna likes Tea${at}.` }))
    assert.equal((await client.call('POST', '/v3/memories/add/', { messages })).status, 400)
    for (let call = 0; call < 9; call++) assert.equal((await client.call('GET', '/v1/ping/')).status, 200)
    const limited = await client.call('GET', '/v1/ping/')
    assert.deepEqual([limited.status, limited.json.error], [429, 'rate_limit_exceeded'])
    service.clock.advance(61)
    assert.deepEqual(await client.all(), [])
  })

  test('what cannot be stored is refused whole, with the field named', async () => {
    const client = await newClient()
    const fine = { role: 'user', content: 'Anna likes Tea.' }
    for (const [body, path] of [
      [{}, 'messages'],
      [{ messages: [] }, 'messages'],
      [{ messages: 7 }, 'messages'],
      [{ messages: [{ role: 'system', content: 'Be kind.' }] }, 'messages'],
      [{ messages: [fine, { role: 'king', content: 'x' }] }, 'messages.1.role'],
      [{ messages: [fine, { role: 'user', content: '\u200b' }] }, 'messages.1.content'],
      [{ messages: [fine, { role: 'user', content: 'x'.repeat(32_769) }] }, 'messages.1.content'],
      [
        { messages: [{ role: 'user', content: { type: 'image_url', image_url: { url: 'x' } } }] },
        'messages.0.content',
      ],
      [{ messages: [{ role: 'user', content: [{ type: 'image_url' }] }] }, 'messages.0.content.0.type'],
      [{ messages: [fine], user_id: 'x'.repeat(129) }, 'user_id'],
      [{ messages: [fine], metadata: 'x' }, 'metadata'],
      [{ messages: [fine], infer: 'no' }, 'infer'],
      [{ messages: [fine], timestamp: '2020-01-01' }, 'timestamp'],
      [{ messages: [fine], timestamp: -1 }, 'timestamp'],
      [{ messages: [fine], expiration_date: '2030-01-01' }, 'expiration_date'],
      [{ messages: [fine], custom_instructions: 'Only names.' }, 'custom_instructions'],
    ] as const) {
      const { status, json } = await client.call('POST', '/v3/memories/add/', body)
      assert.equal(status, 400, JSON.stringify(body).slice(0, 200))
      assert.match(JSON.stringify(json.errors), new RegExp(`"path":"${path}`))
    }
    assert.deepEqual(await client.all(), [])
  })

  test('options that memoryd does not have are refused, not passed over', async () => {
    const client = await newClient()
    const { id } = await client.add('Anna likes Tea.')
    for (const [method, path, body, field] of [
      ['POST', '/v3/memories/search/', { query: 'x', top_k: 21 }, 'top_k'],
      ['POST', '/v3/memories/search/', { query: 'x', threshold: 2 }, 'threshold'],
      ['POST', '/v3/memories/search/', { query: 'x', categories: ['food'] }, 'categories'],
      ['POST', '/v3/memories/search/', { query: 'x', latest_only: false }, 'latest_only'],
      ['POST', '/v3/memories/', { categories: ['food'] }, 'categories'],
      ['POST', '/v3/memories/', { start_date: 'yesterday' }, 'start_date'],
      ['POST', '/v3/memories/?page=0', {}, 'page'],
      ['POST', '/v3/memories/?page_size=101', {}, 'page_size'],
      ['PUT', `/v1/memories/${id}/`, { metadata: { a: 1 } }, 'text'],
      ['PUT', `/v1/memories/${id}/`, { text: 'x', metadata: { a: 1 } }, 'metadata'],
      ['DELETE', `/v1/memories/${id}/?delete_linked=true`, undefined, 'delete_linked'],
    ] as const) {
      const { status, json } = await client.call(method, path, body)
      assert.equal(status, 400, path)
      assert.match(JSON.stringify(json.errors), new RegExp(`"path":"${field}"`))
    }
    assert.deepEqual(await client.all(), ['Anna likes Tea.'])
  })

  test('other calls of mem0 say that they are not there', async () => {
    const client = await newClient()
    for (const [method, path, body] of [
      ['PUT', '/v1/batch/', { memories: [] }],
      ['POST', '/v1/exports/', {}],
      ['POST', '/v1/feedback/', {}],
      ['GET', '/v2/entities/user/alice/profile/'],
      ['GET', '/api/v1/webhooks/projects/1/'],
    ] as const) {
      const { status, json } = await client.call(method, path, body)
      assert.equal(status, 404, path)
      assert.match(String(json.detail), /does not have this call of mem0/)
    }
    assert.equal((await client.call('PATCH', '/v1/ping/')).status, 405)
  })
})
