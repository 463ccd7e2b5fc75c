import type { Vector } from '../core/vectors.ts'
import type { Embedder, Encoding } from './ports.ts'

/** One vector a text, in order. Fewer are a failure of the model: a missing vector must not pass for a vector. */
export async function embedAll(
  embedder: Embedder,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<readonly Vector[]> {
  return whole(texts, texts.length === 0 ? [] : await embedder.embed(texts, signal))
}

/** As `embedAll`, with the token vectors. */
export async function encodeAll(
  embedder: Embedder,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<readonly Encoding[]> {
  return whole(texts, texts.length === 0 ? [] : await embedder.encode(texts, signal))
}

function whole<T>(texts: readonly string[], made: readonly T[]): readonly T[] {
  if (made.length !== texts.length)
    throw new Error(`the embedder gave ${made.length} vectors for ${texts.length} texts`)
  return made
}

/** Vectors by their texts; asking for a text that was not embedded throws. */
export async function embedTexts(
  embedder: Embedder,
  texts: ReadonlySet<string>,
  { made = new Map(), signal }: { made?: ReadonlyMap<string, Vector>; signal?: AbortSignal | undefined } = {},
): Promise<(text: string) => Vector> {
  const missing = [...texts].filter((text) => !made.has(text))
  const vectors = await embedAll(embedder, missing, signal)
  const found = new Map(missing.map((text, at) => [text, vectors[at]]))
  return (text) => {
    const vector = made.get(text) ?? found.get(text)
    if (vector === undefined) throw new Error('there is no vector of this text')
    return vector
  }
}

export async function embedOne(embedder: Embedder, text: string, signal?: AbortSignal): Promise<Vector> {
  const vectorOf = await embedTexts(embedder, new Set([text]), { signal })
  return vectorOf(text)
}
