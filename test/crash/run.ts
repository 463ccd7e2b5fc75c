// kill -9 of the server in the middle of concurrent ingests, again and again. No acknowledged item may be missing or partial,
// nothing may be there twice after the clients retried, no budget may be overdrawn. CRASH_ROUNDS sets the number of
// rounds with small models, CRASH_REAL_ROUNDS of those with the real ones, SEED repeats a run.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { announceSeed, createRandom, sizeFrom } from '../faults/support/random.ts'
import { type Break, breaks } from './broken-stores.ts'
import { fillStore } from './fill-store.ts'
import { realItem, smallItem } from './items.ts'
import { realServers, type ServerSource, smallServers } from './processes.ts'
import { crashRound, type FinishedRound, type RoundPlan, type RoundReport } from './round.ts'

const rounds = sizeFrom('CRASH_ROUNDS', 200)
const realRounds = sizeFrom('CRASH_REAL_ROUNDS', 5)
/** A broken server must be found out within this many rounds. */
const controlRounds = 20
/** What the real server's store holds besides, so that a restart has something to open. */
const restartMemories = sizeFrom('CRASH_MEMORIES', 5_000)
/** What the crash and the store may add to the CPU time of a start: times that of one with nothing stored, in the same run. */
const mostOfAStart = 1.5
const seed = announceSeed('crash')
const random = createRandom(seed)
let failed = false

interface Series {
  readonly dataDir: string
  readonly servers: ServerSource
  readonly rounds: number
  plan(round: number): Omit<RoundPlan, 'dataDir' | 'random'>
  /** Stops the series after a round. */
  readonly enough?: (report: RoundReport) => boolean
}

async function run({ dataDir, servers, rounds: count, plan, enough }: Series): Promise<RoundReport[]> {
  const done: FinishedRound[] = []
  let server = await servers.next()
  try {
    for (let round = 0; round < count; round++) {
      const finished = await crashRound({ ...plan(round), dataDir, random }, servers, server)
      server = finished.server
      done.push(finished)
      if (enough?.(finished.report)) break
      if (count >= 100 && (round + 1) % 50 === 0) console.log(`  ${round + 1} rounds`)
    }
    const late: string[] = []
    if (enough === undefined)
      for (const { lookAgain } of done) late.push(...(await lookAgain(server.address)))
    return [...done.map(({ report }) => report), { ...nothing, problems: late }]
  } finally {
    await server.kill()
    await servers.close()
  }
}

const nothing: RoundReport = {
  ...{ problems: [], acknowledged: 0, unacknowledged: 0, storedUnacknowledged: 0, refused: 0 },
  ...{ inFlightAtKill: 0, readyMs: 0, readyCpuMs: null },
}

const sum = (reports: readonly RoundReport[], of: (report: RoundReport) => number) =>
  reports.reduce((total, report) => total + of(report), 0)

async function inDirectory<T>(work: (dataDir: string) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'memoryd-crash-'))
  try {
    return await work(dataDir)
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

function tell(
  what: string,
  reports: readonly RoundReport[],
  count: number,
  emptyCpuMs: number | null = null,
): void {
  const problems = reports.flatMap((report) => report.problems)
  const ready = reports
    .map(({ readyMs }) => readyMs)
    .filter((ms) => ms > 0)
    .sort((a, b) => a - b)
  const cpu = reports
    .map(({ readyCpuMs }) => readyCpuMs)
    .filter((ms) => ms !== null)
    .sort((a, b) => a - b)
  const median = cpu[cpu.length >> 1]
  const isDear = emptyCpuMs !== null && median !== undefined && median > mostOfAStart * emptyCpuMs
  const midRequest = reports.filter(({ inFlightAtKill }) => inFlightAtKill > 0).length
  console.log(
    [
      `${what}: ${count} kills, ${midRequest} of them in the middle of requests (${sum(reports, (r) => r.inFlightAtKill)} requests cut off)`,
      `  acknowledged ${sum(reports, (r) => r.acknowledged)} items; unacknowledged ${sum(reports, (r) => r.unacknowledged)}, of which stored ${sum(reports, (r) => r.storedUnacknowledged)}; refused for the budget ${sum(reports, (r) => r.refused)}`,
      `  lost, partial or doubled: ${problems.length}`,
      `  kill -9 to ready: median ${seconds(ready[ready.length >> 1])}, worst ${seconds(ready.at(-1))}`,
      ...(emptyCpuMs === null
        ? []
        : [
            `  CPU time of the restart, over all threads: median ${seconds(median)}, worst ${seconds(cpu.at(-1))}; with nothing stored ${seconds(emptyCpuMs)}, limit ${mostOfAStart} times that`,
          ]),
    ].join('\n'),
  )
  for (const problem of problems.slice(0, 20)) console.log(`  PROBLEM ${problem}`)
  if (problems.length > 0 || midRequest < count / 2 || isDear) failed = true
}

const seconds = (ms = 0) => `${(ms / 1000).toFixed(2)} s`

/** Every fifth account has less to spend than its clients ask for. */
const smallPlan = (prefix: string) => (round: number) => ({
  ...{ name: `${prefix}-${round}`, makeItem: smallItem, clients: 6, mostAnswers: 70 },
  budget: round % 5 === 4 ? 100 : 1_000_000,
})

if (rounds > 0)
  for (const broken of Object.keys(breaks) as Break[]) {
    await inDirectory(async (dataDir) => {
      const reports = await run({
        ...{
          dataDir,
          servers: smallServers(dataDir, broken),
          rounds: controlRounds,
          plan: smallPlan('control'),
        },
        enough: ({ problems }) => problems.length > 0,
      })
      const problem = reports.flatMap(({ problems }) => problems)[0]
      console.log(
        `negative control, a server that ${broken}: ${problem === undefined ? 'NOT FOUND OUT' : `found out, round ${reports.length - 1}: ${problem}`}`,
      )
      if (problem === undefined) failed = true
    })
  }
if (rounds > 0)
  await inDirectory(async (dataDir) => {
    const servers = smallServers(dataDir)
    tell('small models', await run({ dataDir, servers, rounds, plan: smallPlan('round') }), rounds)
  })
if (realRounds > 0) {
  const emptyCpuMs = await inDirectory(async (dataDir) => {
    const server = await realServers(dataDir).next()
    await server.kill()
    return server.readyCpuMs
  })
  await inDirectory(async (dataDir) => {
    const plan = (round: number) => ({
      ...{ name: `real-${round}`, makeItem: realItem, clients: 4, mostAnswers: 12, budget: 1_000_000 },
    })
    await fillStore(dataDir, restartMemories)
    const servers = realServers(dataDir)
    tell(
      `real models, ${restartMemories} memories`,
      await run({ dataDir, servers, rounds: realRounds, plan }),
      realRounds,
      emptyCpuMs,
    )
  })
}
console.log(failed ? 'crash: FAILED' : 'crash: ok')
process.exitCode = failed ? 1 : 0
