import { LRUCache } from 'lru-cache'
import type { Embedder, Encoding } from '../../memory/ports.ts'

/** What the model said of texts seen lately. Bounded by the bytes of texts and answers together. */
export interface RecentTexts {
  /** A copy, so that nobody can change what others get; null when the text is not there. */
  get(text: string): Encoding | null
  put(text: string, encoding: Encoding): void
}

/** About 4,000 turns of conversations. */
export const RECENT_BYTES = 16 * 1024 * 1024

/** Two bytes a character, and what a Map entry and the typed arrays cost beside their content. */
function bytesOf(text: string, { vector, tokens }: Encoding): number {
  const rows = tokens === null ? 0 : tokens.codes.byteLength + tokens.importance.byteLength + 200
  return text.length * 2 + vector.byteLength + rows + 200
}

function copyOf({ vector, tokens }: Encoding): Encoding {
  if (tokens === null) return { vector: vector.slice(), tokens }
  const { count, codes, importance } = tokens
  return {
    vector: vector.slice(),
    tokens: { count, codes: codes.slice(), importance: importance.slice() },
  }
}

/** Forgets the text that was asked for longest ago first. */
export function createRecentTexts(maxBytes: number): RecentTexts {
  // 0 is no size to lru-cache. No entry fits into one byte either, so that nothing is kept.
  const entries = new LRUCache<string, Encoding>({
    maxSize: Math.max(1, maxBytes),
    sizeCalculation: (encoding, text) => bytesOf(text, encoding),
  })
  return {
    get: (text) => {
      const encoding = entries.get(text)
      return encoding === undefined ? null : copyOf(encoding)
    },
    put: (text, encoding) => void entries.set(text, copyOf(encoding)),
  }
}

/** Computes each distinct text once and none that was seen lately. `fresh` gets only distinct texts. */
export function remembering(
  recent: RecentTexts,
  fresh: Embedder['encode'],
): Pick<Embedder, 'embed' | 'encode'> {
  const compute = async (texts: readonly string[], signal?: AbortSignal): Promise<Map<string, Encoding>> => {
    if (texts.length === 0) return new Map()
    const encodings = await fresh(texts, signal)
    return new Map(
      texts.map((text, i) => {
        const encoding = encodings[i]
        if (!encoding)
          throw new Error(`The embedding model gave ${encodings.length} vectors for ${texts.length} texts`)
        recent.put(text, encoding)
        return [text, encoding]
      }),
    )
  }
  const encode: Embedder['encode'] = async (texts, signal) => {
    signal?.throwIfAborted()
    const known = texts.map((text) => recent.get(text))
    const found = await compute([...new Set(texts.filter((_, i) => known[i] === null))], signal)
    return texts.map((text, i) => {
      const encoding = known[i] ?? found.get(text)
      if (!encoding) throw new Error('The embedding model lost a text')
      return copyOf(encoding)
    })
  }
  return {
    encode,
    embed: async (texts, signal) => (await encode(texts, signal)).map(({ vector }) => vector),
  }
}
