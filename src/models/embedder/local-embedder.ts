import type { Embedder } from '../../memory/ports.ts'
import { WIDTH } from '../reader/lower.ts'
import { encoderHash } from '../reader/model-files.ts'
import fitted from '../reader/weights/scale.json' with { type: 'json' }
import { assertSound } from './combine.ts'
import { type CommonScale, createCentredScale } from './common-scale.ts'
import { type ModelThread, openModelThread } from './model-thread.ts'
import { createRecentTexts, RECENT_BYTES, remembering } from './recent-texts.ts'

export interface LocalEmbedderParts {
  /** The thread to share; it is not closed here. Without one, one is opened. */
  readonly thread?: ModelThread
  /** Texts and vectors remembered, in bytes. */
  readonly recentBytes?: number
  readonly scale?: CommonScale
}

/** The encoder's way to the common scale, fitted on general text by bench/embedder/fit-scale.ts. */
export const encoderScale: CommonScale = createCentredScale(fitted.version, Float32Array.from(fitted.shift))

/** Known without loading anything. */
export const localIdentity = (scale: CommonScale = encoderScale) => ({
  model: 'memoryd-encoder',
  weights: encoderHash(),
  scale: scale.version,
  dimensions: WIDTH,
})

/** The encoder in a thread of this process. Resolves when it can embed; rejects when a model file is damaged. */
export async function createLocalEmbedder({
  thread: shared,
  recentBytes = RECENT_BYTES,
  scale = encoderScale,
}: LocalEmbedderParts = {}): Promise<Embedder & { close(): Promise<void> }> {
  const thread = shared ?? (await openModelThread({ facts: false }))
  const fresh: Embedder['encode'] = async (texts, signal) => {
    const encodings = await thread.encode(texts, signal)
    return encodings.map(({ vector, tokens }) => ({ vector: assertSound(scale.map(vector), WIDTH), tokens }))
  }
  return {
    identity: localIdentity(scale),
    ...remembering(createRecentTexts(recentBytes), fresh),
    close: async () => (shared === undefined ? thread.close() : undefined),
  }
}
