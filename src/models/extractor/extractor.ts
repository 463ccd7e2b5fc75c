import { Worker } from 'node:worker_threads'
import type { Extraction, ExtractionInput, Extractor } from '../../memory/ports.ts'
import { emptyExtraction } from './read.ts'
import type { WorkerReply, WorkerRequest } from './worker.ts'

export interface StatisticalExtractorParts {
  /** How long one text may take before its worker is replaced and it gives no facts. */
  readonly deadlineMs?: number
  /** Told what went wrong inside, for the log. */
  readonly onFailure?: (error: Error) => void
}

/** Far above what a text of the greatest length takes; only a fault gets there. */
const defaultDeadlineMs = 3000

interface Job {
  readonly id: number
  readonly input: ExtractionInput
  readonly signal: AbortSignal | undefined
  readonly settle: (extraction: Extraction) => void
}

/**
 * The default extractor, in a thread of its own: one text at a time, in order. A text that takes too long, or kills
 * its thread, gives empty lists and a fresh thread takes over. Resolves when the model is loaded; rejects when it is
 * damaged.
 */
export async function createStatisticalExtractor(
  parts: StatisticalExtractorParts = {},
): Promise<Extractor & { close(): Promise<void> }> {
  const deadlineMs = parts.deadlineMs ?? defaultDeadlineMs
  const waiting: Job[] = []
  let current: { job: Job; timer: NodeJS.Timeout } | null = null
  let worker: Worker | null = await startWorker()
  let starting = false
  let closed = false
  let nextId = 0
  listen(worker)

  function listen(started: Worker): void {
    started.on('message', (reply: WorkerReply) => {
      if (current?.job.id === reply.id) finish(reply.extraction)
    })
    started.on('error', (error: unknown) =>
      lose(started, error instanceof Error ? error : new Error(String(error))),
    )
    started.on('exit', () => lose(started, new Error('the extractor thread ended')))
  }

  /** Gives the job at hand nothing and starts another thread. */
  function lose(lost: Worker, error: Error): void {
    if (worker !== lost || closed) return
    worker = null
    parts.onFailure?.(error)
    void lost.terminate()
    finish({ ...emptyExtraction, notice: 'The text could not be read for facts.' })
    restart()
  }

  function restart(): void {
    if (starting) return
    starting = true
    startWorker()
      .then((started) => {
        starting = false
        worker = started
        listen(started)
        if (closed) void started.terminate()
        else next()
      })
      .catch((error: Error) => {
        starting = false
        parts.onFailure?.(error)
        for (const job of waiting.splice(0)) job.settle(emptyExtraction)
      })
  }

  function finish(extraction: Extraction): void {
    const done = current
    if (!done) return
    clearTimeout(done.timer)
    current = null
    done.job.settle(extraction)
    next()
  }

  function next(): void {
    if (current || closed || waiting.length === 0) return
    if (!worker) {
      restart()
      return
    }
    const job = waiting.shift()
    if (!job) return
    if (job.signal?.aborted) {
      job.settle(emptyExtraction)
      next()
      return
    }
    const busy = worker
    const timer = setTimeout(
      () => lose(busy, new Error(`a text took longer than ${deadlineMs} ms`)),
      deadlineMs,
    )
    current = { job, timer }
    busy.postMessage({ id: job.id, input: job.input } satisfies WorkerRequest)
  }

  function one(input: ExtractionInput, signal: AbortSignal | undefined): Promise<Extraction> {
    if (closed) return Promise.resolve(emptyExtraction)
    return new Promise((settle) => {
      waiting.push({ id: nextId++, input, signal, settle })
      next()
    })
  }

  return {
    extract: (inputs, signal) => Promise.all(inputs.map((input) => one(input, signal))),
    async close() {
      closed = true
      if (current) {
        clearTimeout(current.timer)
        current.job.settle(emptyExtraction)
        current = null
      }
      for (const job of waiting.splice(0)) job.settle(emptyExtraction)
      await worker?.terminate()
      worker = null
    },
  }
}

/** A thread with its model loaded. */
function startWorker(): Promise<Worker> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url))
    worker.once('message', () => {
      worker.off('error', reject)
      worker.unref()
      resolve(worker)
    })
    worker.once('error', reject)
  })
}
