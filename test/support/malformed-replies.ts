import type { StubReply } from './llm-stub.ts'

const text = (content: string): StubReply => ({ kind: 'text', text: content })
const raw = (status: number, body: string, headers: Record<string, string> = {}): StubReply => ({
  kind: 'raw',
  status,
  body,
  headers,
})
const message = (content: unknown) =>
  raw(
    200,
    JSON.stringify({
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    }),
  )

/** Objects of the right name with something wrong in them. */
const wrong: readonly unknown[] = [
  {},
  [],
  null,
  42,
  'text',
  { facts: null },
  { facts: 'none' },
  { facts: {} },
  { facts: [null] },
  { facts: [[]] },
  { facts: [{ subject: 1, relation: 2, object: 3 }] },
  { facts: [{ subject: 'Nobody', relation: 'knows', object: 'Nothing' }] },
  { facts: [{ number: 'one', text: 1 }] },
  { facts: [{ number: 1e9, text: 'x' }] },
  { facts: [{ number: -1, text: 'CANARY' }] },
  { title: null, summary: null },
  { title: '', summary: '' },
  { title: ['a'], summary: { text: 'b' } },
  { entities: [{ name: {} }], facts: 'x' },
  { error: { message: 'I cannot do that' } },
  { __proto__: { facts: [] }, constructor: 1 },
]

/** Ways to spoil a JSON text. */
const spoilers: readonly ((json: string) => string)[] = [
  (json) => json,
  (json) => `Sure! Here is the JSON you asked for:\n${json}\nLet me know if you need more.`,
  (json) => `\`\`\`json\n${json}\n\`\`\``,
  (json) => json.replaceAll('"', "'"),
  (json) => json.slice(0, Math.ceil(json.length / 2)),
  (json) => `${json}${json}`,
  (json) => JSON.stringify(json),
]

const others: readonly StubReply[] = [
  text(''),
  text(' \n\t '),
  text('I am sorry, I cannot help with that [99].'),
  text('[1][2][3][4][5] [-1] [1000]'),
  text('\u0000\u0001\u0002'),
  text('{'.repeat(5_000)),
  text('['.repeat(5_000)),
  text('<think>'),
  message(null),
  message(7),
  message({ text: 'x' }),
  message([{ type: 'text', text: 'x' }]),
  raw(200, ''),
  raw(200, 'null'),
  raw(200, '{}'),
  raw(200, '[]'),
  raw(200, '{"choices":[]}'),
  raw(200, '{"choices":[{}]}'),
  raw(200, '{"choices":[{"message":null}]}'),
  raw(200, 'data: {"choices":[]}\n\ndata: [DONE]\n\n', { 'content-type': 'text/event-stream' }),
  raw(200, '<!doctype html><p>Welcome to the gateway'),
  raw(204, ''),
  raw(301, '', { location: 'http://127.0.0.1:1/' }),
  raw(400, '{"error":{"message":"context too long"}}'),
  raw(401, '{"error":"no"}'),
  raw(404, 'not found'),
  raw(418, 'teapot'),
  raw(429, '{}', { 'retry-after': '99999' }),
  raw(429, 'slow down', { 'retry-after': 'tomorrow' }),
  raw(500, '{"error":{"message":"oops"}}'),
  raw(502, '<html>bad gateway</html>'),
  raw(503, ''),
  { kind: 'reset', after: 'nothing' },
  { kind: 'reset', after: 'half' },
  { kind: 'endless' },
  text('x'.repeat(10_000_000)),
]

/** So many replies that no honest model gives, always the same ones. */
export function malformedReplies(count: number): StubReply[] {
  const spoilt = wrong.flatMap((value) => spoilers.map((spoil) => text(spoil(JSON.stringify(value)))))
  const all = [...others, ...spoilt]
  return Array.from({ length: count }, (_, index) => all[index % all.length] ?? text(''))
}
