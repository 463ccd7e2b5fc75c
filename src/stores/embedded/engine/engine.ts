import { openWorkerClient, type WorkerClient } from '../../../core/worker-client.ts'
import { type Reads, type Writes, walking } from '../commands.ts'
import type { ArgsOf, ResultOf } from './context.ts'
import { fromWire, type WireFailure } from './failures.ts'
import type { OpenOptions } from './open-database.ts'
import { type Call, type Outcome, severalReads } from './transactions.ts'
import type { WorkerSetup } from './worker.ts'

export interface EngineStatus {
  readonly state: 'open' | 'closed' | 'failed'
  /** What went wrong, when failed. A failed store is opened again by itself, at the latest at the next call. */
  readonly error: string | null
  readonly pendingReads: number
  readonly pendingWrites: number
}

/** The embedded store's database: every access is a command by name. */
export interface Engine {
  /** Resolves when the change is on disk; rejects when nothing of it is. Writes are applied in call order. */
  write<Name extends keyof Writes>(name: Name, ...args: ArgsOf<Writes[Name]>): Promise<ResultOf<Writes[Name]>>
  /** Sees every write that resolved before the call. */
  read<Name extends keyof Reads>(name: Name, ...args: ArgsOf<Reads[Name]>): Promise<ResultOf<Reads[Name]>>
  status(): EngineStatus
  /** Finishes what was called before, moves the log into the file, ends the threads. Twice is once. */
  close(): Promise<void>
}

/** One thread with its own connection to the database. */
export type Connection = WorkerClient<Call, unknown>

/** Told when a thread ended by itself; it is opened again. */
export type OnLost = (cause: Error) => void

const workerScript = new URL('./worker.ts', import.meta.url)

/** What a command leaves behind is garbage at once: a small nursery keeps it from spreading over tens of megabytes. */
const resourceLimits = { maxYoungGenerationSizeMb: 6 }

/** Starts a thread; resolves when its connection is open, rejects with the reason when it refuses. */
export function connect(setup: WorkerSetup, onLost?: OnLost, script = workerScript): Promise<Connection> {
  return openWorkerClient({
    script,
    workerData: setup,
    resourceLimits,
    unavailable: 'store_unavailable',
    closed: 'store_unavailable',
    // The thread is of ours: it sends what toWire made.
    fromWire: (failure) => fromWire(failure as WireFailure),
    onLost,
    finishes: true,
  })
}

/**
 * Opens the store in a directory: one thread writes, one answers questions, a third one is started by the first read that
 * may walk through a namespace; the event loop only passes messages. Rejects with StoreRefused when the directory is in
 * use or its file is damaged, missing, foreign or newer.
 */
export async function openEngine(options: OpenOptions, onLost?: OnLost): Promise<Engine> {
  const writer = await connect({ role: 'writer', options }, onLost)
  const reader = await connect({ role: 'reader', options }, onLost).catch(async (error) => {
    await writer.close()
    throw error
  })
  return createEngine(writer, reader, () => connect({ role: 'walker', options }, onLost))
}

/** Joins the connections; without a third one the reader walks, too. */
export function createEngine(
  writer: Connection,
  reader: Connection,
  openWalker = async () => reader,
): Engine {
  let closing: Promise<void> | null = null
  let walker: Connection | null = null
  let opening: Promise<Connection> | null = null
  const walk = async (call: Call) => {
    // Closed, it refuses: nothing is opened any more.
    if (closing !== null) return reader.call(call)
    opening ??= openWalker().catch((error) => {
      opening = null
      throw error
    })
    walker = await opening
    return walker.call(call)
  }
  const reads = readsTogether((call) => reader.call(call))
  const walks = readsTogether(walk)
  const close = async () => {
    reads.send()
    walks.send()
    // The readers first: an open one would keep the log from being emptied.
    const walkerClosed = opening?.then((opened) => opened.close()).catch(() => undefined)
    await Promise.all([reader.close(), walkerClosed]).finally(() => writer.close())
  }
  return {
    // The tables' types tie name, arguments and result together; a message carries none of that.
    write: (name, ...args) => writer.call({ name, args: args[0] }) as Promise<never>,
    read: (name, ...args) =>
      (walking.has(name) ? walks : reads).call({ name, args: args[0] }) as Promise<never>,
    status: () => {
      const failure = writer.failure ?? reader.failure ?? walker?.failure ?? null
      return {
        state: failure !== null ? 'failed' : closing === null ? 'open' : 'closed',
        error: failure?.message ?? null,
        pendingReads: reader.pending + (walker === null || walker === reader ? 0 : walker.pending),
        pendingWrites: writer.pending,
      }
    },
    close: () => {
      closing ??= close()
      return closing
    },
  }
}

/** Reads that are called in one go cross the threads in one message: each crossing costs as much as a small read. */
function readsTogether(cross: (call: Call) => Promise<unknown>) {
  let waiting: { readonly call: Call; readonly outcome: PromiseWithResolvers<unknown> }[] = []
  const send = () => {
    const sent = waiting
    waiting = []
    const [first] = sent
    if (first === undefined) return
    if (sent.length === 1) return first.outcome.resolve(cross(first.call))
    const answered = cross({ name: severalReads, args: sent.map(({ call }) => call) })
    for (const [at, { outcome }] of sent.entries()) {
      outcome.resolve(answered.then((outcomes) => resultOf((outcomes as readonly Outcome[])[at])))
    }
  }
  const call = (asked: Call): Promise<unknown> => {
    const outcome = Promise.withResolvers<unknown>()
    if (waiting.push({ call: asked, outcome }) === 1) queueMicrotask(send)
    return outcome.promise
  }
  return { call, send }
}

function resultOf(outcome: Outcome | undefined): unknown {
  if (outcome?.ok) return outcome.result
  throw outcome === undefined ? new Error('The read had no outcome.') : fromWire(outcome.failure)
}
