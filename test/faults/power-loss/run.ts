// Loss of power, simulated: a process writes to a store under strace; the trace is replayed into a disk that keeps only what
// was synced, and any part of the rest; at random moments the power goes, and the store is opened on what is left. Every
// acknowledged write must be there, whole. With synchronous=OFF the same test must fail. POWER_LOSSES sets the number.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openForWriting } from '../../../src/stores/embedded/engine/open-database.ts'
import { announceSeed, createRandom, type Random, sizeFrom } from '../support/random.ts'
import { createSimulatedDisk } from './disk.ts'
import { readTrace, straceArguments } from './trace.ts'

const losses = sizeFrom('POWER_LOSSES', 500)
const items = sizeFrom('POWER_ITEMS', 400)
/** A store that is not synced must be found out within this many. */
const controlLosses = 200
const limitMs = 300_000
const seed = announceSeed('power loss')

/** What was acknowledged of each item so far. */
type Told = Map<string, 'stored' | 'being removed' | 'removed'>

const meanings: Readonly<Record<string, 'stored' | 'being removed' | 'removed'>> = {
  '+': 'stored',
  '?': 'being removed',
  '-': 'removed',
}

function listen(told: Told, text: string): void {
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const [mark = '', name = ''] = line.split(' ')
    const meaning = meanings[mark]
    if (meaning !== undefined) told.set(name, meaning)
  }
}

/** Runs the writer; says where its trace is. */
function record(folder: string, synchronous: 'FULL' | 'OFF'): { trace: string; directory: string } {
  const [trace, directory] = [path.join(folder, 'trace'), path.join(folder, 'data')]
  const script = path.join(import.meta.dirname, 'writer.ts')
  const { status, error } = spawnSync(
    'strace',
    [...straceArguments(trace), process.execPath, script, directory, synchronous, `${items}`, `${seed}`],
    { stdio: ['ignore', 'pipe', 'inherit'], timeout: limitMs },
  )
  if (error !== undefined)
    throw new Error(`strace cannot be run: ${error.message}. Install it (Debian: apt-get install strace).`)
  if (status !== 0) throw new Error(`the writer ended with ${status}`)
  return { trace, directory }
}

const columns = (table: string) => `SELECT item_id AS item, count(*) AS parts FROM ${table} GROUP BY item_id`

/** What is wrong with a store after the power came back; empty when every promise was kept. */
function problemsOf(directory: string, told: Told): string[] {
  let store: ReturnType<typeof openForWriting>
  try {
    store = openForWriting({ directory })
  } catch (error) {
    return [`the store does not open: ${error instanceof Error ? error.message : error}`]
  }
  const { db } = store
  const parts = (table: string) =>
    new Map(
      db
        .prepare(columns(table))
        .all()
        .map(({ item, parts }) => [String(item), Number(parts)]),
    )
  const [chunks, facts] = [parts('chunk'), parts('relationship')]
  const count = (sql: string) => Number(db.prepare(sql).get()?.count)
  const texts = count("SELECT count(*) AS count FROM memory_text WHERE kind <> 'entity'")
  const rows = count('SELECT (SELECT count(*) FROM chunk) + (SELECT count(*) FROM relationship) AS count')
  const problems = texts === rows ? [] : [`${texts} texts for ${rows} memories`]
  for (const name of new Set([...chunks.keys(), ...facts.keys(), ...told.keys()])) {
    const [ofChunks, ofFacts] = [chunks.get(name) ?? 0, facts.get(name) ?? 0]
    const isWhole = ofChunks === 2 && ofFacts === 2
    const isGone = ofChunks === 0 && ofFacts === 0
    const state = told.get(name)
    if (state === 'stored' && !isWhole)
      problems.push(`${name} was acknowledged: ${ofChunks} chunks, ${ofFacts} facts`)
    if (state === 'removed' && !isGone)
      problems.push(`${name} was removed: ${ofChunks} chunks, ${ofFacts} facts`)
    if (state === undefined && !isWhole && !isGone) problems.push(`${name} is partial`)
  }
  store.close()
  return problems
}

interface Found {
  readonly losses: number
  readonly midCommit: number
  readonly acknowledged: number
  readonly broken: readonly string[]
}

/** Replays a trace and lets the power go at random moments after the first acknowledgement. */
async function replay(
  folder: string,
  recorded: ReturnType<typeof record>,
  most: number,
  random: Random,
): Promise<Found> {
  const { trace, directory } = recorded
  let total = 0
  for await (const event of readTrace(trace)) if (event.kind !== 'said' || total > 0) total++
  const disk = createSimulatedDisk(directory, ['reserve', 'memory.db-shm', 'lock.db', 'owner.pid'])
  const told: Told = new Map()
  const broken: string[] = []
  const found = { losses: 0, midCommit: 0 }
  let left = total
  for await (const event of readTrace(trace)) {
    if (event.kind === 'said') listen(told, event.text)
    else disk.apply(event)
    left--
    if (told.size === 0 || found.losses >= most) continue
    // Every remaining moment is as likely as any other.
    if (!random.chance((most - found.losses) / Math.max(1, left))) continue
    const image = path.join(folder, 'image')
    disk.lose(random, image)
    found.losses++
    if (disk.pendingWrites() > 0) found.midCommit++
    const [problem] = problemsOf(image, told)
    if (problem !== undefined) broken.push(`after ${told.size} items: ${problem}`)
    rmSync(image, { recursive: true, force: true })
  }
  return { ...found, acknowledged: told.size, broken }
}

async function measure(synchronous: 'FULL' | 'OFF', most: number): Promise<Found> {
  const folder = mkdtempSync(path.join(tmpdir(), 'memoryd-power-'))
  try {
    const recorded = record(folder, synchronous)
    const found = await replay(folder, recorded, most, createRandom(seed))
    const megabytes = (statSync(recorded.trace).size / 2 ** 20).toFixed(0)
    console.log(
      `synchronous=${synchronous}: ${found.losses} losses of power (${found.midCommit} with writes in the cache), ${found.acknowledged} items acknowledged, a trace of ${megabytes} MB: ${found.broken.length} broken promises`,
    )
    for (const problem of found.broken.slice(0, 3)) console.log(`  ${problem}`)
    return found
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const full = await measure('FULL', losses)
const off = await measure('OFF', controlLosses)
const isControlRed = off.broken.length > 0
console.log(`negative control, synchronous=OFF: ${isControlRed ? 'found out' : 'NOT FOUND OUT'}`)
const isGood = full.broken.length === 0 && full.midCommit > full.losses / 4 && isControlRed
console.log(isGood ? 'power loss: ok' : 'power loss: FAILED')
process.exitCode = isGood ? 0 : 1
