/**
 * What users get: the real service in a process of its own, asked over HTTP, on stores of growing size. Everything is
 * given as a ratio to a bare forward pass of the same texts in the same run.
 *   npm run -s bench -- speed [--sets DIR] [--sizes 1k,10k,100k] [--turns 600] [--namespaces 1000,10000]
 *     [--index-memory 512] [--questions 100] [--keep DIR] [--svg DIR] [--cpu-prof DIR]
 * Without --sets the conversations of data/talks are used. --turns tells so many real turns in batches and searches them.
 * --index-memory asks the namespaces again where indexes may take so many megabytes.
 * --keep makes the filled stores once. Linux only: it reads /proc.
 */
import { constants, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type RunningService, startService } from '../memory/service.ts'
import { loadSet } from '../retrieval/sets.ts'
import { openModel, wallOf } from './cost.ts'
import { type Plot, svgOf } from './plot.ts'
import { hottest } from './profile.ts'
import { filledStore, memoriesOfNamespace, readTurnsOf } from './store.ts'
import { type Measured, measureBatches, measureNamespaces, measureStore, retrieve } from './workloads.ts'

const { values: options } = parseArgs({
  options: {
    sets: { type: 'string' },
    sizes: { type: 'string', default: '1k,10k' },
    turns: { type: 'string', default: '0' },
    namespaces: { type: 'string', default: '' },
    'index-memory': { type: 'string', default: '' },
    questions: { type: 'string', default: '100' },
    keep: { type: 'string' },
    svg: { type: 'string' },
    'cpu-prof': { type: 'string' },
  },
})
const listOf = (text: string) =>
  text
    .split(',')
    .filter((part) => part !== '')
    .map((part) => Number(part.replace(/k$/i, '000').replace(/m$/i, '000000')))

const groups = options.sets === undefined ? loadSet('', 'talks') : loadSet(options.sets, 'locomo')
const turns = groups.flatMap(({ items }) => items)
const questions = groups.flatMap(({ queries }) => queries.map(({ query }) => query))
const root = options.keep ?? mkdtempSync(join(tmpdir(), 'memoryd-speed-'))
mkdirSync(root, { recursive: true })
const count = Number(options.questions)
const read = () =>
  readTurnsOf(
    turns.map(({ text }) => text),
    join(root, 'turns.bin'),
  )

const directory = join(root, 'measured')

/** Runs the service as users do, with its log, on a copy of a store, so that a kept one stays as it was filled; null: on none. */
function served<T>(
  store: string | null,
  work: (service: RunningService) => Promise<T>,
  environment: Readonly<Record<string, string>> = {},
): Promise<T> {
  rmSync(directory, { recursive: true, force: true })
  if (store !== null) cpSync(store, directory, { recursive: true, mode: constants.COPYFILE_FICLONE })
  return servedAgain(work, environment)
}

