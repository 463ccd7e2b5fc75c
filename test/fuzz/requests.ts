import fc from 'fast-check'
import { everyRoute } from '../../src/http/routes/table.ts'
import { naughtyStrings } from './naughty.ts'

/** A request that somebody careless or hostile could send. */
export interface HostileRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Absent for none. */
  readonly body: string | Uint8Array<ArrayBuffer> | null
  readonly credential: 'key' | 'admin' | 'none'
}

const naughty = fc.constantFrom(...naughtyStrings())
const anyString = fc.oneof(
  naughty,
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.tuple(naughty, naughty).map((pair) => pair.join(' ')),
)
const anyNumber = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.constantFrom(0, -0, 1, 20, 21, 2 ** 53, 1e308, 5e-324),
)
const scalar = fc.oneof(anyString, anyNumber, fc.boolean(), fc.constant(null))
const anyValue: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(anyString, tie('value'), { maxKeys: 4 }),
  ),
})).value

const fieldNames = [
  ...['text', 'query', 'persona', 'session_id', 'source', 'metadata', 'use_llm_extraction', 'items', 'k'],
  ...['max_hops', 'min_score', 'include_episodic', 'include_semantic', 'include_working', 'use_compression'],
  ...[
    'threshold',
    'dry_run',
    'force',
    'user_id',
    'ids',
    'entity',
    'everything',
    'account',
    'tier',
    'monthly_ops',
  ],
  ...['since', 'until', 'as_of', 'filter', 'max_tokens', 'explain'],
  ...['messages', 'filters', 'run_id', 'agent_id', 'infer', 'top_k', 'start_date'],
  ...['grace_seconds', '__proto__', 'constructor', 'hook_event_name', 'prompt', 'last_assistant_message'],
  ...['occurred_at', 'external_id', 'messages', 'role', 'content', 'name', 'content_type'],
]

/** Conditions on metadata, right and nearly right. */
const someFilter: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  filter: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.dictionary(
      anyString,
      fc.oneof(scalar, fc.record({ in: fc.array(scalar) }), fc.record({ exists: scalar })),
    ),
    fc.record({ and: fc.array(tie('filter'), { maxLength: 3 }) }),
    fc.record({ or: fc.array(tie('filter'), { maxLength: 3 }) }),
    fc.record({ not: tie('filter') }),
  ),
})).filter

const message = fc.record(
  {
    role: fc.oneof(fc.constantFrom('user', 'assistant', 'system'), scalar),
    content: anyString,
    name: fc.option(anyString),
    occurred_at: fc.option(anyNumber),
  },
  { requiredKeys: ['role', 'content'] },
)

/** The example of a route with some fields replaced, added or wrapped: the near misses. */
const mutated = (example: unknown) =>
  fc
    .array(
      fc.tuple(
        fc.constantFrom(...fieldNames),
        fc.oneof(
          anyValue,
          someFilter,
          fc.array(fc.oneof(fc.record({ text: anyString }), message), { maxLength: 7 }),
        ),
      ),
      {
        maxLength: 3,
      },
    )
    .map((changes) => JSON.stringify({ ...(example as object), ...Object.fromEntries(changes) }))

const nested = fc
  .integer({ min: 5, max: 5_000 })
  .map((depth) => `${'{"metadata":'.repeat(depth)}1${'}'.repeat(depth)}`)

const bodyFor = (example: unknown): fc.Arbitrary<HostileRequest['body']> =>
  fc.oneof(
    { weight: 8, arbitrary: mutated(example) },
    { weight: 3, arbitrary: anyValue.map((value) => JSON.stringify(value) ?? '') },
    { weight: 2, arbitrary: anyString },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => new Uint8Array(bytes)) },
    { weight: 1, arbitrary: nested },
    // Valid JSON, cut somewhere.
    {
      weight: 1,
      arbitrary: fc.tuple(mutated(example), fc.nat(40)).map(([json, length]) => json.slice(0, length)),
    },
    { weight: 1, arbitrary: fc.constant(null) },
  )

