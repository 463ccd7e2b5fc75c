import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, mock, test } from 'node:test'
import type { Llm } from '../src/memory/ports.ts'
import { startTestService, type TestService } from './harness.ts'
import { helpfulModel } from './support/helpful-llm.ts'
import { type LlmStub, type StubReply, startLlmStub } from './support/llm-stub.ts'
import { malformedReplies } from './support/malformed-replies.ts'
import { stubbedLlm } from './support/stubbed-llm.ts'

let stub: LlmStub
let service: TestService

before(async () => {
  stub = await startLlmStub(helpfulModel)
  service = await startTestService({ models: { llm: stubbedLlm(stub, 10_000) } })
})
after(async () => {
  await service.close()
  await stub.close()
})
beforeEach(() => stub.behave(helpfulModel))

const down: StubReply = { kind: 'raw', status: 503, body: '' }

interface Stored {
  readonly facts_ingested: number
  readonly msg: string
}

async function remember(key: string, text: string, more: object = {}): Promise<Stored> {
  const reply = await service.call('POST', '/brain/ingest', { key, body: { text, ...more } })
  assert.equal(reply.status, 200, reply.text)
  return reply.json as unknown as Stored
}

const ask = (key: string, query: string) =>
  service.call('POST', '/brain/retrieve/graph-qa', { key, body: { query } })

describe('graph QA', () => {
  test('answers with citations and the numbered facts', async () => {
    const { key } = await service.newKey('starter')
    await remember(key, 'Maria loves Rome.')
    const { status, json } = await ask(key, 'What does Maria love?')
    assert.equal(status, 200)
    assert.deepEqual(json, { answer: 'Maria loves Rome [1].', facts_used: 1, facts: ['Maria loves Rome'] })
  })

  test('is for Starter and above', async () => {
    const { key } = await service.newKey('free')
    const { status, json } = await ask(key, 'What does Maria love?')
    assert.equal(status, 403)
    assert.equal(json.error, 'plan_required')
  })

  test('a failing model is 503 with the fields of an answer, and costs nothing', async () => {
    const { key } = await service.newKey('starter', 15)
    await remember(key, 'Maria loves Rome.')
    stub.behave(() => down)
    for (let call = 0; call < 3; call++) {
      const { status, json } = await ask(key, 'What does Maria love?')
      assert.equal(status, 503)
      assert.equal(typeof json.detail, 'string')
      assert.deepEqual([json.answer, json.error, json.facts_used], ['', 'LLM not available', 0])
    }
    stub.behave(helpfulModel)
    assert.equal((await ask(key, 'What does Maria love?')).status, 200)
    assert.equal((await ask(key, 'What does Maria love?')).status, 429)
  })
})

describe('extraction, compression and consolidation', () => {
  test('extraction by the model stores what it read; a failing model says that the default extractor ran', async () => {
    const { key } = await service.newKey('starter')
    const read = await remember(key, 'Maria loves Rome and Tom hates Oslo.', { use_llm_extraction: true })
    assert.equal(read.facts_ingested, 2)
    stub.behave(() => down)
    const fallback = await remember(key, 'Anna knows Ben.', { use_llm_extraction: true })
    assert.equal(fallback.facts_ingested, 1)
    assert.match(fallback.msg, /default extractor/)
  })

  test('three planted clusters become three abstractions once, found by retrieve and marked', async () => {
    const { key } = await service.newKey('starter')
    for (const team of [
      ['Ana', 'Ben', 'Cara', 'Dora'],
      ['Ed', 'Fay', 'Gus', 'Hal'],
      ['Ivo', 'Jan', 'Kim', 'Lou'],
    ]) {
      const pairs = team.flatMap((a, index) => team.slice(index + 1).map((b) => `${a} knows ${b}.`))
      await remember(key, pairs.join(' '))
    }
    const consolidate = () => service.call('POST', '/brain/consolidate', { key, body: { force: true } })
    const first = (await consolidate()).json
    assert.deepEqual([first.abstractions_created, first.memories_compressed], [3, 18])
    const second = (await consolidate()).json
    assert.deepEqual([second.abstractions_created, second.memories_compressed], [0, 0])
    const body = { query: 'Summary of Ana and Ben', k: 20, min_score: 0 }
    const { json } = await service.call('POST', '/brain/retrieve', { key, body })
    const facts = json.facts as {
      fact: string
      source_type: string
      metadata: { abstraction?: boolean } | null
    }[]
    const found = facts.filter(({ metadata }) => metadata?.abstraction)
    assert.ok(found.length >= 1)
    for (const { fact, source_type } of found) {
      assert.match(fact, /^Summary of /)
      assert.equal(source_type, 'semantic')
    }
  })

  test('forgetting a member forgets the abstraction', async () => {
    const { key } = await service.newKey('starter')
    await remember(key, 'Ana knows Ben. Ana knows Cara. Ben knows Cara. Ana likes Ben.')
    await service.call('POST', '/brain/consolidate', { key, body: { force: true } })
    const listed = async () =>
      (await service.call('POST', '/brain/stats', { key, body: { user_id: 'x', persona: '*' } })).json
    assert.equal((await listed()).semantic_entities, 4)
    const forgotten = await service.call('POST', '/brain/forget', { key, body: { entity: 'Ana' } })
    assert.equal(forgotten.status, 200, forgotten.text)
    assert.ok(Number((await listed()).semantic_entities) < 4)
    const body = { query: 'Ana', k: 20, min_score: 0 }
    const { text } = await service.call('POST', '/brain/retrieve', { key, body })
    assert.ok(!text.includes('Ana'), text)
  })
})

