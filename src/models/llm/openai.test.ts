import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { z } from 'zod'
import { type LlmStub, type StubReply, startLlmStub } from '../../../test/support/llm-stub.ts'
import { ServiceError } from '../../core/errors.ts'
import { createOpenAiLlm } from './openai.ts'

const schema = z.object({ facts: z.array(z.object({ subject: z.string(), count: z.number() })) })
const value = { facts: [{ subject: 'Maria', count: 2 }] }
const request = { system: 'You read.', prompt: 'Maria has two cats.', maxTokens: 100 }

let stub: LlmStub
before(async () => {
  stub = await startLlmStub(() => ({ kind: 'text', text: 'hello' }))
})
after(() => stub.close())

function llm(parts: { timeoutMs?: number; waits?: number[] } = {}) {
  return createOpenAiLlm({
    baseUrl: stub.baseUrl,
    apiKey: 'secret',
    model: 'stub',
    timeoutMs: parts.timeoutMs ?? 5_000,
    random: () => 0.5,
    wait: async (milliseconds) => {
      parts.waits?.push(milliseconds)
    },
  })
}

/** Answers with these in turn, the last one for ever, and says how many calls were made. */
function script(...replies: readonly StubReply[]): () => number {
  const start = stub.calls.length
  stub.behave(() => replies[Math.min(stub.calls.length - start, replies.length) - 1] ?? { kind: 'hang' })
  return () => stub.calls.length - start
}

const text = (content: string): StubReply => ({ kind: 'text', text: content })
const raw = (status: number, body: string, headers = {}): StubReply => ({
  kind: 'raw',
  status,
  body,
  headers,
})
const rejectsAsUnavailable = (promise: Promise<unknown>) =>
  assert.rejects(promise, (error) => error instanceof ServiceError && error.code === 'llm_unavailable')

test('gives the text of the reply, asked with the key, the system part and the prompt apart', async () => {
  script(text('hello'))
  assert.equal(await llm().text(request), 'hello')
  const call = stub.calls.at(-1)
  assert.deepEqual(call?.messages, [
    { role: 'system', content: 'You read.' },
    { role: 'user', content: 'Maria has two cats.' },
  ])
  assert.equal(call?.authorization, 'Bearer secret')
})

test('leaves out what a reasoning model thought before it answered', async () => {
  script(text('<think>cats?</think>\nTwo.'))
  assert.equal(await llm().text(request), 'Two.')
})

const nearJson: Record<string, string> = {
  'plain JSON': JSON.stringify(value),
  'prose around it': `Sure, here you are:\n${JSON.stringify(value)}\nAnything else?`,
  'a fenced block': `Here:\n\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``,
  'single quotes and trailing commas': "{'facts': [{'subject': 'Maria', 'count': 2,},],}",
  'bare keys and a comment': '{facts: [{subject: "Maria", count: 2}] /* all */}',
  'a cut end': '{"facts": [{"subject": "Maria", "count": 2}',
  'Python words': '{"facts": [{"subject": "Maria", "count": 2, "negated": False}]}',
}

for (const [name, reply] of Object.entries(nearJson)) {
  test(`reads an object from ${name}`, async () => {
    script(text(reply))
    assert.deepEqual(await llm().object(schema, request), value)
  })
}

test('asks once more, and once only, when the server is busy or down', async () => {
  for (const fault of [
    raw(429, '{}'),
    raw(500, 'oops'),
    raw(503, ''),
    { kind: 'reset', after: 'nothing' } as const,
  ]) {
    const waits: number[] = []
    const calls = script(fault, text('hello'))
    assert.equal(await llm({ waits }).text(request), 'hello')
    assert.deepEqual([calls(), waits], [2, [250]])
    const again = script(fault)
    await rejectsAsUnavailable(llm().text(request))
    assert.equal(again(), 2)
  }
})

test('does not ask again when the server wants a longer pause than a caller can wait', async () => {
  const calls = script(raw(429, '{}', { 'retry-after': '30' }))
  await rejectsAsUnavailable(llm().text(request))
  assert.equal(calls(), 1)
})

test('does not ask again when the server refuses the key', async () => {
  const calls = script(raw(401, '{"error":{"message":"bad key"}}'))
  await rejectsAsUnavailable(llm().text(request))
  assert.equal(calls(), 1)
})

test('asks without a schema from then on when the server takes none', async () => {
  const model = llm()
  const start = stub.calls.length
  stub.behave(({ structured }) => (structured ? raw(400, '{}') : text(JSON.stringify(value))))
  assert.deepEqual(await model.object(schema, request), value)
  assert.deepEqual(await model.object(schema, request), value)
  assert.deepEqual(
    stub.calls.slice(start).map(({ structured }) => structured),
    [true, false, false],
  )
})

test('asks at most eight things at once', async () => {
  const model = llm()
  let open = 0
  let most = 0
  stub.behave(async () => {
    most = Math.max(most, ++open)
    await new Promise((resolve) => setImmediate(resolve))
    open--
    return text('hello')
  })
  await Promise.all(Array.from({ length: 40 }, () => model.text(request)))
  assert.ok(most <= 8 && most > 1, `${most} at once`)
})

const faults: Record<string, StubReply> = {
  'an empty body': raw(200, ''),
  'an empty text': text(''),
  'only thoughts': text('<think>hm'),
  'no choices': raw(200, '{"choices":[]}'),
  'choices of the wrong type': raw(200, '{"choices":"none"}'),
  'content of the wrong type': raw(200, '{"choices":[{"message":{"role":"assistant","content":{"a":1}}}]}'),
  'a page of HTML': raw(200, '<html>gateway</html>', { 'content-type': 'text/html' }),
  'an event stream nobody asked for': raw(200, 'data: {}\n\n', { 'content-type': 'text/event-stream' }),
  'ten megabytes': text('x'.repeat(10_000_000)),
  'bytes without an end': { kind: 'endless' },
  'a connection cut in the middle': { kind: 'reset', after: 'half' },
  'a redirect': raw(302, '', { location: 'http://127.0.0.1:9/v1' }),
}

for (const [name, fault] of Object.entries(faults)) {
  test(`is unavailable, nothing worse, on ${name}`, async () => {
    script(fault)
    await rejectsAsUnavailable(llm().text(request))
    await rejectsAsUnavailable(llm().object(schema, request))
  })
}

test('is unavailable when nothing answers in time', async () => {
  script({ kind: 'hang' })
  await rejectsAsUnavailable(llm({ timeoutMs: 50 }).text(request))
})

test('is unavailable when the caller gives up', async () => {
  script({ kind: 'hang' })
  await rejectsAsUnavailable(llm().text({ ...request, signal: AbortSignal.abort() }))
})

test('an object is of the schema or the model is unavailable, whatever the reply says', async () => {
  const replies = fc.oneof(
    fc.json(),
    fc.string(),
    fc.anything().map((any) => JSON.stringify(any) ?? ''),
  )
  await fc.assert(
    fc.asyncProperty(replies, async (reply) => {
      script(text(reply))
      const outcome = await llm()
        .object(schema, request)
        .catch((error) => error)
      const known = outcome instanceof ServiceError && outcome.code === 'llm_unavailable'
      assert.ok(known || schema.safeParse(outcome).success, String(outcome))
    }),
    { numRuns: 100 },
  )
})
