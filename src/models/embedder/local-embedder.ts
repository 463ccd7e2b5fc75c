import type { Embedder } from '../../memory/ports.ts'
import { assertSound } from './combine.ts'
import type { CommonScale } from './common-scale.ts'
import { type Precision, WIDTH } from './encoder-graph.ts'
import { gteSmallScale } from './gte-small-scale.ts'
import { PUBLISHED_WEIGHTS } from './model-files.ts'
import { openModelThread } from './model-thread.ts'
import { prepareEncoder } from './prepare.ts'
import { createRecentVectors, RECENT_BYTES } from './recent-vectors.ts'
import { remembering } from './remembering.ts'

export interface LocalEmbedderParts {
  /** Where the quantised model is kept between starts; null: it is built anew every time, which takes seconds. */
  readonly cacheDir: string | null
  readonly precision?: Precision
  /** Threads of one run. */
  readonly threads?: number
  /** Texts and vectors remembered, in bytes. */
  readonly recentBytes?: number
  readonly scale?: CommonScale
}

/** gte-small in a thread of this process. Resolves when it can embed; rejects when a model file is damaged. */
export async function createLocalEmbedder(
  parts: LocalEmbedderParts,
): Promise<Embedder & { close(): Promise<void> }> {
  const { cacheDir, precision = 'int8', threads = 1, scale = gteSmallScale } = parts
  const model = await prepareEncoder(precision, cacheDir)
  const thread = await openModelThread({ model, precision, threads })
  const recent = createRecentVectors(parts.recentBytes ?? RECENT_BYTES)

  const fresh: Embedder['embed'] = async (texts, signal) => {
    const vectors = await thread.encode(texts, signal)
    return vectors.map((vector) => assertSound(scale.map(vector), WIDTH))
  }

  return {
    identity: {
      model: 'gte-small',
      weights: `${PUBLISHED_WEIGHTS}/${precision}`,
      scale: scale.version,
      dimensions: WIDTH,
    },
    embed: remembering(recent, fresh),
    close: () => thread.close(),
  }
}
