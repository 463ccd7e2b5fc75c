import { createTurns } from '../../core/batch.ts'
import type { Extraction, Extractor } from '../../memory/ports.ts'
import { type ModelThread, openModelThread } from '../embedder/model-thread.ts'

export interface LocalExtractorParts {
  /** The thread to share, so that a text that was embedded need not be read from its beginning; it is not closed here. */
  readonly thread?: ModelThread
}

/**
 * The facts model in a thread of this process: one text at a time, in order. A text that kills its thread is rejected and
 * a fresh thread takes over. Resolves when the model is loaded; rejects when a file of it is damaged.
 */
export async function createLocalExtractor({
  thread: shared,
}: LocalExtractorParts = {}): Promise<Extractor & { close(): Promise<void> }> {
  const thread = shared ?? (await openModelThread({ facts: true }))
  const inTurn = createTurns()
  return {
    async extract(inputs, signal) {
      const found: Extraction[] = []
      // One turn a text: who asks for one waits for no more than one of every other caller.
      for (const input of inputs) found.push(await inTurn('', () => thread.extract(input, signal)))
      return found
    },
    close: async () => (shared === undefined ? thread.close() : undefined),
  }
}
