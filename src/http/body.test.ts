import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ServiceError } from '../core/errors.ts'
import { readJson } from './body.ts'

const rules = { bodyBytes: 256 * 1024, mayBeEmpty: false }

function sent(
  body: string | Uint8Array<ArrayBuffer> | ReadableStream | null,
  headers: Record<string, string> = {},
): Request {
  return new Request('http://localhost/', {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
    duplex: 'half',
  })
}

async function codeOf(request: Request, given = rules): Promise<string> {
  try {
    await readJson(request, given)
    return 'accepted'
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error))
    return error.code
  }
}

describe('media type', () => {
  for (const [type, code] of [
    ['application/json', 'accepted'],
    ['Application/JSON; charset=UTF-8', 'accepted'],
    ['application/json;charset="utf-8"', 'accepted'],
    ['application/problem+json', 'accepted'],
    ['text/plain', 'unsupported_media_type'],
    ['application/x-www-form-urlencoded', 'unsupported_media_type'],
    ['application/json; charset=latin1', 'unsupported_media_type'],
    ['application/jsonp', 'unsupported_media_type'],
    ['multipart/form-data; boundary=application/json', 'unsupported_media_type'],
  ] as const) {
    test(`${type} is ${code}`, async () =>
      assert.equal(await codeOf(sent('{}', { 'content-type': type })), code))
  }
  test('a missing one is read as JSON', async () => {
    const request = new Request('http://localhost/', { method: 'POST', body: new TextEncoder().encode('{}') })
    assert.equal(request.headers.get('content-type'), null)
    assert.equal(await codeOf(request), 'accepted')
  })
  for (const encoding of ['gzip', 'br', 'identity, gzip']) {
    test(`${encoding} bodies are refused`, async () =>
      assert.equal(await codeOf(sent('{}', { 'content-encoding': encoding })), 'unsupported_media_type'))
  }
})

describe('size', () => {
  test('a declared length over the limit is refused without reading', async () => {
    const request = sent('{}', { 'content-length': String(rules.bodyBytes + 1) })
    assert.equal(await codeOf(request), 'body_too_large')
    assert.equal(request.bodyUsed, false)
  })
  test('an endless body is cut off at the limit', async () => {
    let pulled = 0
    const endless = new ReadableStream({
      pull: (controller) => {
        pulled += 64 * 1024
        controller.enqueue(new Uint8Array(64 * 1024).fill(0x20))
      },
    })
    assert.equal(await codeOf(sent(endless)), 'body_too_large')
    assert.ok(pulled <= rules.bodyBytes + 3 * 64 * 1024, `${pulled} bytes were pulled`)
  })
  test('exactly the limit is taken', async () => {
    const body = `{"a":"${'x'.repeat(rules.bodyBytes - 8)}"}`
    assert.equal(Buffer.byteLength(body), rules.bodyBytes)
    assert.equal(await codeOf(sent(body)), 'accepted')
    assert.equal(await codeOf(sent(`${body} `)), 'body_too_large')
  })
})

describe('JSON', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  for (const [title, body, code] of [
    ['8 levels are taken', nested(8), 'accepted'],
    ['9 levels are refused', nested(9), 'invalid_request'],
    ['100,000 levels are refused', nested(100_000), 'invalid_request'],
    [
      'brackets inside strings do not count',
      JSON.stringify({ a: '[{'.repeat(50), 'b"[[[[[[[[[[': 1 }),
      'accepted',
    ],
    ['an escaped quote does not end a string', '{"a":"\\"[[[[[[[[[["}', 'accepted'],
    ['__proto__ is refused', '{"__proto__":{"admin":true}}', 'invalid_request'],
    ['an escaped __proto__ is refused', '{"a":{"\\u005f_proto__":1}}', 'invalid_request'],
    ['constructor is refused at any depth', '{"metadata":{"a":[{"constructor":1}]}}', 'invalid_request'],
    ['prototype is refused', '{"prototype":1}', 'invalid_request'],
    ['these words are fine as values', '{"a":"__proto__","b":["constructor"]}', 'accepted'],
    ['a half object is refused', '{"a":', 'invalid_request'],
    ['single quotes are refused', "{'a':1}", 'invalid_request'],
    ['NaN is refused', '{"a":NaN}', 'invalid_request'],
    ['an empty body is refused', '', 'invalid_request'],
  ] as const) {
    test(title, async () => assert.equal(await codeOf(sent(body)), code))
  }
  test('a refused name is told with its place', async () => {
    const request = sent('{"items":[{"text":"x"},{"metadata":{"a":[0,{"constructor":1}]}}]}')
    await assert.rejects(readJson(request, rules), (error: ServiceError) => {
      assert.equal(error.facts.errors?.[0]?.path, 'items.1.metadata.a.1.constructor')
      return true
    })
  })
  test('looking through a body costs little more than parsing it', async () => {
    const body = JSON.stringify({ items: new Array(400_000).fill(1) })
    const used = async (work: () => unknown) => {
      const before = process.cpuUsage()
      await work()
      const { user, system } = process.cpuUsage(before)
      return user + system
    }
    const parsing = await used(() => JSON.parse(body))
    const reading = await used(() => readJson(sent(body), { ...rules, bodyBytes: 4 * 1024 * 1024 }))
    // Building the place of every value took 60 times as long as parsing, with the event loop waiting.
    assert.ok(reading < 15 * parsing, `${reading} µs against ${parsing} µs of parsing`)
  })
  test('invalid UTF-8 is refused', async () => {
    assert.equal(await codeOf(sent(new Uint8Array([0x22, 0xc3, 0x28, 0x22]))), 'invalid_request')
  })
  test('an empty body is {} where that is allowed', async () => {
    for (const body of [null, '', '  \n']) {
      assert.deepEqual(await readJson(sent(body), { ...rules, mayBeEmpty: true }), {})
    }
  })
})
