import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { asChunkId, asItemId, randomId } from '../../../src/core/ids.ts'
import { questionTerms } from '../../../src/memory/rules.ts'
import { createWordEmbedder } from '../../support/small-models.ts'
import { type Engine, engines, pidFile, pidOf } from '../engines.ts'
import { openFaultyService } from '../faulty-service.ts'
import { openEngines, until } from '../support.ts'

/** LONG_SESSION_TURNS=20000 for the whole of it. */
const turns = Number(process.env.LONG_SESSION_TURNS ?? 1_500)
/** Enough that searches find as many as they ask for, as they do ever after. */
const begun = 400
const measured = 30

let faulty: Awaited<ReturnType<typeof openFaultyService>>
let key: string
let told = 0

before(async () => {
  faulty = await openFaultyService()
  ;({ key } = await faulty.service.newKey('enterprise'))
})
after(() => faulty.close())

const post = async (route: string, body: object) => {
  const { status, text, json } = await faulty.service.call('POST', `/brain/${route}`, { key, body })
  assert.equal(status, 200, text)
  return json
}

/** Words in other combinations every time, so that no turn repeats another. */
function turnText(): string {
  const at = told++
  const word = (step: number) => `word${Math.floor(at / step) % 50}`
  return `Turn${at} mentions ${word(1)} and ${word(50)} beside ${word(2_500)}.`
}

const tell = () => post('ingest', { text: turnText(), session_id: 'long' })
const ask = (at: number) =>
  post('retrieve', { query: `What mentions word${at % 50} beside word0?`, session_id: 'long', k: 10 })

/** More turns of the session, as a migration writes them: many at once. */
async function fill(count: number): Promise<void> {
  const { archive, states } = faulty.stores
  await until(() => Object.values(states()).every((state) => state === 'connected'), 120_000)
  const { records } = await archive.page('chunk', null, 10)
  const sample = records.find((record) => record.kind === 'chunk')
  assert.ok(sample?.kind === 'chunk' && sample.thread !== null)
  const embedder = createWordEmbedder()
  for (let left = count; left > 0; left -= 200) {
    const texts = Array.from({ length: Math.min(200, left) }, turnText)
    const vectors = await embedder.embed(texts)
    const chunks = texts.map((text, at) => {
      const vector = vectors[at]
      assert.ok(vector)
      const ids = { id: asChunkId(randomId()), itemId: asItemId(randomId()) }
      return { ...sample, textHash: null, chunk: { ...sample.chunk, ...ids, text, vector, end: text.length } }
    })
    await archive.put(chunks)
  }
}

interface Cost {
  readonly roundTrips: Readonly<Record<Engine, number>>
  readonly bytes: number
  readonly cpuMs: number
  /** Of the engines, where they are ours to look at. */
  readonly engineCpuMs: number
}

const engineCpu = () =>
  engines
    .filter((engine) => existsSync(pidFile(engine)))
    .map(
      (engine) =>
        readFileSync(`/proc/${pidOf(engine)}/stat`, 'utf8')
          .split(') ')[1]
          ?.split(' ') ?? [],
    )
    .reduce((sum, fields) => sum + 10 * (Number(fields[11]) + Number(fields[12])), 0)

/** What one call costs on average. */
async function costOf(call: (at: number) => Promise<unknown>): Promise<Cost> {
  const before = { cpu: process.cpuUsage(), engines: engineCpu(), traffic: traffic() }
  for (let at = 0; at < measured; at++) await call(at)
  const cpu = process.cpuUsage(before.cpu)
  const used = traffic()
  const per = (value: number) => value / measured
  return {
    roundTrips: {
      neo4j: per(used.neo4j.requests - before.traffic.neo4j.requests),
      qdrant: per(used.qdrant.requests - before.traffic.qdrant.requests),
      redis: per(used.redis.requests - before.traffic.redis.requests),
    },
    bytes: per(engines.reduce((sum, name) => sum + used[name].bytes - before.traffic[name].bytes, 0)),
    cpuMs: per((cpu.user + cpu.system) / 1_000),
    engineCpuMs: per(engineCpu() - before.engines),
  }
}

