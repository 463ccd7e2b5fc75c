import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { isLoopback, readConfig } from './config.ts'

function configured(environment: Record<string, string>) {
  const outcome = readConfig(environment)
  assert.ok(outcome.config !== null, JSON.stringify(outcome.problems))
  return outcome.config
}

const problemsOf = (environment: Record<string, string>) =>
  readConfig(environment).problems.map(({ variable }) => variable)

test('an empty environment gives the documented defaults', () => {
  assert.deepEqual(configured({}), {
    host: '127.0.0.1',
    port: 7420,
    allowed: { hosts: [], origins: [] },
    dataDir: path.resolve('memoryd-data'),
    adminToken: null,
    stores: { mode: 'embedded' },
    indexMegabytes: null,
    backup: null,
    llm: null,
    embeddings: null,
    decayHalfLifeDays: 7,
    pruneThreshold: 0.05,
    upgradeUrl: 'https://example.com/upgrade',
    logLevel: 'info',
    metrics: 'token',
    monthlyOps: { free: 5_000, starter: 100_000, pro: 1_000_000, scale: 10_000_000 },
  })
})

test('a variable that is empty or blank counts as absent', () => {
  assert.deepEqual(configured({ PORT: '', HOST: ' ', ADMIN_TOKEN: '' }), configured({}))
})

test('every problem is reported at once', () => {
  const environment = {
    PORT: '99999',
    STORES: 'cloud',
    LLM_BASE_URL: 'ftp://x',
    PRUNE_THRESHOLD: '2',
    LOG_LEVEL: 'loud',
    ADMIN_TOKEN: 'short',
  }
  assert.deepEqual(new Set(problemsOf(environment)), new Set(Object.keys(environment)))
})

for (const port of ['x', '1.5', '-1', '65536', '0x50', '1 2', 'NaN']) {
  test(`PORT=${port} is refused`, () => assert.deepEqual([...new Set(problemsOf({ PORT: port }))], ['PORT']))
}

for (const size of ['0', '0.5', '4097', 'a quarter']) {
  test(`INDEX_MEMORY=${size} is refused`, () =>
    assert.deepEqual([...new Set(problemsOf({ INDEX_MEMORY: size }))], ['INDEX_MEMORY']))
}

test('server mode needs the addresses of its three engines and says all that are missing', () => {
  assert.deepEqual(problemsOf({ STORES: 'server' }), [
    'NEO4J_URL',
    'NEO4J_PASSWORD',
    'QDRANT_URL',
    'REDIS_URL',
  ])
  const { stores } = configured({
    STORES: 'server',
    NEO4J_URL: 'neo4j://graph:7687',
    NEO4J_PASSWORD: 'secret',
    QDRANT_URL: 'http://vectors:6333',
    REDIS_URL: 'redis://cache:6379',
  })
  assert.ok(stores.mode === 'server')
  assert.equal(stores.neo4j.user, 'neo4j')
})

test('an endpoint needs a model name', () => {
  assert.deepEqual(problemsOf({ LLM_BASE_URL: 'http://localhost:1/v1' }), ['LLM_MODEL'])
  assert.deepEqual(problemsOf({ EMBEDDINGS_BASE_URL: 'http://localhost:1/v1' }), ['EMBEDDINGS_MODEL'])
})

test('a public address is refused until plain HTTP is allowed', () => {
  assert.deepEqual(problemsOf({ HOST: '0.0.0.0' }), ['HOST'])
  assert.equal(configured({ HOST: '0.0.0.0', ALLOW_PUBLIC_HTTP: 'true' }).host, '0.0.0.0')
})

for (const [host, loopback] of [
  ['127.0.0.1', true],
  ['127.8.9.1', true],
  ['localhost', true],
  ['::1', true],
  ['[::1]', true],
  ['::ffff:127.0.0.1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['127.0.0.1.example.com', false],
  ['192.168.0.4', false],
] as const) {
  test(`${host} is ${loopback ? '' : 'not '}this machine alone`, () =>
    assert.equal(isLoopback(host), loopback))
}

test('lists of names are read with their spaces taken off; anything else in them is named', () => {
  const { config } = readConfig({
    ALLOWED_HOSTS: ' A.example , b',
    ALLOWED_ORIGINS: 'https://a.example:8443',
  })
  assert.deepEqual(config?.allowed, { hosts: ['a.example', 'b'], origins: ['https://a.example:8443'] })
  for (const [variable, value] of [
    ['ALLOWED_HOSTS', 'a.example:80'],
    ['ALLOWED_HOSTS', 'a,,b'],
    ['ALLOWED_HOSTS', '*'],
    ['ALLOWED_ORIGINS', 'https://a.example/'],
    ['ALLOWED_ORIGINS', 'a.example'],
  ] as const)
    assert.deepEqual(
      readConfig({ [variable]: value }).problems.map((problem) => problem.variable),
      [variable],
    )
})
