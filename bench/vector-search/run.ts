import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { getLoadablePath } from 'sqlite-vec'
import { asChunkId, asItemId, asNamespace } from '../../src/core/ids.ts'
import { dot, type Vector } from '../../src/core/vectors.ts'
import type { ItemWrite, MemoryStores } from '../../src/memory/ports.ts'
import { createContext } from '../../src/stores/embedded/engine/context.ts'
import { openEngine } from '../../src/stores/embedded/engine/engine.ts'
import { openForReading } from '../../src/stores/embedded/engine/open-database.ts'
import { episodicReads } from '../../src/stores/embedded/memory/episodic.ts'
import { createEmbeddedMemoryStores } from '../../src/stores/embedded/memory/stores.ts'
import { createRandom, createVectors } from './data.ts'

// 50,000 chunks in one namespace: is the search exact, and how does it compare with sqlite-vec on the same data in
// the same run? Exits with 1 when recall is below 1.000 or the ratio below 8.

const chunks = Number(process.env.CHUNKS ?? 50_000)
const dimensions = 384
const questions = 60
const nearest = 10
const smallestRatio = 8
/** Questions before those that count: code is compiled as it is used. */
const warmUp = 30
const turn = 20

const namespace = asNamespace('bench')
const random = createRandom(7)
const nextVector = createVectors(dimensions, 400, random)
const idOf = (at: number) => `chunk-${String(at).padStart(6, '0')}`

function itemOf(at: number, vector: Vector): ItemWrite {
  const persona = 'shared'
  const shared = {
    itemId: asItemId(`item-${at}`),
    persona,
    sessionId: `session-${at % 500}`,
    source: 'user' as const,
  }
  const text = `turn ${at} about topic ${at % 997} and word${at % 4_001} of person ${at % 61}`
  const retained = { base: 1, createdAt: at, lastAccessAt: at, accessCount: 0, pinned: false }
  const chunk = { id: asChunkId(idOf(at)), speaker: null, text, start: 0, end: text.length, vector }
  return {
    ...{ ...shared, metadata: null, createdAt: at, textHash: idOf(at), entities: [], facts: [], links: [] },
    chunks: [{ ...shared, ...retained, ...chunk, metadata: null }],
  }
}

async function fill(stores: MemoryStores, vectors: readonly Vector[]): Promise<void> {
  for (let first = 0; first < vectors.length; first += 250) {
    const batch = vectors.slice(first, first + 250)
    await Promise.all(
      batch.map((vector, at) => stores.journal.remember(namespace, itemOf(first + at, vector))),
    )
  }
}

function openPeer(file: string, vectors: readonly Vector[]): (question: Vector) => number[] {
  const db = new DatabaseSync(file, { allowExtension: true })
  db.loadExtension(getLoadablePath())
  db.exec(`CREATE VIRTUAL TABLE peer USING vec0(embedding float[${dimensions}])`)
  const insert = db.prepare('INSERT INTO peer (rowid, embedding) VALUES (?, ?)')
  db.exec('BEGIN')
  vectors.forEach((vector, at) => {
    insert.run(BigInt(at + 1), vector)
  })
  db.exec('COMMIT')
  const search = db.prepare('SELECT rowid FROM peer WHERE embedding MATCH ? AND k = ? ORDER BY distance')
  return (question) => search.all(question, nearest).map(({ rowid }) => Number(rowid) - 1)
}

/** The search as the reading thread runs it, here in this thread as the peer's. */
function openOurs(directory: string): (question: Vector) => readonly string[] {
  const context = createContext(openForReading({ directory }))
  const shared = { namespace, personas: ['shared'], limit: nearest, budgetBytes: 2 ** 28 }
  return (vector) => episodicReads['episodic.nearest'](context, { ...shared, vector }).ids
}

function bruteForce(question: Vector, vectors: readonly Vector[]): string[] {
  return vectors
    .map((vector, at) => ({ id: idOf(at), cosine: dot(question, vector) }))
    .sort((a, b) => b.cosine - a.cosine || (a.id < b.id ? -1 : 1))
    .slice(0, nearest)
    .map(({ id }) => id)
}

