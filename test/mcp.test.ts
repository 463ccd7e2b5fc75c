import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { obedientLlm, startTestService, type TestService } from './harness.ts'

const eras = { '2026-07-28': 'auto', 'before it': 'legacy' } as const

interface Connection {
  readonly mode?: 'auto' | 'legacy'
  readonly headers?: Readonly<Record<string, string>>
  readonly path?: string
}

async function connect(service: TestService, key: string, { mode = 'auto', headers, path }: Connection = {}) {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const transport = new StreamableHTTPClientTransport(new URL(`http://localhost${path ?? '/mcp'}`), {
    requestInit: { headers: { 'x-api-key': key, ...headers } },
    fetch: async (address, init) => service.service.app.request(new Request(address, init)),
  })
  await client.connect(transport)
  return client
}

type Structured = Readonly<Record<string, unknown>>

async function use(client: Client, name: string, input: Structured): Promise<Structured> {
  const result = await client.callTool({ name, arguments: input })
  assert.ok(result.isError !== true, JSON.stringify(result.content))
  return result.structuredContent as Structured
}

async function refusal(client: Client, name: string, input: Structured): Promise<string> {
  const { isError, content } = await client.callTool({ name, arguments: input })
  assert.equal(isError, true)
  const [first] = content
  return first?.type === 'text' ? first.text : ''
}

