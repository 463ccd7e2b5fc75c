import { type ResourceLimits, Worker } from 'node:worker_threads'
import { type FailureCode, ServiceError } from './errors.ts'

/** To a thread: a call, the id of a call that nobody waits for any more, or that it is to finish and end. */
export type ToThread<Request> =
  | { readonly id: number; readonly request: Request }
  | { readonly cancel: number }
  | 'close'

/** How a call ended. Failures cross as what survives a structured clone. */
export type Outcome<Failure = unknown> =
  | { readonly id: number; readonly ok: true; readonly result: unknown }
  | { readonly id: number; readonly ok: false; readonly failure: Failure }

export type FromThread<Failure = unknown> =
  | { readonly kind: 'ready' }
  | { readonly kind: 'refused'; readonly failure: Failure }
  | { readonly kind: 'outcomes'; readonly outcomes: readonly Outcome<Failure>[] }
  | { readonly kind: 'closed'; readonly failure: Failure | null }

export interface WorkerClientParts {
  readonly script: URL
  readonly workerData?: unknown
  readonly resourceLimits?: ResourceLimits
  /** The failure of calls whose thread ended or does not start. */
  readonly unavailable: FailureCode
  /** The failure of calls after closing. */
  readonly closed: FailureCode
  /** A thread's failure as an error of ours. */
  readonly fromWire?: (failure: unknown) => Error
  /** Told why a thread ended, or could not be started again, for the log. */
  readonly onLost?: ((cause: Error) => void) | undefined
  /** Closing waits for the calls made before; otherwise they are rejected. */
  readonly finishes?: boolean
  /** It ends by itself when it is told to close: ending it inside a model's run would take the whole process with it. */
  readonly endsItself?: boolean
}

export interface CallOptions {
  /** Rejects with its reason when it aborts. */
  readonly signal?: AbortSignal | undefined
}

/**
 * A thread that answers calls, seen from outside. One that ends by itself rejects every pending call and is started
 * again at once; where that fails, the next call tries again.
 */
export interface WorkerClient<Request, Result> {
  /** Calls reach the thread in the order they were made. */
  call(request: Request, options?: CallOptions): Promise<Result>
  close(): Promise<void>
  readonly pending: number
  /** Why there is no thread at the moment; null while there is one. */
  readonly failure: Error | null
}

interface Thread {
  readonly worker: Worker
  /** Rejects with the reason when it ends before that. */
  readonly ready: Promise<void>
  /** Resolves when it has ended: with what went wrong, null when nothing did. */
  readonly ended: Promise<Error | null>
  /** Ends it for this reason. */
  end(cause: Error): void
}

/** The flags by which an installed memoryd reads TypeScript, and is profiled. Others, as --eval's, stop a thread. */
export const threadFlags = () =>
  process.execArgv.filter(
    (flag, at, all) => flag === '--import' || all[at - 1] === '--import' || flag.startsWith('--cpu-prof'),
  )

/** Far longer than a run of a model takes. */
const graceMs = 10_000

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)))

function startThread(
  { script, workerData, resourceLimits = {}, fromWire = asError }: WorkerClientParts,
  settle: (outcomes: readonly Outcome[]) => void,
): Thread {
  const worker = new Worker(script, { workerData, resourceLimits, execArgv: threadFlags() })
  const ready = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<Error | null>()
  let cause: Error | null = null
  worker.on('message', (message: FromThread) => {
    if (message.kind === 'outcomes') settle(message.outcomes)
    else if (message.kind === 'ready') ready.resolve()
    else if (message.failure !== null) cause = fromWire(message.failure)
  })
  worker.on('error', (error) => {
    cause ??= asError(error)
  })
  worker.on('exit', (code) => {
    if (code !== 0) cause ??= new Error(`The thread ended (exit code ${code}).`)
    ready.reject(cause ?? new Error('The thread ended before it was ready.'))
    ended.resolve(cause)
  })
  const end = (reason: Error) => {
    cause ??= reason
    void worker.terminate()
  }
  return { worker, ready: ready.promise, ended: ended.promise, end }
}

