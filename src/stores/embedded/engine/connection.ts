import { Worker } from 'node:worker_threads'
import { ServiceError } from '../../../core/errors.ts'
import { fromWire, toWire } from './failures.ts'
import type { Outcome } from './transactions.ts'
import type { FromWorker, ToWorker, WorkerSetup } from './worker.ts'

/** One worker thread and the calls that wait for it. */
export interface Connection {
  call(name: string, args: unknown): Promise<unknown>
  /** After the calls made so far. */
  close(): Promise<void>
  readonly pending: number
  /** Why the worker no longer answers; null while it does. */
  readonly failure: Error | null
}

interface Waiting {
  resolve(result: unknown): void
  reject(error: Error): void
}

const workerScript = new URL('./worker.ts', import.meta.url)

/** What a command leaves behind is garbage at once: a small nursery keeps it from spreading over tens of megabytes. */
const resourceLimits = { maxYoungGenerationSizeMb: 6 }

/** The flags by which an installed memoryd reads TypeScript. Others, as --eval's, make no sense for a thread and stop it. */
const loaderFlags = () =>
  process.execArgv.filter((flag, at, all) => flag === '--import' || all[at - 1] === '--import')

/** Starts a worker; resolves when its connection is open, rejects with the reason when it refuses. */
export async function connect(setup: WorkerSetup, script = workerScript): Promise<Connection> {
  const worker = new Worker(script, { workerData: setup, execArgv: loaderFlags(), resourceLimits })
  const waiting = new Map<number, Waiting>()
  const opened = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<void>()
  // A failure to close is told to whoever called close; before that nobody listens.
  closed.promise.catch(() => {})
  let nextId = 0
  let failure: Error | null = null
  let closing = false

  const fail = (error: Error) => {
    failure ??= error
    opened.reject(error)
    for (const { reject } of waiting.values()) reject(unavailable(error))
    waiting.clear()
  }
  const send = (message: ToWorker) => worker.postMessage(message)
  const settle = (outcome: Outcome) => {
    const call = waiting.get(outcome.id)
    waiting.delete(outcome.id)
    if (waiting.size === 0 && !closing) worker.unref()
    if (outcome.ok) call?.resolve(outcome.result)
    else call?.reject(fromWire(outcome.failure))
  }
  worker.on('message', (message: FromWorker) => {
    if (message.kind === 'ready') opened.resolve()
    if (message.kind === 'refused') opened.reject(fromWire(message.failure))
    if (message.kind === 'outcomes') message.outcomes.forEach(settle)
    if (message.kind === 'closed' && message.failure !== null) closed.reject(fromWire(message.failure))
  })
  worker.on('error', (error) => fail(error instanceof Error ? error : new Error(String(error))))
  worker.on('exit', (code) => {
    if (!closing || waiting.size > 0) fail(new Error(`The store's ${setup.role} ended (exit code ${code}).`))
    closed.resolve()
  })

  const call = (name: string, args: unknown) => {
    if (failure !== null || closing) return Promise.reject(unavailable(failure))
    const id = nextId++
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    waiting.set(id, { resolve, reject })
    worker.ref()
    try {
      send({ id, name, args })
    } catch (error) {
      // The arguments do not survive a structured clone: a bug of this call, not of the worker.
      settle({ id, ok: false, failure: toWire(error) })
    }
    return promise
  }
  const close = () => {
    if (!closing && failure === null) send('close')
    closing = true
    worker.ref()
    return closed.promise
  }

  await opened.promise
  // An idle store does not keep the process alive; one with work to finish does.
  worker.unref()
  return {
    call,
    close,
    get pending() {
      return waiting.size
    },
    get failure() {
      return failure
    },
  }
}

function unavailable(cause: Error | null): ServiceError {
  return new ServiceError('store_unavailable', cause === null ? {} : { cause })
}
