import type { ChunkId, ItemId, Namespace } from '../../../core/ids.ts'
import type { IngestItem } from '../../memory.ts'
import type { EpisodicStore, Fact, FoundChunk, GraphStore, NearChunk } from '../../ports.ts'
import { followReplacements } from '../../replaced.ts'
import { trust } from '../../slots.ts'
import type { ReadText } from '../read-text.ts'
import { surfaceOf } from './surface.ts'

/** The specification's threshold for near-identical chunks. */
const duplicateSimilarity = 0.92

/**
 * Whether a new text repeats a stored one: near by meaning, and the same in every word, number and name and in their order
 * (surface.ts). Either alone would lose texts: one changed number hardly moves a vector.
 */
export function isRepetition(text: string, stored: string, cosine: number): boolean {
  return cosine >= duplicateSimilarity && (text === stored || surfaceOf(text) === surfaceOf(stored))
}

/** More near chunks than this that all state something else do not occur outside of tables. */
const chunksCompared = 8

/** The stored text that a new one repeats. */
export interface Duplicate {
  /** One stored chunk for every chunk of the new text, in its order. */
  readonly chunks: readonly FoundChunk[]
  /** The lowest cosine of the pairs, as measured. */
  readonly similarity: number
}

interface DuplicateStores {
  readonly episodic: Pick<EpisodicStore, 'nearest' | 'links'>
  readonly graph: Pick<GraphStore, 'factsOf' | 'get'>
}

/**
 * Finds the stored text of this persona that the new one repeats; null when there is none. Every chunk must repeat a
 * chunk of one stored text, in the same order. A text that something may have replaced meanwhile, or a fact of it, is stored
 * again: it may hold again, and what was so before stays as it was.
 */
export async function findDuplicate(
  { episodic, graph }: DuplicateStores,
  namespace: Namespace,
  item: Pick<IngestItem, 'text' | 'persona' | 'source' | 'occurredAt'>,
  read: ReadText,
): Promise<Duplicate | null> {
  let candidates: ReadonlyMap<ItemId, Duplicate> | null = null
  for (const { span, vector } of read.chunks) {
    const text = item.text.slice(span.start, span.end)
    const hits = await episodic.nearest(namespace, [item.persona], vector, chunksCompared)
    // What has a key may be replaced at any time, and what was taken for its repetition would be lost with it.
    const found = hits.filter(
      ({ chunk, cosine }) => chunk.key === undefined && isRepetition(text, chunk.text, cosine),
    )
    const news = await restatesClosedFact(graph, namespace, found, item)
    const earlier = await toldBeforeChange(episodic, namespace, found, item)
    candidates = extend(
      candidates,
      found.filter(({ chunk }) => !news.has(chunk.id) && !earlier.has(chunk.id)),
    )
    if (candidates.size === 0) return null
  }
  return candidates === null ? null : closest(candidates)
}

/** The chunks that could come to hold again: they were replaced, or nothing more trusted holds in the place of a fact. */
async function restatesClosedFact(
  graph: DuplicateStores['graph'],
  namespace: Namespace,
  found: readonly NearChunk[],
  { source, occurredAt }: Pick<IngestItem, 'source' | 'occurredAt'>,
): Promise<ReadonlySet<ChunkId>> {
  const told = occurredAt ?? Number.POSITIVE_INFINITY
  const replaced = found
    .filter(({ chunk: { replaced: link } }) => link !== null && link.at <= told)
    .map(({ chunk }) => chunk.id)
  const chunks = found.filter(({ chunk }) => chunk.closedFactCount > 0).map(({ chunk }) => chunk.id)
  if (chunks.length === 0) return new Set(replaced)
  const closed = (await graph.factsOf(namespace, chunks)).filter(
    ({ closedAt }) => closedAt !== null && closedAt <= told,
  )
  const current = await followReplacements(graph, namespace, closed)
  const isNews = (holder: Fact | undefined) => holder === undefined || trust[source] >= trust[holder.source]
  const restated = closed.filter(({ id }) => isNews(current.get(id))).map(({ chunkId }) => chunkId)
  return new Set([...replaced, ...restated])
}

/** The chunks that changed something when they were told, of which the text is an earlier telling: that changed nothing. */
async function toldBeforeChange(
  episodic: DuplicateStores['episodic'],
  namespace: Namespace,
  found: readonly NearChunk[],
  { occurredAt }: Pick<IngestItem, 'occurredAt'>,
): Promise<ReadonlySet<ChunkId>> {
  const told = occurredAt ?? Number.POSITIVE_INFINITY
  const later = found.filter(({ chunk }) => chunk.createdAt > told).map(({ chunk }) => chunk.id)
  const links = await Promise.all(later.map((id) => episodic.links(namespace, id)))
  return new Set(later.filter((id, at) => links[at]?.some(({ newer }) => newer === id)))
}

/** Keeps the stored texts that this chunk repeats as well, behind the piece before. */
function extend(
  candidates: ReadonlyMap<ItemId, Duplicate> | null,
  found: readonly NearChunk[],
): ReadonlyMap<ItemId, Duplicate> {
  const extended = new Map<ItemId, Duplicate>()
  for (const { chunk, cosine } of found) {
    const before = candidates?.get(chunk.itemId)
    if (candidates !== null && before === undefined) continue
    if (extended.has(chunk.itemId) || chunk.start < (before?.chunks.at(-1)?.end ?? 0)) continue
    extended.set(chunk.itemId, {
      chunks: [...(before?.chunks ?? []), chunk],
      similarity: Math.min(before?.similarity ?? cosine, cosine),
    })
  }
  return extended
}

function closest(candidates: ReadonlyMap<ItemId, Duplicate>): Duplicate | null {
  return [...candidates.values()].reduce<Duplicate | null>(
    (best, next) => (best === null || next.similarity > best.similarity ? next : best),
    null,
  )
}
