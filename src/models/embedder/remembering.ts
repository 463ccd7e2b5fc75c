import type { Vector } from '../../core/vectors.ts'
import type { Embedder } from '../../memory/ports.ts'
import type { RecentVectors } from './recent-vectors.ts'

/** `embed` that computes each distinct text once and none that was seen lately. `fresh` gets only distinct texts. */
export function remembering(recent: RecentVectors, fresh: Embedder['embed']): Embedder['embed'] {
  const compute = async (texts: readonly string[], signal?: AbortSignal): Promise<Map<string, Vector>> => {
    if (texts.length === 0) return new Map()
    const vectors = await fresh(texts, signal)
    return new Map(
      texts.map((text, i) => {
        const vector = vectors[i]
        if (!vector)
          throw new Error(`The embedding model gave ${vectors.length} vectors for ${texts.length} texts`)
        recent.put(text, vector)
        return [text, vector]
      }),
    )
  }
  return async (texts, signal) => {
    signal?.throwIfAborted()
    const known = texts.map((text) => recent.get(text))
    const found = await compute([...new Set(texts.filter((_, i) => known[i] === null))], signal)
    return texts.map((text, i) => known[i] ?? found.get(text)?.slice() ?? new Float32Array())
  }
}
