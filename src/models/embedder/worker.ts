import { setImmediate } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { Vector } from '../../core/vectors.ts'
import { createCollector } from './collector.ts'
import { type EncoderParts, openEncoder, openSplitter } from './encoder.ts'
import { createScheduler, type Job, type Unit } from './scheduler.ts'

/** To the worker: texts to embed, or the id of a call that nobody waits for any more. */
export type WorkerRequest = { readonly embed: Job } | { readonly cancel: number }

/** From the worker: that it is ready; one call's unit vectors, not yet on the common scale; or a call's failure. */
export type WorkerReply =
  | { readonly ready: true }
  | { readonly id: number; readonly vectors: readonly Vector[] }
  | { readonly id: number; readonly failure: string }

/** Tokens read at once: more makes nothing faster, and a question that arrives has to wait for what is running. */
const TOKENS_A_RUN = 256

const port = parentPort
if (!port) throw new Error('This file runs as a worker thread')
const send = (reply: WorkerReply): void => port.postMessage(reply)

const [split, encoder] = await Promise.all([openSplitter(), openEncoder(workerData as EncoderParts)])
const scheduler = createScheduler({ split, maxTokens: TOKENS_A_RUN })
const collector = createCollector()
let running = false

function fail(units: readonly Unit[], cause: unknown): void {
  const failure = cause instanceof Error ? cause.message : String(cause)
  for (const id of new Set(units.map((unit) => unit.job))) {
    scheduler.cancel(id)
    collector.drop(id)
    send({ id, failure })
  }
}

async function runOnce(units: readonly Unit[]): Promise<void> {
  try {
    const vectors = await encoder.encode(units.map((unit) => unit.tokens))
    for (const [i, unit] of units.entries()) {
      const finished = collector.add(unit, vectors[i] ?? new Float32Array())
      if (finished) send({ id: unit.job, vectors: finished })
    }
  } catch (cause) {
    fail(units, cause)
  }
}

async function drain(): Promise<void> {
  if (running) return
  running = true
  for (let units = scheduler.next(); units.length > 0; units = scheduler.next()) {
    await runOnce(units)
    // Lets new requests and cancellations in before the next choice.
    await setImmediate()
  }
  running = false
}

port.on('message', (request: WorkerRequest) => {
  if ('cancel' in request) {
    scheduler.cancel(request.cancel)
    collector.drop(request.cancel)
    return
  }
  collector.start(request.embed.id, request.embed.texts.length)
  scheduler.add(request.embed)
  void drain()
})
send({ ready: true })