/** Runs the service on what the last one left. */
async function servedAgain<T>(
  work: (service: RunningService) => Promise<T>,
  environment: Readonly<Record<string, string>> = {},
): Promise<T> {
  const profiles = options['cpu-prof']
  if (profiles !== undefined) rmSync(profiles, { recursive: true, force: true })
  const service = await startService(directory, {
    environment: { METRICS: 'open', LOG_LEVEL: 'info', ...environment },
    log: join(root, 'service.log'),
    flags: profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`],
  })
  return work(service).finally(() => service.stop())
}

const heading = `| store | request | times a forward pass | CPU ms | wall p50 / p95 ms | RSS MB | ms in models and stores |
|---|---|---|---|---|---|---|`

function lineOf({ store, what, cost, resident }: Measured): string {
  const stages = [...cost.stages].map(([stage, ms]) => `${stage} ${ms.toFixed(1)}`).join(', ')
  const cells = [
    ...[store, what, (cost.cpu / cost.forward).toFixed(2), cost.cpu.toFixed(1)],
    ...[`${cost.p50.toFixed(1)} / ${cost.p95.toFixed(1)}`, resident.toFixed(0), stages],
  ]
  return `| ${cells.join(' | ')} |`
}

const rows: Measured[] = []
const firsts: Record<'cold' | 'restarted' | 'crashed', [number, number][]> = {
  cold: [],
  restarted: [],
  crashed: [],
}
const residents: { name: string; points: readonly (readonly [number, number])[] }[] = []

/** The model is a new one for each store: it remembers the texts that it read last. */
const measured = async (service: RunningService, name: string, memories: number) =>
  measureStore({ service, model: await openModel(), questions, count }, { name, memories }, (row) =>
    console.log(lineOf(row)),
  )

/** A profile is written when the service ends. */
function showProfiles({ rows }: Awaited<ReturnType<typeof measured>>): void {
  const profiles = options['cpu-prof']
  if (profiles === undefined) return
  for (const { what, cost } of rows)
    console.log(`\n${what}, self time a request:\n${hottest(profiles, cost, 15).join('\n')}`)
}

function plots(): readonly (Plot & { readonly file: string })[] {
  const kinds = [...Map.groupBy(rows, ({ what }) => what)]
  const of = (value: (row: Measured) => number) =>
    kinds.map(([what, list]) => ({
      name: what.replaceAll('`', ''),
      points: list.map((row) => [row.memories, value(row)] as const),
    }))
  const searched = rows.filter(({ what }) => what === 'search')
  const memory = [
    { name: 'after searching', points: searched.map((row) => [row.memories, row.resident] as const) },
  ]
  return [
    {
      file: 'cost',
      title: 'CPU of a request',
      x: 'memories in the namespace',
      y: 'ms',
      series: of(({ cost }) => cost.cpu),
    },
    {
      file: 'first',
      title: 'First question after a start: wall time',
      x: 'memories in the namespace',
      y: 'ms',
      series: [
        { name: 'indexes read from the store', points: firsts.cold },
        { name: 'after a clean stop', points: firsts.restarted },
        { name: 'after kill -9', points: firsts.crashed },
      ],
    },
    {
      file: 'memory',
      title: 'Memory of the process',
      x: 'memories in the namespace',
      y: 'MB',
      series: memory,
    },
    { file: 'namespaces', title: 'Memory of the process', x: 'namespaces asked', y: 'MB', series: residents },
  ].filter(({ series }) => series.some(({ points }) => points.length > 1))
}

console.log(heading)
try {
  const real = turns.slice(0, Number(options.turns))
  if (real.length > 0)
    showProfiles(
      await served(null, async (service) => {
        console.log(await measureBatches(service, real))
        return measured(service, `${real.length} real turns`, real.length)
      }),
    )
  for (const memories of listOf(options.sizes)) {
    const { directory } = await filledStore(join(root, `memories-${memories}`), { memories }, read)
    const outcome = await served(directory, (service) => measured(service, `${memories} memories`, memories))
    showProfiles(outcome)
    firsts.cold.push([memories, outcome.first])
    const [question = ''] = questions.toReversed()
    const again = await servedAgain((service) => wallOf(() => retrieve(service)(question)))
    console.log(`| ${memories} memories | first question after a restart | | | ${again.toFixed(0)} | | |`)
    firsts.restarted.push([memories, again])
    await servedAgain(async (service) => {
      await retrieve(service)(question)
      process.kill(service.pid, 'SIGKILL')
    })
    const crashed = await servedAgain((service) => wallOf(() => retrieve(service)(question)))
    console.log(`| ${memories} memories | first question after kill -9 | | | ${crashed.toFixed(0)} | | |`)
    firsts.crashed.push([memories, crashed])
    rows.push(...outcome.rows)
  }
  for (const namespaces of listOf(options.namespaces)) {
    const { directory, keys } = await filledStore(
      join(root, `namespaces-${namespaces}`),
      { namespaces },
      read,
    )
    for (const megabytes of ['', ...options['index-memory'].split(',').filter((one) => one !== '')]) {
      const { line, resident } = await served(
        directory,
        (service) => measureNamespaces(service, keys, questions),
        megabytes === '' ? {} : { INDEX_MEMORY: megabytes },
      )
      const bound = megabytes === '' ? '' : `, INDEX_MEMORY ${megabytes}`
      console.log(`${line} (${memoriesOfNamespace} memories each${bound})`)
      residents.push({ name: `of ${namespaces}${bound}`, points: resident })
    }
  }
  if (options.svg !== undefined) {
    mkdirSync(options.svg, { recursive: true })
    for (const plot of plots()) writeFileSync(join(options.svg, `${plot.file}.svg`), svgOf(plot))
  }
} finally {
  rmSync(options.keep === undefined ? root : join(root, 'measured'), { recursive: true, force: true })
}
