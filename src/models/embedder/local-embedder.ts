import type { Vector } from '../../core/vectors.ts'
import type { Embedder } from '../../memory/ports.ts'
import { assertSound } from './combine.ts'
import { type CommonScale, createCentredScale } from './common-scale.ts'
import { type Precision, WIDTH } from './encoder-graph.ts'
import published from './gte-small-mean.json' with { type: 'json' }
import { PUBLISHED_WEIGHTS } from './model-files.ts'
import { openModelThread } from './model-thread.ts'
import { prepareEncoder } from './prepare.ts'
import { createRecentVectors } from './recent-vectors.ts'

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

/** Fitted on general text by bench/embedder/fit-scale.ts. */
const gteSmallScale = createCentredScale(published.version, Float32Array.from(published.mean))

/** About 10,000 vectors of short texts. */
const RECENT_BYTES = 16 * 1024 * 1024

/** gte-small in a thread of this process. Resolves when it can embed; rejects when a model file is damaged. */
export async function createLocalEmbedder(
  parts: LocalEmbedderParts,
): Promise<Embedder & { close(): Promise<void> }> {
  const { cacheDir, precision = 'int8', threads = 1, scale = gteSmallScale } = parts
  const model = await prepareEncoder(precision, cacheDir)
  const thread = await openModelThread({ model, precision, threads })
  const recent = createRecentVectors(parts.recentBytes ?? RECENT_BYTES)

  const fresh = async (texts: readonly string[], signal?: AbortSignal): Promise<Map<string, Vector>> => {
    const found = new Map<string, Vector>()
    if (texts.length === 0) return found
    const vectors = await thread.encode(texts, signal)
    for (const [i, text] of texts.entries()) {
      const vector = assertSound(scale.map(vectors[i] ?? new Float32Array()), WIDTH)
      found.set(text, vector)
      recent.put(text, vector)
    }
    return found
  }

  return {
    identity: {
      model: 'gte-small',
      weights: `${PUBLISHED_WEIGHTS}/${precision}`,
      scale: scale.version,
      dimensions: WIDTH,
    },
    embed: async (texts, signal) => {
      signal?.throwIfAborted()
      const known = texts.map((text) => recent.get(text))
      const unknown = new Set(texts.filter((_, i) => known[i] === null))
      const found = await fresh([...unknown], signal)
      return texts.map((text, i) => known[i] ?? found.get(text)?.slice() ?? new Float32Array())
    },
    close: () => thread.close(),
  }
}
