import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEngine } from '../../src/stores/embedded/engine/engine.ts'
import { createEmbeddedMemoryStores } from '../../src/stores/embedded/memory/stores.ts'
import { createRandom, createVectors } from '../vector-search/data.ts'
import { fill } from './filled.ts'
import { memoryOf, peakOf, type RunningService, settle, startService } from './service.ts'

// Memory of the real service, models loaded, that holds 50,000 chunks with their facts in one namespace, after
// searching. Exits with 1 when it is over the limit. Linux only: it reads /proc. CHUNKS sets the size; STORE_DIR names
// a directory that is filled once and kept.

const chunks = Number(process.env.CHUNKS ?? 50_000)
const kept = process.env.STORE_DIR
const limitMegabytes = 420
/** Kept free below the limit, so that a busy moment does not break it. */
const marginMegabytes = 20
const questions = 100

const show = (when: string, { resident, proportional }: ReturnType<typeof memoryOf>) =>
  console.log(`${when.padEnd(44)} RSS ${resident.toFixed(0)} MB, PSS ${proportional.toFixed(0)} MB`)

/** A first start makes the account; its namespace is then filled with nobody serving it. */
async function prepare(dataDir: string): Promise<void> {
  const first = await startService(dataDir)
  await settle()
  show('empty store, models loaded', memoryOf(first.pid))
  await first.stop()
  const engine = await openEngine({ directory: dataDir })
  const [account] = await engine.read('accounts.all')
  if (account === undefined) throw new Error('The first start made no account.')
  const stores = createEmbeddedMemoryStores(engine)
  if ((await stores.graph.countRelationships(account.namespace, null)) === 0) {
    await fill(stores, account.namespace, {
      ...{ chunks, factsPerChunk: 1, nextVector: createVectors(384, 400, createRandom(7)) },
      subjectOf: (chunk) => `person${chunk % 499}`,
    })
  }
  await engine.close()
}

/** Questions one after the other, then a pause. */
async function ask(service: RunningService, count: number, maxHops: number | null): Promise<void> {
  for (let at = 0; at < count; at++) {
    const query = `What did person${at} tell us about topic${at * 7} and place${at}?`
    await service.post('/brain/retrieve', { query, user_id: 'bench', max_hops: maxHops })
  }
  await settle()
}

async function measure(dataDir: string): Promise<void> {
  const service = await startService(dataDir)
  await settle()
  show(`${chunks} chunks stored, nothing asked yet`, memoryOf(service.pid))
  await ask(service, questions, null)
  await service.post('/brain/ingest', { text: 'Ana moved to Lisbon in May.', user_id: 'bench' })
  const searched = memoryOf(service.pid)
  show(`after ${questions} questions`, searched)
  // Thousands of edges a question, in a graph where everybody knows a hundred things.
  await ask(service, questions / 5, 3)
  const walked = memoryOf(service.pid)
  show(`after ${questions / 5} more with max_hops 3`, walked)
  const peak = peakOf(service.pid)
  await service.stop()
  const most = Math.max(searched.resident, walked.resident)
  const isKept = most + marginMegabytes <= limitMegabytes
  console.log(`highest at any moment ${peak.toFixed(0)} MB`)
  console.log(`limit ${limitMegabytes} MB with ${marginMegabytes} MB to spare: ${isKept ? 'kept' : 'broken'}`)
  if (!isKept) process.exitCode = 1
}

const dataDir = kept ?? (await mkdtemp(join(tmpdir(), 'memoryd-memory-')))
try {
  await prepare(dataDir)
  await measure(dataDir)
} finally {
  if (kept === undefined) await rm(dataDir, { recursive: true })
}
