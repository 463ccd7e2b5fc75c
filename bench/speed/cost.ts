import { readFileSync } from 'node:fs'
import { openEncoder } from '../../src/models/reader/encoder.ts'
import { openLowerLayers } from '../../src/models/reader/lower.ts'
import { openTokenizer } from '../../src/models/reader/tokenizer.ts'
import type { RunningService } from '../memory/service.ts'

/** Requests and forward passes take turns in lots of this size, so that other load falls on both. */
const lot = 20

/** A store that takes seconds a request is asked fewer. */
const longest = { warmUpMs: 10_000, measuredMs: 25_000 }

/** What one kind of request costs; milliseconds of one request. */
export interface Cost {
  readonly requests: number
  /** CPU of the service's process, all threads. */
  readonly cpu: number
  /** CPU of the bare model reading the same texts, in the same minutes. */
  readonly forward: number
  readonly p50: number
  readonly p95: number
  /** Time in the ports' calls, by port. Calls run side by side, so they may add up to more than the wall time. */
  readonly stages: ReadonlyMap<string, number>
  /** When it was measured, in microseconds of the clock that profiles have too. */
  readonly from: number
  readonly to: number
}

const microseconds = () => Number(process.hrtime.bigint() / 1_000n)

export interface Model {
  tokensOf(text: string): readonly number[]
  pass(tokens: readonly number[]): Promise<unknown>
}

/** A forward pass of the encoder's twelve layers and nothing else: cutting a text into tokens is not measured. */
export async function openModel(): Promise<Model> {
  const [tokenizer, lower] = await Promise.all([openTokenizer(), openLowerLayers(1)])
  const encoder = await openEncoder(lower, 1)
  const { first, last } = tokenizer.marks
  return {
    tokensOf: (text) => [first, ...tokenizer.encode(text).slice(0, 510), last],
    pass: (tokens) => encoder.encode([tokens]),
  }
}

/** CPU milliseconds of a process so far, all its threads. */
export function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  // utime and stime, in ticks of 10 ms.
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Seconds in each stage so far. */
async function stagesOf({ address }: RunningService): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`${address}/metrics`)).text()
  const sums = text.matchAll(/^memoryd_stage_seconds_sum\{stage="(\w+)"\} (\S+)$/gm)
  return new Map([...sums].map(([, stage = '', seconds]) => [stage, Number(seconds)]))
}

export const percentile = (list: readonly number[], share: number): number =>
  list.toSorted((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * share))] ?? Number.NaN

export async function wallOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** Sends every text by `ask`, one after the other, and passes it through the bare model. The first `warmUp` count for nothing. */
export async function measure(
  service: RunningService,
  model: Model,
  texts: readonly string[],
  { warmUp, ask }: { readonly warmUp: number; ask(text: string, at: number): Promise<unknown> },
): Promise<Cost> {
  const began = performance.now()
  for (const [at, text] of texts.slice(0, warmUp).entries()) {
    if (performance.now() - began < longest.warmUpMs) await ask(text, at)
  }
  const before = await stagesOf(service)
  const from = microseconds()
  const walls: number[] = []
  let [cpu, forward] = [0, 0]
  const end = performance.now() + longest.measuredMs
  for (let first = warmUp; first < texts.length; first += lot) {
    const asked: string[] = []
    const start = cpuOf(service.pid)
    for (const [at, text] of texts.slice(first, first + lot).entries()) {
      if (performance.now() > end) break
      walls.push(await wallOf(() => ask(text, first + at)))
      asked.push(text)
    }
    cpu += cpuOf(service.pid) - start
    const tokens = asked.map(model.tokensOf)
    const own = process.cpuUsage()
    for (const each of tokens) await model.pass(each)
    const { user, system } = process.cpuUsage(own)
    forward += (user + system) / 1_000
  }
  const to = microseconds()
  const after = await stagesOf(service)
  const count = walls.length
  const spent = [...after].map(
    ([stage, seconds]) => [stage, ((seconds - (before.get(stage) ?? 0)) * 1_000) / count] as const,
  )
  return {
    ...{ from, to, requests: count, cpu: cpu / count, forward: forward / count },
    ...{ p50: percentile(walls, 0.5), p95: percentile(walls, 0.95) },
    stages: new Map(spent.filter(([, ms]) => ms >= 0.05).toSorted((a, b) => b[1] - a[1])),
  }
}
