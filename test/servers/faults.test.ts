import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { monthOf } from '../../src/accounts/month.ts'
import type { Reply, TestService } from '../harness.ts'
import { type Engine, engines, pidFile, pidOf, serversScript, withoutAddresses } from './engines.ts'
import { openFaultyService } from './faulty-service.ts'
import type { Passage } from './proxy.ts'
import { until } from './support.ts'

/** The promise: every answer within five seconds while a fault lasts, ready within ten after the last one. */
const answerMs = 5_000
const readyMs = 10_000

interface Fault {
  readonly name: string
  /** Whether nothing can be asked of the engine while it lasts. */
  readonly isTotal: boolean
  begin(engine: Engine): Promise<void>
  end(engine: Engine): Promise<void>
}

let faulty: Awaited<ReturnType<typeof openFaultyService>>
let service: TestService

const onTheWay = (name: string, isTotal: boolean, passage: Passage): Fault => ({
  name,
  isTotal,
  begin: (engine) => faulty.proxies[engine].set(passage),
  end: (engine) => faulty.proxies[engine].set({ kind: 'pass' }),
})

const flapping: Fault = {
  name: 'flapping',
  isTotal: false,
  async begin(engine) {
    void (async () => {
      for (let round = 0; round < 6; round++) {
        await faulty.proxies[engine].set({ kind: 'refuse' })
        await delay(150)
        await faulty.proxies[engine].set({ kind: 'pass' })
        await delay(250)
      }
    })()
  },
  async end(engine) {
    await delay(2_500)
    await faulty.proxies[engine].set({ kind: 'pass' })
  },
}

const signal = (engine: Engine, name: NodeJS.Signals) => process.kill(pidOf(engine), name)

/** Engines that scripts/servers started are stopped themselves; others only on the way to them. */
const onTheProcess: readonly Fault[] = [
  {
    name: 'the process hung (SIGSTOP)',
    isTotal: true,
    begin: async (engine) => void signal(engine, 'SIGSTOP'),
    end: async (engine) => void signal(engine, 'SIGCONT'),
  },
  {
    name: 'the process killed (SIGKILL)',
    isTotal: true,
    begin: async (engine) => void signal(engine, 'SIGKILL'),
    end: async (engine) => {
      execFileSync(serversScript, ['up'], { env: withoutAddresses(), stdio: ['ignore', 'ignore', 'inherit'] })
      await faulty.untilWell(engine)
    },
  },
]

const faults: readonly Fault[] = [
  onTheWay('stopped', true, { kind: 'refuse' }),
  onTheWay('hung', true, { kind: 'hang' }),
  onTheWay('slow', false, { kind: 'slow', ms: 400 }),
  onTheWay('cut in the middle of answers', false, { kind: 'cut' }),
  flapping,
  ...(engines.every((engine) => existsSync(pidFile(engine))) ? onTheProcess : []),
]

type Json = Readonly<Record<string, unknown>>
const ops: Readonly<Record<string, number>> = {
  ingest: 5,
  'ingest/batch': 10,
  retrieve: 2,
  consolidate: 3,
  prune: 1,
  stats: 0,
  memories: 1,
  forget: 1,
}

let key: string
let account: string
let texts = 0
const acknowledged: string[] = []
let charged = 0
let slowest = 0
/** Not after a fault: an engine that has just started is busy, and waited for. */
let isTimed = false
/** On a machine that is busy with other things, what a round without faults takes beyond a second is no fault of ours. */
let starvedMs = Number.POSITIVE_INFINITY

/** One call, timed; what a 200 acknowledged is noted. */
async function call(route: string, body: Json | null, headers = {}): Promise<Reply> {
  const started = performance.now()
  const isMeasured = isTimed
  const reply = await service.call(body === null ? 'GET' : 'POST', `/brain/${route}`, {
    key,
    ...(body === null ? {} : { body }),
    headers,
  })
  const took = performance.now() - started
  if (isMeasured) slowest = Math.max(slowest, took)
  if (isMeasured) assert.ok(took < answerMs + starvedMs, `${route} took ${Math.round(took)} ms`)
  assert.ok([200, 503].includes(reply.status), `${route}: ${reply.status} ${reply.text}`)
  if (reply.status === 503) assert.match(String(reply.json.detail), /\w/)
  if (reply.status === 200) charged += costOf(route, reply)
  return reply
}

function costOf(route: string, { json, headers }: Reply): number {
  // A consolidation that found another one at work, or one done recently, is free.
  if (json.skipped === true || headers.has('idempotency-replayed')) return 0
  return ops[route] ?? Number.NaN
}

const freshText = () => `Person${++texts} likes Thing${texts}.`

async function ingest(headers = {}): Promise<Reply> {
  const text = freshText()
  const reply = await call('ingest', { text, session_id: 's' }, headers)
  if (reply.status === 200) acknowledged.push(text)
  return reply
}

async function ingestBatch(): Promise<void> {
  const items = [freshText(), freshText()].map((text) => ({ text }))
  const { status, json } = await call('ingest/batch', { items })
  if (status !== 200) return
  const results = json.results as Json[]
  items.forEach(({ text }, place) => {
    if (results[place]?.error === undefined) acknowledged.push(text)
  })
}