/** Starts the thread; resolves when it is ready, rejects with its reason when it refuses. */
export async function openWorkerClient<Request, Result>(
  parts: WorkerClientParts,
): Promise<WorkerClient<Request, Result>> {
  const { fromWire = asError, finishes = false, endsItself = false } = parts
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let thread: Thread | null = null
  let failure: Error | null = null
  let closing: Promise<void> | null = null
  let opened = false
  let nextId = 0

  /** An idle thread does not keep the process alive; one with work to finish does. */
  const hold = ({ worker }: Thread) => {
    if (waiting.size > 0 || closing !== null) worker.ref()
    else worker.unref()
  }
  const rejectAll = (error: Error) => {
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  const start = (): Thread => {
    const started = startThread(parts, (outcomes) => {
      for (const outcome of outcomes) {
        const call = waiting.get(outcome.id)
        waiting.delete(outcome.id)
        if (outcome.ok) call?.resolve(outcome.result)
        else call?.reject(fromWire(outcome.failure))
      }
      hold(started)
    })
    void watch(started)
    return started
  }
  const watch = async (started: Thread) => {
    const isReady = await started.ready.then(
      () => true,
      () => false,
    )
    if (isReady) {
      failure = null
      hold(started)
    }
    const cause = (await started.ended) ?? new Error('The thread ended.')
    thread = null
    if (closing !== null) return rejectAll(new ServiceError(parts.closed))
    rejectAll(new ServiceError(parts.unavailable, { cause }))
    failure = cause
    if (opened) parts.onLost?.(cause)
    // One that never was ready would only fail again: the next call tries.
    if (isReady) thread = start()
  }

  const call = (request: Request, { signal }: CallOptions = {}): Promise<Result> => {
    if (signal?.aborted) return Promise.reject(signal.reason)
    if (closing !== null) return Promise.reject(new ServiceError(parts.closed))
    thread ??= start()
    const running = thread
    const id = nextId++
    const outcome = Promise.withResolvers<unknown>()
    waiting.set(id, outcome)
    const reject = (error: unknown) => {
      if (waiting.delete(id)) outcome.reject(error)
      hold(running)
    }
    const send = () => {
      if (!waiting.has(id)) return
      hold(running)
      try {
        running.worker.postMessage({ id, request } satisfies ToThread<Request>)
      } catch (error) {
        // What cannot be sent is a fault of this call alone.
        return reject(error)
      }
    }
    const abort = () => {
      running.worker.postMessage({ cancel: id } satisfies ToThread<Request>)
      reject(signal?.reason)
    }
    // A thread that does not start rejects every waiting call.
    running.ready.then(send, () => {})
    signal?.addEventListener('abort', abort, { once: true })
    return outcome.promise.finally(() => {
      signal?.removeEventListener('abort', abort)
    }) as Promise<Result>
  }

  const close = async () => {
    if (!finishes) rejectAll(new ServiceError(parts.closed))
    const last = thread
    if (last === null) return
    // Behind the calls made before: they wait for the same.
    const isReady = await last.ready.then(
      () => true,
      () => false,
    )
    hold(last)
    if (isReady && (finishes || endsItself)) last.worker.postMessage('close')
    else if (!finishes) await last.worker.terminate()
    const impatient = finishes ? undefined : setTimeout(() => last.end(new Error('It did not end.')), graceMs)
    const cause = await last.ended
    clearTimeout(impatient)
    if (finishes && cause !== null) throw cause
  }

  thread = start()
  await thread.ready
  opened = true
  return {
    call,
    close: () => {
      closing ??= close()
      return closing
    },
    get pending() {
      return waiting.size
    },
    get failure() {
      return failure
    },
  }
}
