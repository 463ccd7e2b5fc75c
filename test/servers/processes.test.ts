import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '../../src/core/clock.ts'
import { asNamespace } from '../../src/core/ids.ts'
import { openServerStores, type ServerStores } from '../../src/stores/server/stores.ts'
import type { TestService } from '../harness.ts'
import { opened, smallOptions, startOnServers } from './open.ts'
import { openEngines, untilReady } from './support.ts'

let processes: readonly TestService[]

before(async () => {
  const engines = await openEngines()
  await engines.wipe()
  await engines.close()
  const first = await startOnServers(smallOptions())
  processes = [first, await startOnServers(smallOptions())]
})
after(async () => {
  for (const service of processes) await service.close()
})

const calls = async (key: string, count: number, route: string, body: object) => {
  const replies = await Promise.all(
    Array.from({ length: count }, (_, number) =>
      processes[number % 2]?.call('POST', `/brain/${route}`, { key, body }),
    ),
  )
  return replies.map((reply) => reply?.status)
}
const count = (statuses: readonly (number | undefined)[], status: number) =>
  statuses.filter((given) => given === status).length

test('two processes share one budget and never overdraw it', async () => {
  const budget = 301
  const { key, account } = (await processes[0]?.newKey('enterprise', budget)) ?? { key: '', account: '' }
  const statuses: (number | undefined)[] = []
  for (let round = 0; round < 4; round++) statuses.push(...(await calls(key, 100, 'prune', {})))
  const stores = opened(smallOptions())
  const month = new Date((processes[0]?.clock.now() ?? 0) * 1000).toISOString().slice(0, 7)
  let used = Number.NaN
  for (let tries = 0; tries < 200 && Number.isNaN(used); tries++) {
    used = await stores.accounts.ledger.used(account, month).catch(() => Number.NaN)
    await delay(50)
  }
  await stores.close()
  console.log(
    `budget ${budget}: ${count(statuses, 200)} of 400 calls through two processes granted, ${used} used`,
  )
  assert.deepEqual([count(statuses, 200), count(statuses, 429), used], [budget, 99, budget])
})

test('two processes share one rate window', async () => {
  const { key } = (await processes[0]?.newKey('starter')) ?? { key: '' }
  const statuses = await calls(key, 100, 'stats', { user_id: 'x' })
  console.log(`rate: ${count(statuses, 200)} of 100 calls through two processes admitted, 60 allowed`)
  assert.deepEqual([count(statuses, 200), count(statuses, 429)], [60, 40])
})

test('two processes consolidate a namespace one at a time', async () => {
  const { key } = (await processes[0]?.newKey('enterprise')) ?? { key: '' }
  await processes[0]?.call('POST', '/brain/ingest', { key, body: { text: 'I live in Lisbon.' } })
  const replies = await Promise.all(
    Array.from({ length: 8 }, (_, number) =>
      processes[number % 2]?.call('POST', '/brain/consolidate', { key, body: {} }),
    ),
  )
  const ran = replies.filter((reply) => reply?.status === 200 && reply.json.skipped === false)
  assert.equal(ran.length, 1)
  assert.ok(replies.every((reply) => reply?.status === 200))
})

test('a holder that was stopped past its lease has its late writes refused', async () => {
  const namespace = asNamespace('lease-test')
  const stores: ServerStores = openServerStores(smallOptions())
  await untilReady(stores)
  const script = path.join(import.meta.dirname, 'lease-child.ts')
  const child = spawn(process.execPath, [script, namespace, '2'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  assert.equal((await lines.next()).value, 'held')
  const acquire = () => stores.memory.lifecycle.acquire(`consolidate:${namespace}`, 60, systemClock.now())
  child.kill('SIGSTOP')
  let taken = await acquire()
  while (taken === null) {
    await delay(100)
    taken = await acquire()
  }
  child.kill('SIGCONT')
  child.stdin.write('go\n')
  const { answers, renewed } = JSON.parse((await lines.next()).value ?? '')
  console.log(`late writes of the stopped holder: ${answers.join(' ')} Renewed: ${renewed}`)
  for (const answer of answers) assert.match(answer, /taken over/)
  assert.equal(answers.length, 3)
  assert.equal(renewed, false)
  assert.deepEqual(
    await stores.memory.graph.decay(namespace, { persona: null, halfLifeDays: 7, now: 0, lease: taken }),
    {
      decayed: 0,
      reinforced: 0,
    },
  )
  await stores.close()
})