describe('the Model Context Protocol at /mcp', () => {
  let running: TestService
  before(async () => {
    running = await startTestService()
  })
  after(() => running.close())

  for (const [era, mode] of Object.entries(eras)) {
    describe(`for clients of the protocol ${era}`, () => {
      test('remembers, recalls, lists, and forgets only what was shown first', async () => {
        const client = await connect(running, (await running.newKey('pro')).key, { mode })
        assert.match(client.getInstructions() ?? '', /recall/)

        const stored = await use(client, 'remember', { text: 'Maria likes Lisbon.' })
        assert.deepEqual(stored, {
          stored: true,
          deduplicated: false,
          facts: 1,
          learned: ['Maria likes Lisbon'],
          replaced: [],
          scope: { persona: 'shared' },
        })

        const found = await use(client, 'recall', { query: 'What does Maria like?' })
        assert.match(String(found.context), /Maria likes Lisbon/)
        assert.deepEqual(found.scope, { persona: '*' })

        const { memories } = await use(client, 'list', {})
        assert.equal((memories as unknown[]).length, 2)

        const shown = await use(client, 'forget', { entity: 'Maria' })
        assert.equal(shown.removed, false)
        assert.deepEqual(
          new Set(shown.memories as string[]),
          new Set(['Maria likes Lisbon.', 'Maria likes Lisbon']),
        )
        assert.equal((await use(client, 'recall', { query: 'What does Maria like?' })).none, undefined)

        const gone = await use(client, 'forget', { entity: 'Maria', confirm: shown.confirm })
        assert.equal(gone.removed, true)
        assert.equal(gone.remaining, 0)
        const nothing = await use(client, 'recall', { query: 'What does Maria like?' })
        assert.deepEqual(nothing, { context: '', facts: [], none: true, scope: { persona: '*' } })
        await client.close()
      })

      test('has two resources and a prompt', async () => {
        const { key } = await running.newKey('pro')
        const client = await connect(running, key, { mode })
        await use(client, 'remember', { text: 'Maria likes Porto.' })
        const [first] = (await use(client, 'list', { type: 'episodic' })).memories as { id: string }[]
        await running.call('PATCH', `/brain/memories/${first?.id}`, { key, body: { pinned: true } })
        const { resources } = await client.listResources()
        const texts: string[] = []
        for (const { uri } of resources) {
          const [first] = (await client.readResource({ uri })).contents
          texts.push(first !== undefined && 'text' in first ? first.text : '')
        }
        assert.equal(texts.length, 2)
        assert.match(texts[0] ?? '', /Maria likes Porto/)
        assert.match(texts[1] ?? '', /"semantic_relations":1/)
        const { messages } = await client.getPrompt({ name: 'about', arguments: { topic: 'Maria' } })
        assert.match(JSON.stringify(messages), /Maria likes Porto/)
        await client.close()
      })
    })
  }

  test('says what each tool is, what it takes and what it may do', async () => {
    const client = await connect(running, (await running.newKey('pro')).key)
    const { tools } = await client.listTools()
    assert.deepEqual(
      tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint, annotations?.destructiveHint]),
      [
        ['remember', false, false],
        ['recall', true, false],
        ['forget', false, true],
        ['list', true, false],
      ],
    )
    for (const { name, description, inputSchema, outputSchema } of tools) {
      assert.ok((description ?? '').length > 40, name)
      assert.ok(outputSchema !== undefined, name)
      for (const [field, schema] of Object.entries(inputSchema.properties ?? {})) {
        assert.ok('description' in (schema as object), `${name}.${field}`)
      }
    }
    await client.close()
  })

  test('offers ask only where the server has a language model', async () => {
    const service = await startTestService({ models: { llm: obedientLlm } })
    const client = await connect(service, (await service.newKey('pro')).key)
    await use(client, 'remember', { text: 'Maria likes Lisbon.' })
    const { answer } = await use(client, 'ask', { query: 'What does Maria like?' })
    assert.match(String(answer), /It is so \[1\]/)
    const poor = await connect(service, (await service.newKey('free')).key)
    assert.match(await refusal(poor, 'ask', { query: 'What does Maria like?' }), /tier starter/)
    await service.close()
  })

  test('reads and writes the persona of the connection alone', async () => {
    const { key } = await running.newKey('pro')
    const work = await connect(running, key, { headers: { 'x-memoryd-persona': 'work' } })
    const home = await connect(running, key, { path: '/mcp?persona=home' })
    const stored = await use(work, 'remember', { text: 'Maria likes Lisbon.' })
    assert.deepEqual(stored.scope, { persona: 'work' })
    const recalled = await use(home, 'recall', { query: 'What does Maria like?' })
    assert.deepEqual(recalled, { context: '', facts: [], none: true, scope: { persona: 'home' } })
    assert.deepEqual((await use(home, 'list', {})).memories, [])
  })

  test('remember names what it learned and what that replaced', async () => {
    const client = await connect(running, (await running.newKey('pro')).key)
    await use(client, 'remember', { text: 'Maria lives_in Lisbon.' })
    running.clock.advance(60)
    const { learned, replaced } = await use(client, 'remember', {
      text: 'Maria lives_in Porto. Maria likes Tea.',
    })
    assert.deepEqual(learned, ['Maria lives in Porto', 'Maria likes Tea'])
    assert.ok((replaced as string[]).includes('Maria lives in Lisbon'), JSON.stringify(replaced))
    const again = await use(client, 'remember', { text: 'Maria likes Tea.' })
    assert.deepEqual([again.learned, again.replaced], [['Maria likes Tea'], []])
  })

  test('a token for other memories than those that would go removes nothing', async () => {
    const client = await connect(running, (await running.newKey('pro')).key)
    await use(client, 'remember', { text: 'Maria likes Lisbon.' })
    const { confirm } = await use(client, 'forget', { entity: 'Maria' })
    await use(client, 'remember', { text: 'Maria knows Peter.' })
    const again = await use(client, 'forget', { entity: 'Maria', confirm })
    assert.equal(again.removed, false)
    assert.match(String(again.note), /nothing was removed/)
    assert.notEqual(again.confirm, confirm)
  })

  test('wrong arguments are told to the model in the words of the API', async () => {
    const client = await connect(running, (await running.newKey('pro')).key)
    assert.match(await refusal(client, 'remember', {}), /text is missing/)
    assert.match(await refusal(client, 'recall', { query: 'x', k: 50 }), /k must be a whole number/)
    assert.match(await refusal(client, 'forget', {}), /exactly one of ids, entity, session_id/)
  })

  test('a reply stays below 2,000 tokens, however much is stored', async () => {
    const client = await connect(running, (await running.newKey('enterprise')).key)
    for (let part = 0; part < 30; part++) {
      const words = Array.from({ length: 300 }, (_, index) => `word${part}x${index}`).join(' ')
      await use(client, 'remember', { text: `Maria wrote chapter ${part}: ${words}`, session_id: 'book' })
    }
    const facts = Array.from({ length: 600 }, (_, at) => `Maria knows Friend${at}.`).join(' ')
    for (const [name, input] of [
      ['remember', { text: facts }],
      ['recall', { query: 'What did Maria write in her chapter?', k: 20 }],
      ['list', {}],
      ['forget', { session_id: 'book' }],
    ] as const) {
      const { length } = JSON.stringify(await use(client, name, input))
      assert.ok(length > 300 && length < 8_000, `${name} has ${length} characters`)
    }
  })

  describe('the gate', () => {
    const hello = { jsonrpc: '2.0', id: 1, method: 'ping' }
    const headers = { accept: 'application/json, text/event-stream' }
    const listCall = (id: number) => ({
      ...{ jsonrpc: '2.0', id, method: 'tools/call' },
      params: { name: 'list', arguments: {} },
    })

    test('refuses a missing or wrong key as everywhere', async () => {
      for (const key of [undefined, 'mem_wrong']) {
        const { status, json } = await running.call('POST', '/mcp', {
          ...(key === undefined ? {} : { key }),
          body: hello,
        })
        assert.equal(status, 401)
        assert.match(String(json.detail), /Invalid or inactive API key/)
      }
    })

    test('counts requests, and each further call in one request', async () => {
      const { key } = await running.newKey('free')
      const calls = Array.from({ length: 12 }, (_, id) => listCall(id))
      const { text } = await running.call('POST', '/mcp', { key, headers, body: calls })
      assert.equal(text.match(/"isError":true/g)?.length, 2)
      assert.match(text, /10 requests per minute/)
      assert.equal((await running.call('POST', '/mcp', { key, headers, body: hello })).status, 429)
    })

    test('takes the ops of the route behind a tool, and nothing for the protocol', async () => {
      const client = await connect(running, (await running.newKey('enterprise', 6)).key)
      await client.listTools()
      await use(client, 'remember', { text: 'Maria likes Lisbon.' })
      await use(client, 'list', {})
      assert.match(await refusal(client, 'list', {}), /monthly budget/)
    })

    test('answers 503 while the models load', async () => {
      const loading = await startTestService({ loaded: false })
      const { key } = await loading.newKey('pro')
      const { status, headers: told } = await loading.call('POST', '/mcp', { key, body: hello })
      assert.deepEqual([status, told.get('retry-after')], [503, '30'])
      await loading.close()
    })

    test('a bug is logged, and the model learns nothing of it', async () => {
      const service = await startTestService({
        models: {
          extractor: {
            extract: async () => {
              throw new Error('secret inside')
            },
          },
        },
      })
      const client = await connect(service, (await service.newKey('pro')).key)
      const told = await refusal(client, 'remember', { text: 'Maria likes Lisbon.' })
      assert.doesNotMatch(told, /secret/)
      assert.ok(service.lines.some((line) => line.includes('secret inside')))
      await service.close()
    })
  })
})
