import type { Vector } from '../../core/vectors.ts'

/** The vectors of texts seen lately. Bounded by the bytes of texts and vectors together. */
export interface RecentVectors {
  /** A copy, so that nobody can change what others get; null when the text is not there. */
  get(text: string): Vector | null
  put(text: string, vector: Vector): void
}

/** About 8,000 short texts. */
export const RECENT_BYTES = 16 * 1024 * 1024

/** Two bytes a character, and what a Map entry and a typed array cost beside their content. */
const bytesOf = (text: string, vector: Vector): number => text.length * 2 + vector.byteLength + 200

/** Forgets the text that was asked for longest ago first. */
export function createRecentVectors(maxBytes: number): RecentVectors {
  const entries = new Map<string, Vector>()
  let bytes = 0
  const remove = (text: string, vector: Vector): void => {
    entries.delete(text)
    bytes -= bytesOf(text, vector)
  }
  return {
    get: (text) => {
      const vector = entries.get(text)
      if (!vector) return null
      entries.delete(text)
      entries.set(text, vector)
      return vector.slice()
    },
    put: (text, vector) => {
      const old = entries.get(text)
      if (old) remove(text, old)
      if (bytesOf(text, vector) > maxBytes) return
      entries.set(text, vector.slice())
      bytes += bytesOf(text, vector)
      for (const [oldest, its] of entries) {
        if (bytes <= maxBytes) return
        remove(oldest, its)
      }
    },
  }
}
