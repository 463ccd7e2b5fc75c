import { speakerOf } from '../../core/speaker.ts'
import { normalize, type Vector } from '../../core/vectors.ts'
import { embedAll, encodeAll } from '../embed.ts'
import type { Embedder, TokenVectors } from '../ports.ts'
import { chunkSpans, cuttingUnits, type Span } from './chunk.ts'

/** A chunk, with its token vectors where the model gives them. */
export interface ReadChunk {
  readonly span: Span
  readonly vector: Vector
  readonly tokens: TokenVectors | null
  /** What is indexed, where that is more than the stretch of the text. */
  readonly text?: string
}

/** A text cut into chunks, with the vectors that deduplication and the session's topic need. */
export interface ReadText {
  readonly speaker: string | null
  readonly chunks: readonly ReadChunk[]
  /** The direction of the text as a whole. */
  readonly topic: Vector
}

/** Reads texts with two calls of the embedder at most: one for the sentences of long texts, one for all chunks. */
export async function readTexts(
  embedder: Embedder,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<readonly ReadText[]> {
  const units = texts.map((text) => cuttingUnits(text))
  const unitVectors = await ofSpans((pieces) => embedAll(embedder, pieces, signal), texts, units)
  const chunks = texts.map((text, at) => chunkSpans(text, units[at] ?? [], unitVectors[at] ?? []))
  const encodings = await ofSpans((pieces) => encodeAll(embedder, pieces, signal), texts, chunks)
  return texts.map((text, at) => {
    const spans = chunks[at] ?? []
    const zero = new Float32Array(embedder.identity.dimensions)
    const pieces = spans.map((span, index) => {
      const encoding = encodings[at]?.[index]
      if (encoding === undefined) throw new Error('a piece of a text was not embedded')
      return { span, ...encoding }
    })
    return {
      speaker: speakerOf(text),
      chunks: pieces,
      topic: meanVector(
        pieces.map(({ vector }) => vector),
        zero,
      ),
    }
  })
}

/** One call for the spans of all texts. */
async function ofSpans<T>(
  read: (pieces: readonly string[]) => Promise<readonly T[]>,
  texts: readonly string[],
  spans: readonly (readonly Span[])[],
): Promise<readonly (readonly T[])[]> {
  const pieces = texts.flatMap((text, at) =>
    (spans[at] ?? []).map(({ start, end }) => text.slice(start, end)),
  )
  const made = await read(pieces)
  const divided: (readonly T[])[] = []
  let next = 0
  for (const { length } of spans) {
    divided.push(made.slice(next, next + length))
    next += length
  }
  return divided
}

export function meanVector(vectors: readonly Vector[], zero: Vector): Vector {
  const [only] = vectors
  if (vectors.length === 1 && only !== undefined) return only
  const sum = zero.slice()
  for (const vector of vectors)
    for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + (vector[at] ?? 0)
  return normalize(sum)
}
