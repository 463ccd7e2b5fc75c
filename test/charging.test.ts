import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { ServiceError } from '../src/core/errors.ts'
import type { Llm } from '../src/memory/ports.ts'
import { hashingEmbedder, obedientLlm, startTestService, type TestService } from './harness.ts'
import { vectorsOnly } from './support/vectors-only.ts'

type Body = Readonly<Record<string, unknown>>

const service = await startTestService()
const { key } = await service.newKey('enterprise')
after(() => service.close())

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
      const failing = await startTestService({
        models: { embedder: { ...hashingEmbedder, ...vectorsOnly(embed) } },
      })
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
    const slow = await startTestService({
      models: { embedder: { ...hashingEmbedder, ...vectorsOnly(embed) } },
    })
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
    const flaky = await startTestService({
      models: { embedder: { ...hashingEmbedder, ...vectorsOnly(embed) } },
    })
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
