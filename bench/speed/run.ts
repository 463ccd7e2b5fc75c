/**
 * What users get: the real service in a process of its own, asked over HTTP, on stores of growing size. Everything is
 * given as a ratio to a bare forward pass of the same texts in the same run.
 *   npm run -s bench:speed -- [--sets DIR] [--sizes 1k,10k,100k] [--namespaces 1000,10000] [--batch 600]
 *     [--questions 100] [--keep DIR] [--svg DIR] [--cpu-prof DIR]
 * Without --sets the conversations of data/talks are used. --keep makes the stores once. Linux only: it reads /proc.
 */
import { constants, cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { memoryOf, type RunningService, startService } from '../memory/service.ts'
import { loadSet } from '../retrieval/sets.ts'
import { type Cost, measure, openForward, wallOf } from './cost.ts'
import { filledStore, readTurnsOf } from './store.ts'

const { values: options } = parseArgs({
  options: {
    sets: { type: 'string' },
    sizes: { type: 'string', default: '1k,10k' },
    namespaces: { type: 'string', default: '' },
    questions: { type: 'string', default: '100' },
    keep: { type: 'string' },
    'cpu-prof': { type: 'string' },
  },
})
const listOf = (text: string) =>
  text
    .split(',')
    .filter((part) => part !== '')
    .map((part) => Number(part.replace(/k$/i, '000').replace(/m$/i, '000000')))

const groups = options.sets === undefined ? loadSet('', 'talks') : loadSet(options.sets, 'locomo')
const turns = groups.flatMap(({ items }) => items.map(({ text }) => text))
const questions = groups.flatMap(({ queries }) => queries.map(({ query }) => query))
/** Told to the filled stores: not of the conversations that they are made of. */
const news = loadSet('', 'stories').flatMap(({ items }) => items.map(({ text }) => text))

const measured = Number(options.questions)
const warmUp = 60
const root = options.keep ?? mkdtempSync(join(tmpdir(), 'memoryd-speed-'))
let reading: ReturnType<typeof readTurnsOf> | null = null
const readTurns = () => {
  reading ??= readTurnsOf(turns, join(root, 'turns.bin'))
  return reading
}
const model = await openForward()

/** No text is used twice in a run of the service, whose embedder remembers recent texts. */
function taker(list: readonly string[]): (count: number) => readonly string[] {
  let next = 0
  return (count) =>
    Array.from({ length: count }, () => {
      const text = list[next % list.length] ?? ''
      return `${text}${' ?'.repeat(Math.floor(next++ / list.length))}`
    })
}

/** As users run it, with its log. */
const start = (directory: string) =>
  startService(directory, {
    environment: { METRICS: 'open', LOG_LEVEL: 'info' },
    log: join(root, 'service.log'),
    ...(options['cpu-prof'] === undefined
      ? {}
      : { flags: ['--cpu-prof', `--cpu-prof-dir=${options['cpu-prof']}`] }),
  })

const told = (cost: Cost) =>
  `${(cost.cpu / cost.forward).toFixed(2)} x forward (${cost.cpu.toFixed(1)} / ${cost.forward.toFixed(1)} CPU-ms), ` +
  `wall ${cost.p50.toFixed(1)} / ${cost.p95.toFixed(1)} ms; ` +
  [...cost.stages].map(([stage, ms]) => `${stage} ${ms.toFixed(1)}`).join(', ')

/** A copy, so that a kept store stays as it was filled. */
function copied(directory: string): string {
  const copy = join(root, 'measured')
  rmSync(copy, { recursive: true, force: true })
  cpSync(directory, copy, { recursive: true, mode: constants.COPYFILE_FICLONE })
  return copy
}

async function measureSize(memories: number): Promise<void> {
  const { directory } = await filledStore(join(root, `memories-${memories}`), { memories }, readTurns)
  const service: RunningService = await start(copied(directory))
  const [takeQuestions, takeNews] = [taker(questions), taker(news)]
  const retrieve = (more: object) => (query: string) =>
    service.post('/brain/retrieve', { query, k: 10, ...more })
  const [firstQuestion = ''] = takeQuestions(1)
  const first = await wallOf(() => retrieve({})(firstQuestion))
  console.log(`${memories} memories: first question after the start ${first.toFixed(0)} ms`)
  const show = (what: string, cost: Cost) =>
    console.log(`  ${what.padEnd(26)} ${told(cost)}; RSS ${memoryOf(service.pid).resident.toFixed(0)} MB`)
  show(
    'search',
    await measure(service, model, takeQuestions(warmUp + measured), { warmUp, ask: retrieve({}) }),
  )
  show(
    'search, max_hops 3',
    await measure(service, model, takeQuestions(20 + measured / 2), {
      warmUp: 20,
      ask: retrieve({ max_hops: 3 }),
    }),
  )
  const ingest = (personaOf: (at: number) => string) => (text: string, at: number) =>
    service.post('/brain/ingest', { text, persona: personaOf(at) })
  const run = Date.now()
  // A persona of its own has nothing near; what is stored under the others is searched all the same.
  show(
    'ingest, nothing near',
    await measure(service, model, takeNews(20 + measured / 2), {
      warmUp: 20,
      ask: ingest((at) => `new-${run}-${at}`),
    }),
  )
  show(
    'ingest, near neighbours',
    await measure(service, model, takeNews(10 + measured / 4), { warmUp: 10, ask: ingest(() => 'shared') }),
  )
  await service.stop()
}

try {
  for (const memories of listOf(options.sizes)) await measureSize(memories)
} finally {
  if (options.keep === undefined) rmSync(root, { recursive: true })
}