test('200 malformed replies: every path answers as documented, never with a 500', async () => {
  const { key } = await service.newKey('enterprise')
  const other = await service.newKey('enterprise')
  await remember(key, 'Maria loves Rome. Ana knows Ben. Ana knows Cara. Ben knows Cara. Ana likes Ben.')
  const query = 'What does Maria love?'
  /** Graph QA gets every reply; of these, one in turn. */
  const others: readonly ((label: string, index: number) => Promise<void>)[] = [
    async (label, index) => {
      const stored = await remember(other.key, `Tom${index} knows Anna${index}.`, {
        use_llm_extraction: true,
      })
      if (stored.facts_ingested > 0) assert.match(stored.msg, /default extractor/, label)
    },
    async (label) => {
      const body = { query, use_compression: true, k: 20, min_score: 0 }
      const { status, text } = await service.call('POST', '/brain/retrieve', { key, body })
      assert.equal(status, 200, label)
      assert.ok(text.includes('Maria loves Rome'), label)
    },
    async (label) => {
      const { status } = await service.call('POST', '/brain/consolidate', { key, body: { force: true } })
      assert.equal(status, 200, label)
    },
  ]
  for (const [index, reply] of malformedReplies(200).entries()) {
    stub.behave(() => reply)
    const label = `reply ${index}: ${JSON.stringify(reply).slice(0, 120)}`
    const { status, json } = await ask(key, query)
    assert.ok(status === 200 || status === 503, label)
    if (status === 503) assert.equal(json.error, 'LLM not available', label)
    const cited = [...String(json.answer).matchAll(/\[(\d+)\]/g)].map(([, number]) => Number(number))
    assert.ok(
      cited.every((number) => number <= Number(json.facts_used)),
      label,
    )
    await others[index % others.length]?.(label, index)
  }
})

describe('LLM_TIMEOUT_MS', () => {
  /** An LLM that answers when it is told to, configured to take up to 150 s. */
  async function withSlowLlm(
    use: (parts: { slow: TestService; asked: Promise<void>; answer: () => void }) => Promise<void>,
  ) {
    const asked = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    const llm: Llm = {
      text: async () => {
        asked.resolve()
        await gate.promise
        return 'Maria loves Rome [1].'
      },
      object: async (schema) => {
        asked.resolve()
        await gate.promise
        return schema.parse({ facts: [{ subject: 'Maria', relation: 'loves', object: 'Rome' }] })
      },
    }
    const environment = { LLM_BASE_URL: stub.baseUrl, LLM_MODEL: 'slow', LLM_TIMEOUT_MS: '150000' }
    const slow = await startTestService({ models: { llm }, environment })
    try {
      await use({ slow, asked: asked.promise, answer: gate.resolve })
    } finally {
      mock.timers.reset()
      await slow.close()
    }
  }
  const text = 'Maria loves Rome.'
  const asking: readonly (readonly [string, string, object])[] = [
    ['graph QA', '/brain/retrieve/graph-qa', { query: 'What does Maria love?' }],
    ['ingest', '/brain/ingest', { text: `${text} Again.`, use_llm_extraction: true }],
    ['compression', '/brain/retrieve', { query: 'What does Maria love?', use_compression: true }],
  ]
  for (const [what, path, body] of asking) {
    test(`${what}: an answer within it is waited for`, () =>
      withSlowLlm(async ({ slow, asked, answer }) => {
        const { key } = await slow.newKey('enterprise')
        await slow.call('POST', '/brain/ingest', { key, body: { text } })
        mock.timers.enable({ apis: ['setTimeout'] })
        const reply = slow.call('POST', path, { key, body })
        await asked
        mock.timers.tick(149_999)
        answer()
        assert.equal((await reply).status, 200)
      }))
  }

  test('a call that asks no LLM has the usual deadline', () =>
    withSlowLlm(async ({ slow }) => {
      const { key } = await slow.newKey('enterprise')
      mock.timers.enable({ apis: ['setTimeout'] })
      const deadlines = mock.method(globalThis, 'setTimeout')
      await slow.call('POST', '/brain/ingest', { key, body: { text } })
      const waits = deadlines.mock.calls.map(({ arguments: [, milliseconds] }) => milliseconds)
      deadlines.mock.restore()
      assert.ok(waits.includes(60_000), String(waits))
      assert.ok(!waits.some((milliseconds) => Number(milliseconds) > 60_000), String(waits))
    }))
})