const question = { query: 'What does Person1 like? Thing1?', session_id: 's', k: 5 }
const only = (part: 'episodic' | 'semantic' | 'working') => ({
  ...question,
  ...{ include_episodic: false, include_semantic: false, include_working: false },
  [`include_${part}`]: true,
})

/** Every step of every pipeline at once. */
function everything(): Promise<unknown> {
  return Promise.all([
    ingest(),
    ingest({ 'idempotency-key': `key-${texts}` }),
    ingestBatch(),
    call('retrieve', { ...question, max_hops: 2 }),
    call('retrieve', only('episodic')),
    call('retrieve', only('semantic')),
    call('retrieve', only('working')),
    call('stats', { user_id: 'x' }),
    call('memories', null),
    call('consolidate', { force: true }),
    call('prune', { dry_run: false }),
    call('forget', { session_id: `nothing-${texts}` }),
  ])
}

/** What is promised while one engine cannot be asked at all. */
const degraded: Readonly<Record<Engine, () => Promise<void>>> = {
  neo4j: async () => {
    for (const route of ['ingest', 'retrieve', 'stats', 'prune', 'consolidate'])
      assert.equal((await call(route, { text: 'x', query: 'x', user_id: 'x' })).status, 503, route)
  },
  qdrant: async () => {
    assert.equal((await ingest()).status, 503)
    const whole = await call('retrieve', question)
    assert.equal(whole.status, 200, whole.text)
    assert.match(whole.headers.get('x-degraded') ?? '', /qdrant/)
    const semantic = await call('retrieve', only('semantic'))
    assert.equal(semantic.status, 200)
    assert.ok(Number(semantic.json.semantic_count) > 0, 'facts are found in Neo4j alone')
    assert.equal((await call('retrieve', { ...only('episodic'), session_id: null })).status, 503)
    assert.equal((await call('stats', { user_id: 'x' })).status, 200)
    assert.equal((await call('memories', null)).status, 200)
  },
  redis: async () => {
    const { status, json } = await ingest()
    assert.deepEqual([status, json.working_memory_updated], [200, false])
    const found = await call('retrieve', question)
    assert.equal(found.status, 200)
    assert.equal(found.headers.get('x-degraded'), 'redis')
    assert.equal((await call('retrieve', only('working'))).status, 503)
    assert.equal((await call('stats', { user_id: 'x' })).status, 200)
    assert.equal((await call('prune', {})).status, 200)
    assert.equal((await call('consolidate', { force: true })).status, 503)
    const { key: limited } = await service.newKey('starter')
    const statuses = await Promise.all(
      Array.from({ length: 70 }, async () => {
        const reply = await service.call('POST', '/brain/stats', { key: limited, body: { user_id: 'x' } })
        return reply.status
      }),
    )
    assert.deepEqual(
      [
        statuses.filter((status) => status === 200).length,
        statuses.filter((status) => status === 429).length,
      ],
      [60, 10],
      'this process keeps the rate limit by itself',
    )
  },
}

const health = async () => (await service.call('GET', '/brain/health')).json
const reasons = /^error: (starting|unreachable|timeout|credentials rejected|overloaded|rebuilding.*|failing)$/

before(async () => {
  faulty = await openFaultyService()
  service = faulty.service
  ;({ key, account } = await service.newKey('scale'))
  for (let round = 0; round < 3; round++) await ingest()
  await everything()
  isTimed = true
  await everything()
  isTimed = false
  starvedMs = Math.max(0, slowest - 1_000)
  console.log(`without faults: slowest answer ${Math.round(slowest)} ms`)
})
after(() => faulty.close())

// The slowest to come back is the last to be killed.
for (const engine of ['redis', 'qdrant', 'neo4j'] as const) {
  describe(`${engine}`, () => {
    for (const { name, isTotal, begin, end } of faults) {
      test(`${name}: answers in time, as documented; nothing lost; ready again without a restart`, async () => {
        slowest = 0
        isTimed = true
        const inTheMiddle = everything()
        await begin(engine)
        await inTheMiddle
        try {
          await everything()
          if (isTotal) {
            await until(async () => reasons.test(String((await health())[engine])), answerMs)
            assert.equal((await health()).ready, false)
            await degraded[engine]()
          }
          await everything()
        } finally {
          isTimed = false
          await end(engine)
        }
        const ready = await until(async () => (await health()).ready === true, readyMs + starvedMs)
        await until(async () => (await ingest()).status === 200, readyMs + starvedMs)
        const { kept, doubled } = await faulty.storedTexts(acknowledged)
        console.log(
          `${engine} ${name}: slowest answer ${Math.round(slowest)} ms, ready after ${Math.round(ready)} ms, ` +
            `${acknowledged.length - kept} of ${acknowledged.length} acknowledged texts lost, ${doubled} doubled`,
        )
        assert.deepEqual({ lost: acknowledged.length - kept, doubled }, { lost: 0, doubled: 0 })
        const used = () => faulty.stores.accounts.ledger.used(account, monthOf(service.clock.now()))
        await until(async () => (await used()) === charged, readyMs + starvedMs).catch(async () => {
          const found = await used()
          assert.fail(`what failed is free, what was done is charged: ${found} and not ${charged}`)
        })
      })
    }
  })
}
