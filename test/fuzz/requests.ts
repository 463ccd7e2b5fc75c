import fc from 'fast-check'
import { routes } from '../../src/http/routes/table.ts'
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
  ...['grace_seconds', '__proto__', 'constructor'],
]

/** The example of a route with some fields replaced, added or wrapped: the near misses. */
const mutated = (example: unknown) =>
  fc
    .array(
      fc.tuple(
        fc.constantFrom(...fieldNames),
        fc.oneof(anyValue, fc.array(fc.record({ text: anyString }), { maxLength: 7 })),
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
          'accept',
          'x-api-key',
          'authorization',
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

const known = fc.constantFrom(...routes).chain((route) =>
  fc.record({
    method: fc.oneof(
      { weight: 9, arbitrary: fc.constant(route.method as string) },
      { weight: 1, arbitrary: methods },
    ),
    path: fc
      .tuple(
        segment,
        fc.option(fc.tuple(fc.constantFrom('k', 'limit', 'cursor', 'persona', 'since', 'type'), segment)),
      )
      .map(
        ([id, pair]) =>
          route.path.replace(/\{\w+\}/, id || '%20') + (pair === null ? '' : `?${pair[0]}=${pair[1]}`),
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

/** Mostly requests that almost work; some that are lost altogether. */
export const hostileRequest: fc.Arbitrary<HostileRequest> = fc.oneof(
  { weight: 9, arbitrary: known },
  { weight: 1, arbitrary: lost },
)
