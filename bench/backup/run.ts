// npm run bench backup [MEMORIES]: how long backing up, checking and restoring take, and what requests notice of it.
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { readConfig } from '../../src/config.ts'
import { asNamespace } from '../../src/core/ids.ts'
import { normalize } from '../../src/core/vectors.ts'
import { createLog } from '../../src/observe/log.ts'
import { restore, verifyBackup } from '../../src/service/backup.ts'
import { openStores } from '../../src/service/stores.ts'
import { item } from '../../src/stores/contracts/journal-drafts.ts'

const memories = Number(process.argv[2] ?? 20_000)
const folder = await mkdtemp(path.join(tmpdir(), 'memoryd-bench-backup-'))
const [log, namespace] = [createLog('error'), asNamespace('bench')]
const configOf = (name: string) => {
  const { config } = readConfig({ DATA_DIR: path.join(folder, name) })
  if (config === null) throw new Error('the configuration is wrong')
  return config
}
// Vectors as a model makes them: nothing in them can be compressed away.
const random = (length: number) => Float32Array.from({ length }, () => Math.random() - 0.5)
const stores = await openStores(configOf('from'), log)
await stores.memory.vectors.setIdentity({ model: 'm', weights: 'w', scale: 's', dimensions: 384 })
const remember = (at: number) => {
  const text = `In week ${at % 52} the team of floor ${at % 97} agreed to move item ${at} to the list of next month.`
  const written = item(text, {
    ...{ vector: normalize(random(384)), at: 1000 + at, session: `s${at % 500}` },
    facts: [
      { name: `fact ${at}`, subject: `team ${at % 997}`, relation: 'moved', object: `item ${at % 4_001}` },
    ],
  })
  const tokens = { count: 24, codes: Int8Array.from(random(24 * 64), (value) => value * 250) }
  return stores.memory.journal.remember(namespace, {
    ...written,
    chunks: written.chunks.map((chunk) => ({ ...chunk, tokens })),
  })
}
for (let at = 0; at < memories; at += 100)
  await Promise.all(Array.from({ length: 100 }, (_, step) => remember(at + step)))

const times: number[] = []
const timed = async (what: string, work: () => Promise<unknown>) => {
  const began = performance.now()
  await work()
  console.log(`${what}: ${((performance.now() - began) / 1_000).toFixed(1)} s`)
}
const percentile = (share: number) =>
  times.sort((a, b) => a - b)[Math.floor(times.length * share)]?.toFixed(1)
/** One writer after the other, for as long as the work takes. */
async function beside(what: string, work: () => Promise<unknown>) {
  times.length = 0
  let isDone = false
  const done = work().finally(() => {
    isDone = true
  })
  while (!isDone) {
    const began = performance.now()
    await remember(1e6 + Math.random() * 1e9)
    times.push(performance.now() - began)
  }
  await done
  console.log(`  writes ${what}: ${times.length}, p50 ${percentile(0.5)} ms, p99 ${percentile(0.99)} ms`)
}

const file = path.join(folder, 'memoryd.backup')
const backedUp = () =>
  new Promise((resolve, reject) => {
    const thread = new Worker(new URL('../../src/service/backup-thread.ts', import.meta.url), {
      workerData: { config: configOf('from'), file },
    })
    thread.once('message', resolve)
    thread.once('error', reject)
  })
console.log(
  `${memories} memories, ${((await stat(path.join(folder, 'from/memory.db'))).size / 1e6).toFixed(0)} MB`,
)
await beside('with nothing beside them', () => new Promise((resolve) => setTimeout(resolve, 3_000)))
await timed('backup beside writers', () => beside('while it is made', backedUp))
console.log(`  file ${((await stat(file)).size / 1e6).toFixed(0)} MB`)
await timed('verify', () => verifyBackup(file))
await timed('restore', () =>
  restore(configOf('to'), file, { log, verified: () => {}, progress: () => {} }).then(({ outcome }) =>
    console.log(`  ${outcome}`),
  ),
)
await stores.close()
await rm(folder, { recursive: true })