/** Header values travel as bytes: what cannot is not a request that arrives. */
const headerValue = anyString.map((value) => value.replace(/[^\x20-\x7e\x80-\xff]/g, '').trim())
const headers = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.constantFrom(
          'content-type',
          'content-encoding',
          'idempotency-key',
          'x-request-id',
          'x-client',
          'user-agent',
          'accept',
          'x-api-key',
          'authorization',
          'if-none-match',
        ),
        headerValue,
      )
      .map(([name, value]) => ({ [name]: value })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      { 'content-type': 'text/plain' },
      { 'content-encoding': 'gzip' },
      { 'idempotency-key': 'same' },
    ),
  },
)

const segment = anyString.map((value) => encodeURIComponent(value.toWellFormed()))
const methods = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'PROPFIND')

const known = fc.constantFrom(...everyRoute).chain((route) =>
  fc.record({
    method: fc.oneof(
      { weight: 9, arbitrary: fc.constant(route.method as string) },
      { weight: 1, arbitrary: methods },
    ),
    path: fc
      .tuple(
        segment,
        fc.option(
          fc.oneof(
            fc.tuple(
              fc.constantFrom(
                ...['k', 'limit', 'cursor', 'persona', 'since', 'type', 'entity', 'query', 'hops', 'prefix'],
                ...['text', 'include_superseded', 'max_tokens', 'filter', 'page', 'user_id', 'after'],
              ),
              segment,
            ),
            fc.tuple(
              fc.constant('filter'),
              someFilter.map((filter) => encodeURIComponent((JSON.stringify(filter) ?? '').toWellFormed())),
            ),
          ),
        ),
      )
      .map(
        ([id, pair]) =>
          route.path.replace(/\{\w+\}/g, id || '%20') + (pair === null ? '' : `?${pair[0]}=${pair[1]}`),
      ),
    headers,
    body: bodyFor(route.example ?? {}),
    credential: fc.oneof(
      { weight: 12, arbitrary: fc.constant<HostileRequest['credential']>(route.auth) },
      { weight: 1, arbitrary: fc.constantFrom<HostileRequest['credential'][]>('key', 'admin', 'none') },
    ),
  }),
)

const lost = fc.record({
  method: methods,
  path: fc.oneof(
    fc.array(segment, { maxLength: 4 }).map((parts) => `/${parts.join('/')}`),
    fc.constantFrom(
      '/brain/%zz',
      '/%',
      '/brain//ingest',
      '/brain/ingest/',
      '/brain/memories/%c3%28',
      '/docs/',
      '/openapi.json?x=%',
    ),
  ),
  headers,
  body: bodyFor({}),
  credential: fc.constantFrom<HostileRequest['credential'][]>('key', 'admin', 'none'),
})

/** Calls of tools whose arguments, names and envelopes are not what they should be. */
const toolCalls: fc.Arbitrary<HostileRequest> = fc
  .tuple(
    fc.constantFrom('remember', 'recall', 'forget', 'list', 'ask', 'nothing'),
    fc.dictionary(fc.constantFrom(...fieldNames, 'confirm', 'limit', 'cursor'), anyValue, { maxKeys: 4 }),
    fc.constantFrom('tools/call', 'prompts/get', 'resources/read', 'initialize', 'subscriptions/listen', 'x'),
    headers,
  )
  .chain(([name, input, method, extra]) => {
    const call = { jsonrpc: '2.0', id: 1, method, params: { name, arguments: input, uri: 'memoryd://stats' } }
    return fc.record({
      method: fc.constantFrom('POST', 'POST', 'POST', 'GET', 'DELETE', 'PUT'),
      path: fc.constantFrom('/mcp', '/mcp?persona=x', '/mcp?persona=*', '/mcp?persona=%00'),
      headers: fc.constant({ accept: 'application/json, text/event-stream', ...extra }),
      body: fc.oneof(
        { weight: 4, arbitrary: fc.constant(JSON.stringify(call)) },
        { weight: 1, arbitrary: fc.constant(JSON.stringify([call, call])) },
        { weight: 2, arbitrary: bodyFor(call) },
      ),
      credential: fc.constant<HostileRequest['credential']>('key'),
    })
  })

/** Mostly requests that almost work; some that are lost altogether. */
export const hostileRequest: fc.Arbitrary<HostileRequest> = fc.oneof(
  { weight: 9, arbitrary: known },
  { weight: 1, arbitrary: toolCalls },
  { weight: 1, arbitrary: lost },
)
