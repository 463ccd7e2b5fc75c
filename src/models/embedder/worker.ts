import { setImmediate } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { stepBack } from '../../core/thread-priority.ts'
import type { FromThread, Outcome, ToThread } from '../../core/worker-client.ts'
import type { ExtractionInput } from '../../memory/ports.ts'
import { extractFacts } from '../facts/extract.ts'
import { type EncodedText, openEncoder } from '../reader/encoder.ts'
import { openFactsModel } from '../reader/facts-model.ts'
import { openLowerLayers } from '../reader/lower.ts'
import { openTokenizer } from '../reader/tokenizer.ts'
import { createCollector } from './collector.ts'
import type { EncodedWindow } from './combine.ts'
import { createScheduler, type Job, type Unit } from './scheduler.ts'
import { windowsOf } from './windows.ts'

/**
 * Texts to embed, whose answer is one encoding a text, its vector not yet on the common scale; or a text to read for
 * facts, whose answer is an extraction.
 */
export type ModelRequest = Omit<Job, 'id'> | { readonly input: ExtractionInput }

export interface ModelThreadParts {
  /** Whether it reads facts as well. */
  readonly facts: boolean
}

/** Threads of one run: more make nothing faster that is worth their start. */
const THREADS = 1

/** Tokens read at once: more makes nothing faster, and a question that arrives has to wait for what is running. */
const TOKENS_A_RUN = 256

const port = parentPort
if (!port) throw new Error('This file runs as a worker thread')
const answer = (outcome: Outcome): void =>
  port.postMessage({ kind: 'outcomes', outcomes: [outcome] } satisfies FromThread)

stepBack()
const parts = workerData as ModelThreadParts
const [tokenizer, lower] = await Promise.all([openTokenizer(), openLowerLayers(THREADS)])
const [encoder, factsModel] = await Promise.all([
  openEncoder(lower, THREADS),
  parts.facts ? openFactsModel(lower, tokenizer, THREADS) : null,
])
const split = (text: string) => windowsOf(tokenizer.encode(text), tokenizer.marks)
const scheduler = createScheduler({ split, maxTokens: TOKENS_A_RUN })
const collector = createCollector()
/** Texts to read for facts, oldest first. */
const unread: { readonly id: number; readonly input: ExtractionInput }[] = []
/** The text that is being read, while somebody waits for it. */
let awaited: number | null = null
let running = false
let closing = false

function fail(units: readonly Unit[], cause: unknown): void {
  const failure = `Embedding model: ${cause instanceof Error ? cause.message : String(cause)}`
  for (const id of new Set(units.map((unit) => unit.job))) {
    scheduler.cancel(id)
    collector.drop(id)
    answer({ id, ok: false, failure })
  }
}

/** The window with the rows that are its own and carry something: no marks, no punctuation. */
function ownRows({ tokens, fresh, weight }: Unit, text: EncodedText): EncodedWindow {
  const width = text.tokens.length / tokens.length
  const rows = [...tokens.keys()].filter((row) => row >= fresh && tokenizer.isWord(tokens[row] ?? -1))
  const codes = new Int8Array(rows.length * width)
  for (const [i, row] of rows.entries())
    codes.set(text.tokens.subarray(row * width, (row + 1) * width), i * width)
  const importance = Float32Array.from(rows, (row) => text.importance[row] ?? Number.NaN)
  return { vector: text.vector, tokens: { count: rows.length, codes, importance }, weight }
}

async function runOnce(units: readonly Unit[]): Promise<void> {
  try {
    const texts = await encoder.encode(units.map((unit) => unit.tokens))
    for (const [i, unit] of units.entries()) {
      const text = texts[i]
      if (!text) throw new Error(`${texts.length} answers for ${units.length} windows`)
      const encodings = collector.add(unit, ownRows(unit, text))
      if (encodings) answer({ id: unit.job, ok: true, result: encodings })
    }
  } catch (cause) {
    fail(units, cause)
  }
}

async function readOne(): Promise<void> {
  const next = unread.shift()
  if (next === undefined) return
  awaited = next.id
  try {
    if (factsModel === null) throw new Error('this thread has no model for them')
    const result = await extractFacts(factsModel, next.input, embedMeanwhile)
    answer({ id: next.id, ok: true, result })
  } catch (cause) {
    const failure = `Facts model: ${cause instanceof Error ? cause.message : String(cause)}`
    answer({ id: next.id, ok: false, failure })
  }
}

/** Between two passages of a text: who waits for vectors gets a turn, and a text that nobody waits for is left. */
async function embedMeanwhile(): Promise<void> {
  await setImmediate()
  if (closing || awaited === null) throw new Error('nobody waits for it any more')
  const units = scheduler.next()
  if (units.length > 0) await runOnce(units)
}

/** Embeds and reads in turns, so that neither holds up the other. */
async function drain(): Promise<void> {
  if (running) return
  running = true
  for (let units = scheduler.next(); units.length > 0 || unread.length > 0; units = scheduler.next()) {
    if (closing) break
    if (units.length > 0) await runOnce(units)
    await readOne()
    // Lets new requests and cancellations in before the next choice.
    await setImmediate()
  }
  running = false
  if (closing) port?.close()
}

port.on('message', (message: ToThread<ModelRequest>) => {
  if (message === 'close') {
    closing = true
    if (!running) port.close()
    return
  }
  if ('cancel' in message) {
    scheduler.cancel(message.cancel)
    collector.drop(message.cancel)
    const at = unread.findIndex(({ id }) => id === message.cancel)
    if (at >= 0) unread.splice(at, 1)
    if (awaited === message.cancel) awaited = null
    return
  }
  const { id, request } = message
  if ('input' in request) unread.push({ id, input: request.input })
  else {
    collector.start(id, request.texts.length)
    scheduler.add({ id, ...request })
  }
  void drain()
})
port.postMessage({ kind: 'ready' } satisfies FromThread)