/** CPU milliseconds of every thread: what else runs on the machine does not count. */
async function cpuMs<T>(run: () => T | Promise<T>): Promise<{ ms: number; result: T }> {
  const before = process.cpuUsage()
  const result = await run()
  const { user, system } = process.cpuUsage(before)
  return { ms: (user + system) / 1_000, result }
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
const megabytes = () => Math.round(process.memoryUsage.rss() / 2 ** 20)

async function main(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'memoryd-vectors-'))
  const ours = join(directory, 'ours')
  try {
    const engine = await openEngine({ directory: ours })
    const stores = createEmbeddedMemoryStores(engine)
    const vectors = Array.from({ length: chunks }, nextVector)
    await fill(stores, vectors)
    await compare({
      stores,
      ours: openOurs(ours),
      peer: openPeer(join(directory, 'peer.db'), vectors),
      vectors,
    })
    await engine.close()
    // In a process that holds nothing but the store.
    spawnSync(process.execPath, [import.meta.filename, ours], { stdio: 'inherit' })
  } finally {
    await rm(directory, { recursive: true })
  }
}

/** What a process that serves this store holds in memory, after searching. */
async function measureMemory(directory: string): Promise<void> {
  const before = megabytes()
  const engine = await openEngine({ directory })
  const stores = createEmbeddedMemoryStores(engine)
  for (let at = 0; at < 100; at++) {
    const query = {
      vector: nextVector(),
      terms: ['topic', `${at}`],
      personas: null,
      nearest: 60,
      lexical: 60,
    }
    await stores.episodic.search(namespace, query)
  }
  console.log(
    `process memory               ${megabytes()} MB with the store open and searched, ${before} MB before`,
  )
  await engine.close()
}

interface Compared {
  readonly stores: MemoryStores
  ours(question: Vector): readonly string[]
  peer(question: Vector): number[]
  readonly vectors: readonly Vector[]
}

async function compare({ stores, ours, peer, vectors }: Compared): Promise<void> {
  const load = await cpuMs(() => ours(nextVector()))
  const ask = (question: Vector, at: number) => {
    const terms = ['topic', `word${at * 17}`, `${at}`, 'person']
    return stores.episodic.search(namespace, {
      vector: question,
      terms,
      personas: null,
      nearest: 60,
      lexical: 60,
    })
  }
  for (let at = 0; at < warmUp; at++) {
    ours(nextVector())
    peer(nextVector())
    await ask(nextVector(), at)
  }
  const asked = Array.from({ length: questions }, (_, at) =>
    at % 2 ? nextVector() : (vectors[at * 37] ?? nextVector()),
  )
  const [mine, theirs, whole]: [number[], number[], number[]] = [[], [], []]
  const answers: ReadonlySet<string>[] = []
  // In turns of twenty: each is measured in its own stride, neither in a quieter time than the other.
  for (let first = 0; first < questions; first += turn) {
    const some = asked.slice(first, first + turn)
    for (const question of some) {
      const answer = await cpuMs(() => ours(question))
      answers.push(new Set(answer.result.slice(0, nearest)))
      mine.push(answer.ms)
    }
    for (const question of some) theirs.push((await cpuMs(() => peer(question))).ms)
    for (const [at, question] of some.entries()) whole.push((await cpuMs(() => ask(question, first + at))).ms)
  }
  // Afterwards: its garbage would be collected while something else is measured.
  let found = 0
  for (const [at, question] of asked.entries()) {
    found += bruteForce(question, vectors).filter((id) => answers[at]?.has(id)).length
  }
  const recall = found / (questions * nearest)
  const ratio = median(theirs) / median(mine)
  console.log(`${chunks} x ${dimensions}, ${questions} questions, ${nearest} nearest; CPU ms at the median`)
  console.log(`recall against brute force  ${recall.toFixed(3)}`)
  console.log(`ours                        ${median(mine).toFixed(2)}`)
  console.log(`sqlite-vec                  ${median(theirs).toFixed(2)}`)
  console.log(`ratio                       ${ratio.toFixed(1)}`)
  console.log(`search, words and neighbours ${median(whole).toFixed(2)}`)
  console.log(`first search, loads the index ${load.ms.toFixed(0)}`)
  if (recall < 1 || ratio < smallestRatio) process.exitCode = 1
}

const [, , served] = process.argv
await (served === undefined ? main() : measureMemory(served))