const traffic = () => ({
  neo4j: faulty.proxies.neo4j.traffic(),
  qdrant: faulty.proxies.qdrant.traffic(),
  redis: faulty.proxies.redis.traffic(),
})

const shown = ({ roundTrips, bytes, cpuMs, engineCpuMs }: Cost) =>
  `round trips ${Object.entries(roundTrips)
    .map(([engine, count]) => `${engine} ${count.toFixed(1)}`)
    .join(
      ', ',
    )}; ${Math.round(bytes / 1024)} KiB; memoryd ${cpuMs.toFixed(1)} ms, engines ${engineCpuMs.toFixed(1)} ms of processor`

test(`ingest and retrieve cost no more after ${turns} turns of a session than at its beginning`, async () => {
  await tell()
  await fill(begun - told)
  // The first calls of a process cost more than all later ones.
  await costOf(tell)
  await costOf(ask)
  const first = { ingest: await costOf(tell), retrieve: await costOf(ask) }
  await fill(turns - told)
  const last = { ingest: await costOf(tell), retrieve: await costOf(ask) }
  for (const call of ['ingest', 'retrieve'] as const) {
    console.log(`${call} after ${begun} turns: ${shown(first[call])}`)
    console.log(`${call} after ${turns} turns: ${shown(last[call])}`)
    for (const engine of engines)
      assert.ok(
        last[call].roundTrips[engine] <= 1.2 * first[call].roundTrips[engine] + 0.5,
        `${call}: round trips to ${engine}`,
      )
    assert.ok(last[call].bytes <= 1.2 * first[call].bytes, `${call}: bytes`)
    assert.ok(last[call].cpuMs <= 1.2 * first[call].cpuMs, `${call}: processor time`)
  }
})

test('a question of very many words takes no more places than a short one, and keeps nobody waiting', async () => {
  const long = Array.from({ length: 300 }, (_, at) => `word${at}`).join(' ')
  const before = traffic().qdrant.requests
  await post('retrieve', { query: long, k: 5 })
  const asked = traffic().qdrant.requests - before
  const most = questionTerms
  assert.ok(asked <= 2 * (most + 10), `${asked} calls to Qdrant for one question`)
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, at) => post('retrieve', { query: at % 2 ? long : 'word1', k: 5 })),
  )
  assert.equal(answers.length, 8)
})

test('what Redis keeps of sessions ends with them, and facts know the sessions that hold them', async () => {
  const { raw, close } = await openEngines()
  try {
    for (const session_id of ['one', 'two', 'three']) await post('ingest', { text: turnText(), session_id })
    const keys = (await raw.redis.send(['KEYS', 'memoryd:session*'])) as string[]
    assert.ok(keys.length >= 4)
    for (const name of keys) {
      const seconds = Number(await raw.redis.send(['TTL', name]))
      assert.ok(seconds > 0 && seconds <= 86_400, `${name} ends in ${seconds} s`)
    }
    await post('ingest', { text: 'I live in Lisbon.', session_id: 'home' })
    await until(async () => (await sessionFacts(raw, 'home')).includes('Lisbon'), 5_000)
    const before = traffic().redis.requests
    await post('ingest', { text: 'I live in Berlin.', session_id: 'elsewhere' })
    assert.ok(
      !(await sessionFacts(raw, 'home')).includes('lives in Lisbon'),
      'the closed fact has cooled down',
    )
    assert.ok(traffic().redis.requests - before < 15, 'the other sessions were not looked at')
  } finally {
    await close()
  }
})

async function sessionFacts(
  raw: Awaited<ReturnType<typeof openEngines>>['raw'],
  id: string,
): Promise<string> {
  const [name] = ((await raw.redis.send(['KEYS', `memoryd:session:*:${id}`])) as string[]) ?? []
  return name === undefined ? '' : String(await raw.redis.send(['HGET', name, 'session']))
}
