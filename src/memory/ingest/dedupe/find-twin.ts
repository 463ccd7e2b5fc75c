import type { ChunkId, ItemId, Namespace } from '../../../core/ids.ts'
import type { Source } from '../../model.ts'
import type { EpisodicHit, EpisodicStore, Fact, FoundChunk, GraphStore } from '../../ports.ts'
import { followReplacements } from '../../replaced.ts'
import { trust } from '../../slots.ts'
import type { ReadText } from '../read-text.ts'
import type { Comparison } from './same-statement.ts'

/** The specification's threshold for near-identical chunks. */
export const duplicateSimilarity = 0.92

/** The same words are the same text, whatever an exclamation mark does to a vector; below this they are not compared. */
const comparableSimilarity = 0.6

/** One letter can take a word, and with it a short text, this far: those of about one length are compared from here on. */
const misspeltSimilarity = 0.4
const misspeltLengths = 8

/** Whether two texts are worth comparing word by word, which takes longer than their vectors do. */
function isComparable(text: string, stored: string, cosine: number): boolean {
  if (cosine >= comparableSimilarity) return true
  return cosine >= misspeltSimilarity && Math.abs(text.length - stored.length) <= misspeltLengths
}

/**
 * How near a stored text is to a new one as far as deduplication goes; null when it is no duplicate. Texts of identical words
 * have a similarity of 1, because punctuation and case, which move the vectors, are not what they state.
 */
export function duplicateOf(
  text: string,
  stored: string,
  cosine: number,
  compare: Comparison,
): number | null {
  if (!isComparable(text, stored, cosine)) return null
  const likeness = compare(text, stored)
  if (likeness === 'identical') return 1
  return likeness === 'rephrased' && cosine >= duplicateSimilarity ? cosine : null
}

/** More near chunks than this that all state something else do not occur outside of tables. */
const chunksCompared = 8

/** The stored text that a new one repeats. */
export interface Twin {
  /** One stored chunk for every chunk of the new text, in its order. */
  readonly chunks: readonly FoundChunk[]
  /** The lowest similarity of the pairs. */
  readonly similarity: number
}

export interface TwinParts {
  readonly episodic: Pick<EpisodicStore, 'nearest'>
  readonly graph: Pick<GraphStore, 'factsOf' | 'get'>
  readonly compare: Comparison
}

/**
 * Finds the stored text of this persona that the new one repeats; null when there is none. Every chunk must have a twin in
 * one stored text, in the same order. A text whose facts were replaced meanwhile is no twin where saying it again is news.
 */
export async function findTwin(
  { episodic, graph, compare }: TwinParts,
  namespace: Namespace,
  item: { readonly text: string; readonly persona: string; readonly source: Source },
  read: ReadText,
): Promise<Twin | null> {
  let candidates: ReadonlyMap<ItemId, Twin> | null = null
  for (const { span, vector } of read.chunks) {
    const text = item.text.slice(span.start, span.end)
    const hits = await episodic.nearest(namespace, item.persona, vector, chunksCompared)
    const found = near(hits, text, compare)
    const news = await newsAgain(graph, namespace, found, item.source)
    candidates = extend(
      candidates,
      found.filter(({ chunk }) => !news.has(chunk.id)),
    )
    if (candidates.size === 0) return null
  }
  return candidates === null ? null : closest(candidates)
}

interface Near {
  readonly chunk: FoundChunk
  readonly similarity: number
}

function near(hits: readonly EpisodicHit[], text: string, compare: Comparison): readonly Near[] {
  return hits.flatMap(({ chunk, cosine }) => {
    const similarity = duplicateOf(text, chunk.text, cosine, compare)
    return similarity === null ? [] : [{ chunk, similarity }]
  })
}

/** Those of which a replaced fact could come to hold again: nothing holds in its place, or nothing more trusted. */
async function newsAgain(
  graph: TwinParts['graph'],
  namespace: Namespace,
  found: readonly Near[],
  source: Source,
): Promise<ReadonlySet<ChunkId>> {
  const chunks = found.filter(({ chunk }) => chunk.closedFactCount > 0).map(({ chunk }) => chunk.id)
  if (chunks.length === 0) return new Set()
  const closed = (await graph.factsOf(namespace, chunks)).filter(({ closedAt }) => closedAt !== null)
  const current = await followReplacements(graph, namespace, closed)
  const isNews = (holder: Fact | undefined) => holder === undefined || trust[source] >= trust[holder.source]
  return new Set(closed.filter(({ id }) => isNews(current.get(id))).map(({ chunkId }) => chunkId))
}

/** Keeps the stored texts that also have a twin for this chunk, behind the one before. */
function extend(
  candidates: ReadonlyMap<ItemId, Twin> | null,
  found: readonly Near[],
): ReadonlyMap<ItemId, Twin> {
  const extended = new Map<ItemId, Twin>()
  for (const { chunk, similarity } of found) {
    const before = candidates?.get(chunk.itemId)
    if (candidates !== null && before === undefined) continue
    if (extended.has(chunk.itemId) || chunk.start < (before?.chunks.at(-1)?.end ?? 0)) continue
    extended.set(chunk.itemId, {
      chunks: [...(before?.chunks ?? []), chunk],
      similarity: Math.min(before?.similarity ?? 1, similarity),
    })
  }
  return extended
}

function closest(candidates: ReadonlyMap<ItemId, Twin>): Twin | null {
  return [...candidates.values()].reduce<Twin | null>(
    (best, twin) => (best === null || twin.similarity > best.similarity ? twin : best),
    null,
  )
}
