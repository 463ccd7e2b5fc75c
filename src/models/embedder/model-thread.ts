import { openWorkerClient } from '../../core/worker-client.ts'
import '../reader/no-telemetry.ts'
import type { Encoding, Extraction, ExtractionInput } from '../../memory/ports.ts'
import type { ModelRequest, ModelThreadParts } from './worker.ts'

/** The thread that owns encoder, facts model and tokenizer, seen from outside. */
export interface ModelThread {
  /** One encoding a text, in order. Leaves the queue when the signal is aborted. */
  encode(texts: readonly string[], signal?: AbortSignal): Promise<readonly Encoding[]>
  /** What a text says. Stops reading when the signal is aborted. */
  extract(input: ExtractionInput, signal?: AbortSignal): Promise<Extraction>
  close(): Promise<void>
}

/** Resolves when the models are loaded. Told why a thread ended, for the log. */
export async function openModelThread(
  parts: ModelThreadParts,
  onLost?: (error: Error) => void,
): Promise<ModelThread> {
  const thread = await openWorkerClient<ModelRequest, unknown>({
    script: new URL('./worker.ts', import.meta.url),
    workerData: parts,
    unavailable: 'models_loading',
    closed: 'shutting_down',
    endsItself: true,
    onLost,
  })
  return {
    encode: (texts, signal) => thread.call({ texts }, { signal }) as Promise<readonly Encoding[]>,
    extract: (input, signal) => thread.call({ input }, { signal }) as Promise<Extraction>,
    close: () => thread.close(),
  }
}
