/**
 * memoryd beside three others that keep memories for agents, on the same texts and questions in the same run: mem0
 * without a language model, Mastra's semantic recall, and the knowledge graph of the MCP reference servers.
 *   npm run -s bench -- peers [--sets DIR] [--texts 400] [--questions 150]
 * Without --sets the conversations of data/talks are used, otherwise LoCoMo. Each system has a process of its own, whose
 * CPU is counted; they take turns in lots, so that other load falls on all. mem0 and Mastra embed with memoryd's encoder.
 * The table is on standard output, progress on standard error. Linux only: it reads /proc.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { settle } from '../memory/service.ts'
import { mean, qualityOf } from '../retrieval/metrics.ts'
import { type Item, loadSet } from '../retrieval/sets.ts'
import { cpuOf, percentile, wallOf } from '../speed/cost.ts'
import { installPeers } from './install.ts'
import { k, opens, type System } from './systems.ts'

const { values } = parseArgs({
  options: {
    sets: { type: 'string' },
    texts: { type: 'string', default: '400' },
    questions: { type: 'string', default: '150' },
  },
})

/** Texts of one turn, and of one call where many are given at once. */
const together = 100
/** Questions of one turn. */
const lot = 10
/** Searches that count for nothing, of texts that were told. */
const warmUp = 20

interface Question {
  readonly query: string
  /** The texts that answer it. */
  readonly gold: readonly string[]
}

/** The first texts of a set, and questions that they answer, evenly spread. */
function chosen(): { readonly items: readonly Item[]; readonly questions: readonly Question[] } {
  const groups = values.sets === undefined ? loadSet('', 'talks') : loadSet(values.sets, 'locomo')
  const items = groups.flatMap((group) => group.items).slice(0, Number(values.texts))
  const texts = new Map(items.map(({ id, text }) => [id, text]))
  const all = groups
    .flatMap(({ queries }) => queries)
    .filter(({ gold, answerable }) => answerable && gold.every((id) => texts.has(id)))
    .map(({ query, gold }) => ({ query, gold: [...new Set(gold.map((id) => texts.get(id) ?? ''))] }))
  const step = Math.max(1, all.length / Number(values.questions))
  const count = Math.floor(all.length / step)
  if (!(count > 0)) throw new Error('no question to ask: --texts and --questions want more')
  const questions = Array.from({ length: count }, (_, at) => all[Math.floor(at * step)])
  return { items, questions: questions.filter((question) => question !== undefined) }
}

function lotsOf<T>(list: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, at) =>
    list.slice(at * size, (at + 1) * size),
  )
}

/** Every system does the work of a lot, then all do the next; CPU milliseconds of each, with what it did afterwards. */
async function inTurns<T>(
  systems: readonly System[],
  lots: readonly (readonly T[])[],
  work: (system: System, lot: readonly T[]) => Promise<void>,
): Promise<ReadonlyMap<string, number>> {
  const before = new Map(systems.map(({ name, pid }) => [name, cpuOf(pid)]))
  for (const [at, each] of lots.entries()) {
    for (const system of systems) await work(system, each)
    process.stderr.write(`${at + 1} of ${lots.length} turns\n`)
  }
  await settle()
  return new Map(systems.map(({ name, pid }) => [name, cpuOf(pid) - (before.get(name) ?? 0)]))
}

/** Starts all systems empty, works with them, and stops them. */
async function withSystems<T>(work: (systems: readonly System[]) => Promise<T>): Promise<T> {
  const root = mkdtempSync(join(tmpdir(), 'memoryd-peers-'))
  const systems: System[] = []
  try {
    for (const [name, open] of opens) {
      const folder = join(root, name)
      mkdirSync(folder)
      systems.push(await open(folder))
    }
    return await work(systems)
  } finally {
    for (const system of systems) await system.close()
    rmSync(root, { recursive: true })
  }
}

interface Asked {
  readonly wall: number
  readonly recall: number
}

async function ask(system: System, { query, gold }: Question): Promise<Asked> {
  let found: readonly string[] = []
  const wall = await wallOf(async () => {
    found = await system.search(query)
  })
  const hits = [...new Set(found)].map((text) => gold.includes(text))
  return { wall, recall: qualityOf(hits, gold.length).recall10 }
}

installPeers()
const { items, questions } = chosen()
const answers = new Map<string, Asked[]>()

process.stderr.write(`${items.length} texts, ${together} in a call\n`)
const batches = await withSystems((systems) =>
  inTurns(systems, lotsOf(items, together), (system, each) => system.add(each)),
)

process.stderr.write(`${items.length} texts, one after the other, then ${questions.length} questions\n`)
const { adds, searches } = await withSystems(async (systems) => {
  const adds = await inTurns(systems, lotsOf(items, together), async (system, each) => {
    for (const item of each) await system.add([item])
  })
  for (const system of systems) for (const { text } of items.slice(0, warmUp)) await system.search(text)
  const searches = await inTurns(systems, lotsOf(questions, lot), async (system, each) => {
    const list = answers.get(system.name) ?? []
    for (const question of each) list.push(await ask(system, question))
    answers.set(system.name, list)
  })
  return { adds, searches }
})

/** CPU milliseconds of one text or question. */
const costs = [
  { cpu: adds, count: items.length },
  { cpu: batches, count: items.length },
  { cpu: searches, count: questions.length },
]

const ratioFormat = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 })

function lineOf(name: string, asked: readonly Asked[]): string {
  const walls = asked.map(({ wall }) => wall)
  const cpu = costs.map(({ cpu, count }) => (cpu.get(name) ?? Number.NaN) / count)
  const times = costs.map(({ cpu }) => (cpu.get(name) ?? Number.NaN) / (cpu.get('memoryd') ?? Number.NaN))
  const cells = [
    ...[name, ...cpu.map((ms) => ms.toFixed(1))],
    `${percentile(walls, 0.5).toFixed(1)} / ${percentile(walls, 0.95).toFixed(1)}`,
    mean(asked.map(({ recall }) => recall)).toFixed(3),
    times.map((ratio) => ratioFormat.format(ratio)).join(' / '),
  ]
  return `| ${cells.join(' | ')} |`
}

console.log(`${items.length} texts in one scope, ${questions.length} questions, k ${k}.

| system | CPU-ms an add | the same, ${together} in a call | CPU-ms a search | wall p50 / p95 ms of a search | R@10 | CPU, times memoryd's: add / ${together} in a call / search |
|---|---|---|---|---|---|---|`)
for (const [name, asked] of answers) console.log(lineOf(name, asked))
