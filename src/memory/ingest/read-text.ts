import { normalize, type Vector } from '../../core/vectors.ts'
import type { Embedder } from '../ports.ts'
import { chunkSpans, cuttingUnits, type Span } from './chunk.ts'
import { speakerOf } from './speaker.ts'

/** A text cut into chunks, with the vectors that deduplication, facts and the session's topic need. */
export interface ReadText {
  readonly speaker: string | null
  readonly chunks: readonly { readonly span: Span; readonly vector: Vector }[]
  /** The direction of the text as a whole. */
  readonly topic: Vector
  /** The vector of the sentence at an offset; of its chunk where sentences were not embedded. */
  readonly vectorAt: (offset: number) => Vector
}

/** Reads texts with two calls of the embedder at most: one for the sentences of long texts, one for all chunks. */
export async function readTexts(
  embedder: Embedder,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<readonly ReadText[]> {
  const units = texts.map((text) => cuttingUnits(text))
  const unitVectors = await embedSpans(embedder, texts, units, signal)
  const chunks = texts.map((text, at) => chunkSpans(text, units[at] ?? [], unitVectors[at] ?? []))
  const chunkVectors = await embedSpans(embedder, texts, chunks, signal)
  return texts.map((text, at) => {
    const spans = chunks[at] ?? []
    const vectors = chunkVectors[at] ?? []
    const zero = new Float32Array(embedder.identity.dimensions)
    const pieces = spans.map((span, index) => ({ span, vector: vectors[index] ?? zero }))
    const sentences = (units[at] ?? []).map((span, index) => ({
      span,
      vector: unitVectors[at]?.[index] ?? zero,
    }))
    return {
      speaker: speakerOf(text),
      chunks: pieces,
      topic: meanVector(vectors, zero),
      vectorAt: (offset) => pieceAt(sentences.length > 0 ? sentences : pieces, offset) ?? zero,
    }
  })
}

/** One call for the spans of all texts. */
async function embedSpans(
  embedder: Embedder,
  texts: readonly string[],
  spans: readonly (readonly Span[])[],
  signal?: AbortSignal,
): Promise<readonly (readonly Vector[])[]> {
  const pieces = texts.flatMap((text, at) =>
    (spans[at] ?? []).map(({ start, end }) => text.slice(start, end)),
  )
  const vectors = pieces.length === 0 ? [] : await embedder.embed(pieces, signal)
  const divided: (readonly Vector[])[] = []
  let next = 0
  for (const { length } of spans) {
    divided.push(vectors.slice(next, next + length))
    next += length
  }
  return divided
}

function pieceAt(pieces: ReadText['chunks'], offset: number): Vector | undefined {
  return (pieces.findLast(({ span }) => span.start <= offset) ?? pieces[0])?.vector
}

function meanVector(vectors: readonly Vector[], zero: Vector): Vector {
  const [only] = vectors
  if (vectors.length === 1 && only !== undefined) return only
  const sum = zero.slice()
  for (const vector of vectors)
    for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + (vector[at] ?? 0)
  return normalize(sum)
}
