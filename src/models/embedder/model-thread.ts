import { Worker } from 'node:worker_threads'
import { ServiceError } from '../../core/errors.ts'
import type { Vector } from '../../core/vectors.ts'
import type { EncoderParts } from './encoder.ts'
import type { WorkerReply, WorkerRequest } from './worker.ts'

/** The thread that owns model and tokenizer, seen from outside. */
export interface ModelThread {
  /** Unit vectors of the model's own scale, in order. Rejects with the signal's reason when it aborts. */
  encode(texts: readonly string[], signal?: AbortSignal): Promise<readonly Vector[]>
  close(): Promise<void>
}

interface Pending {
  readonly resolve: (vectors: readonly Vector[]) => void
  readonly reject: (cause: unknown) => void
}

/** Calls this small are questions of somebody who waits; larger ones are heaps that may be interrupted. */
const INTERACTIVE_TEXTS = 2

interface RunningThread {
  readonly worker: Worker
  readonly pending: Map<number, Pending>
  readonly ended: () => boolean
}

function settle(pending: Map<number, Pending>, reply: Exclude<WorkerReply, { ready: true }>): void {
  const call = pending.get(reply.id)
  pending.delete(reply.id)
  if ('vectors' in reply) call?.resolve(reply.vectors)
  else call?.reject(new Error(`Embedding model: ${reply.failure}`))
}

/** Resolves when the model is loaded. Every call rejects when the thread ends. */
function startThread(parts: EncoderParts, whyEnded: () => unknown): Promise<RunningThread> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: parts })
    const pending = new Map<number, Pending>()
    let ended = false
    let cause: unknown = null
    worker.on('message', (reply: WorkerReply) => {
      if ('ready' in reply) resolve({ worker, pending, ended: () => ended })
      else settle(pending, reply)
      // An idle model must not keep the process alive.
      if (pending.size === 0) worker.unref()
    })
    worker.on('error', (error) => {
      cause = error
    })
    worker.on('exit', () => {
      ended = true
      const reason = whyEnded() ?? cause ?? new Error('The thread of the embedding model ended')
      reject(reason)
      for (const call of pending.values()) call.reject(reason)
      pending.clear()
    })
  })
}

function call(thread: RunningThread, id: number, texts: readonly string[], signal?: AbortSignal) {
  return new Promise<readonly Vector[]>((resolve, reject) => {
    const post = (request: WorkerRequest): void => thread.worker.postMessage(request)
    const onAbort = (): void => {
      thread.pending.delete(id)
      if (thread.pending.size === 0) thread.worker.unref()
      post({ cancel: id })
      reject(signal?.reason)
    }
    const done = <T>(settleCall: (value: T) => void) => {
      return (value: T): void => {
        signal?.removeEventListener('abort', onAbort)
        settleCall(value)
      }
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    thread.worker.ref()
    thread.pending.set(id, { resolve: done(resolve), reject: done(reject) })
    post({ embed: { id, texts, interactive: texts.length <= INTERACTIVE_TEXTS } })
  })
}

/** Starts the thread; one that ended by itself is replaced at the next call. */
export async function openModelThread(parts: EncoderParts): Promise<ModelThread> {
  let closed = false
  let nextId = 0
  const start = (): Promise<RunningThread> =>
    startThread(parts, () => (closed ? new ServiceError('shutting_down') : null))
  let thread = start()
  await thread
  const current = async (): Promise<RunningThread> => {
    if (closed) throw new ServiceError('shutting_down')
    const running = await thread.catch(() => null)
    if (running && !running.ended()) return running
    thread = start()
    return thread
  }
  return {
    encode: async (texts, signal) => {
      signal?.throwIfAborted()
      const running = await current()
      signal?.throwIfAborted()
      return call(running, nextId++, texts, signal)
    },
    close: async () => {
      closed = true
      const running = await thread.catch(() => null)
      await running?.worker.terminate()
    },
  }
}
