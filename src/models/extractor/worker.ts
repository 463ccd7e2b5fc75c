import { parentPort } from 'node:worker_threads'
import type { Extraction, ExtractionInput } from '../../memory/ports.ts'
import { emptyExtraction, loadExtractor, type Reader } from './read.ts'

/** What the main thread asks, and what it gets back. */
export interface WorkerRequest {
  readonly id: number
  readonly input: ExtractionInput
}

export interface WorkerReply {
  readonly id: number
  readonly extraction: Extraction
}

const port = parentPort
if (port) {
  const reader = loadExtractor()
  port.postMessage('ready')
  port.on('message', ({ id, input }: WorkerRequest) => {
    port.postMessage({ id, extraction: read(reader, input) } satisfies WorkerReply)
  })
}

/** A text that breaks the rules gives nothing: ingest goes on without its facts. */
function read(reader: Reader, input: ExtractionInput): Extraction {
  try {
    return reader.extract(input)
  } catch {
    return { ...emptyExtraction, notice: 'The text could not be read for facts.' }
  }
}
