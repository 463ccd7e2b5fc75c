/**
 * Under load: the real service, over HTTP, on a store of pieces of real turns. Prints what a question takes alone, beside a
 * writer of batches and beside another account's walks over entities with many facts; how many answers a second many clients
 * get; and what becomes of five times as many requests a second as that, with /brain/health asked meanwhile.
 *   npm run -s bench -- load [--sets DIR] [--memories 10000] [--seconds 10] [--keep DIR]
 * Without --sets the conversations of data/talks are used. The clients take CPU of the same machine.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { newAccount } from '../../test/crash/client.ts'
import { adminToken } from '../../test/crash/processes.ts'
import { memoryOf, type RunningService, startService } from '../memory/service.ts'
import { loadSet } from '../retrieval/sets.ts'
import { percentile } from '../speed/cost.ts'
import { filledStore, readTurnsOf } from '../speed/store.ts'

const { values: options } = parseArgs({
  options: {
    sets: { type: 'string' },
    memories: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '10' },
    keep: { type: 'string' },
  },
})
const memories = Number(options.memories)
const milliseconds = Number(options.seconds) * 1_000
const groups = options.sets === undefined ? loadSet('', 'talks') : loadSet(options.sets, 'locomo')
const texts = groups.flatMap(({ items }) => items.map(({ text }) => text))
const questions = groups.flatMap(({ queries }) => queries.map(({ query }) => query))
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })

interface Answered {
  /** 0: the connection was cut. */
  readonly status: number
  readonly milliseconds: number
  readonly at: number
}

interface Step {
  /** When requests began to be sent, and when no more were: what was answered later is no goodput. */
  readonly from: number
  readonly until: number
  readonly answers: readonly Answered[]
}

let asked = 0
/** No question twice: the service remembers the vectors of recent ones. */
const nextQuestion = () => `${questions[asked % questions.length]}${' ?'.repeat(asked++ / questions.length)}`

function send(method: string, url: string, key: string, body: unknown): Promise<Answered> {
  const began = performance.now()
  return new Promise((resolve) => {
    const answered = (status: number) => {
      const at = performance.now()
      resolve({ status, milliseconds: at - began, at })
    }
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    const sent = request(url, { agent, method, headers })
    sent.on('error', () => answered(0))
    sent.on('response', (response) => {
      response.resume()
      response.on('end', () => answered(response.statusCode ?? 0))
    })
    sent.end(body === null ? undefined : JSON.stringify(body))
  })
}

type Ask = () => Promise<Answered>

const asking =
  ({ address }: RunningService, key: string, more: object = {}): Ask =>
  () =>
    send('POST', `${address}/brain/retrieve`, key, { query: nextQuestion(), k: 10, ...more })

/** So many clients, each of which asks again when it has its answer. */
async function clients(count: number, ask: Ask): Promise<Step> {
  const answers: Answered[] = []
  const from = performance.now()
  const until = from + milliseconds
  const client = async () => {
    while (performance.now() < until) answers.push(await ask())
  }
  await Promise.all(Array.from({ length: count }, client))
  return { from, until, answers }
}

/** Repeats the other work while the first goes on. */
async function beside<T>(first: Promise<T>, other: () => Promise<unknown>): Promise<T> {
  let isOver = false
  const repeated = async () => {
    while (!isOver) await other()
  }
  const ended = first.finally(() => {
    isOver = true
  })
  const [result] = await Promise.all([ended, repeated()])
  return result
}

/** Requests come at a rate, whether or not the ones before are answered. */
async function arriving(perSecond: number, ask: Ask): Promise<Step> {
  const from = performance.now()
  const until = from + milliseconds
  const sent: Promise<Answered>[] = []
  while (performance.now() < until) {
    const due = ((performance.now() - from) * perSecond) / 1_000
    while (sent.length < due) sent.push(ask())
    await wait(5)
  }
  return { from, until, answers: await Promise.all(sent) }
}

const withStatus = (answers: readonly Answered[], wanted: number) =>
  answers.filter(({ status }) => status === wanted).map((answer) => answer.milliseconds)

function shown(times: readonly number[]): string {
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => percentile(times, share).toFixed(0))
  return times.length === 0 ? '–' : `p50 ${p50}, p95 ${p95}, p99 ${p99} ms`
}

/** Returns the answers a second. */
function print(what: string, { from, until, answers }: Step): number {
  const [good, refused] = [withStatus(answers, 200), withStatus(answers, 503)]
  const failed = answers.length - good.length - refused.length
  const inTime = answers.filter(({ status, at }) => status === 200 && at <= until)
  const perSecond = (inTime.length * 1_000) / (until - from)
  console.log(
    `${what}: ${perSecond.toFixed(1)} answers/s, ${shown(good)}; ${refused.length} refused (${shown(refused)}); ${failed} failed`,
  )
  if (failed > 0) process.exitCode = 1
  return perSecond
}

async function measure(service: RunningService, key: string, other: string): Promise<void> {
  const { address } = service
  const ask = asking(service, key)
  for (let first = 0; first < 500; first += 100)
    await send('POST', `${address}/brain/ingest/batch`, other, {
      items: texts.slice(first, first + 100).map((text) => ({ text })),
    })
  for (let warmUp = 0; warmUp < 60; warmUp++) await ask()

  print('one client', await clients(1, ask))
  let told = 500
  const tell = () => {
    const items = texts
      .slice(told % texts.length)
      .slice(0, 100)
      .map((text) => ({ text }))
    told += items.length
    return send('POST', `${address}/brain/ingest/batch`, other, { items })
  }
  print('one client beside a writer of batches of 100', await beside(clients(1, ask), tell))
  console.log(`  the writer told ${told - 500} texts, one of another account`)
  print('one client of the other account', await clients(1, asking(service, other)))
  print("the same beside searches of the first one's", await beside(clients(1, asking(service, other)), ask))
  const walk = asking(service, key, { max_hops: 3 })
  print(
    "the same beside walks (`max_hops` 3) of the first one's",
    await beside(clients(1, asking(service, other)), walk),
  )

  const peaks: number[] = []
  for (const count of [4, 16, 64]) peaks.push(print(`${count} clients`, await clients(count, ask)))
  const peak = Math.max(...peaks)
  const health: Answered[] = []
  const probe = async () => {
    health.push(await send('GET', `${address}/brain/health`, key, null))
    await wait(20)
  }
  const overload = await beside(arriving(5 * peak, ask), probe)
  const goodput = print(`${(5 * peak).toFixed(0)} requests/s arriving`, overload)
  console.log(`  /brain/health meanwhile: ${shown(withStatus(health, 200))} of ${health.length}`)
  console.log(
    `  ${((100 * goodput) / peak).toFixed(0)} % of the most answers a second; RSS ${memoryOf(service.pid).resident.toFixed(0)} MB`,
  )
}

const root = options.keep ?? mkdtempSync(join(tmpdir(), 'memoryd-load-'))
const directory = join(root, 'loaded')
mkdirSync(root, { recursive: true })
try {
  const filled = await filledStore(join(root, `memories-${memories}`), { memories }, () =>
    readTurnsOf(texts, join(root, 'turns.bin')),
  )
  rmSync(directory, { recursive: true, force: true })
  cpSync(filled.directory, directory, { recursive: true })
  const service = await startService(directory, { environment: { ADMIN_TOKEN: adminToken } })
  try {
    const key = await newAccount(service.address, 'other', 1_000_000_000)
    await measure(service, service.firstKey, key)
  } finally {
    await service.stop()
  }
} finally {
  agent.destroy()
  rmSync(options.keep === undefined ? root : directory, { recursive: true, force: true })
}
