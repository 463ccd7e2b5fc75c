import { analyze } from '../../src/core/analyze.ts'
import { inverseDocumentFrequency, termWeight } from '../../src/core/bm25.ts'
import { asChunkId, asItemId, type ChunkId } from '../../src/core/ids.ts'
import { dot, type Vector } from '../../src/core/vectors.ts'
import type { EpisodicHit, EpisodicMatches, EpisodicQuery, StoredChunk } from '../../src/memory/ports.ts'
import type { Item } from './sets.ts'

/** A piece of an item's text, as ingest would store it. */
export interface Piece {
  readonly item: Item
  readonly text: string
  /** Where it begins in the item's text. */
  readonly start: number
  readonly speaker: string | null
  readonly vector: Vector
}

interface Row {
  readonly chunk: StoredChunk
  readonly length: number
  readonly previous: readonly ChunkId[]
  readonly next: readonly ChunkId[]
}

/** A group's texts in memory, searched by brute force: what an EpisodicStore must answer, without one. */
export function createCorpus(pieces: readonly Piece[]) {
  const chunks = pieces.map(storedChunk)
  const postings = new Map<string, Map<number, number>>()
  const lengths = pieces.map((piece, index) => {
    const terms = analyze(piece.text)
    for (const term of terms) {
      const counts = postings.get(term) ?? new Map<number, number>()
      counts.set(index, (counts.get(index) ?? 0) + 1)
      postings.set(term, counts)
    }
    return terms.length
  })
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length)
  const rows = withNeighbours(chunks, lengths)
  const idf = (term: string) => inverseDocumentFrequency(rows.length, postings.get(term)?.size ?? 0)
  const indexOf = new Map(chunks.map(({ id }, index) => [id, index]))

  const lexical = (terms: readonly string[]) => {
    const scores = new Float64Array(rows.length)
    for (const term of terms) {
      for (const [index, count] of postings.get(term) ?? []) {
        const gain = idf(term) * termWeight(count, lengths[index] ?? 0, average)
        scores[index] = (scores[index] ?? 0) + gain
      }
    }
    return scores
  }

  return {
    search(query: Pick<EpisodicQuery, 'vector' | 'terms' | 'nearest' | 'lexical'>): EpisodicMatches {
      const cosines = Float64Array.from(rows, ({ chunk }) => dot(query.vector, chunk.vector))
      const scores = lexical(query.terms)
      const found = new Set([
        ...best(cosines, query.nearest),
        ...best(scores, query.lexical).filter((index) => (scores[index] ?? 0) > 0),
      ])
      for (const index of [...found]) {
        const row = rows[index]
        for (const id of [...(row?.previous ?? []), ...(row?.next ?? [])]) found.add(indexOf.get(id) ?? index)
      }
      const hits = [...found].flatMap((index): EpisodicHit[] => {
        const row = rows[index]
        if (row === undefined) return []
        const { chunk, previous, next } = row
        return [{ chunk, cosine: cosines[index] ?? 0, bm25: scores[index] ?? 0, previous, next }]
      })
      return { hits, idfSum: [...new Set(query.terms)].reduce((sum, term) => sum + idf(term), 0) }
    },
  }
}

function storedChunk({ item, text, start, speaker, vector }: Piece, index: number): StoredChunk {
  const id = `${item.id}#${index}`
  return {
    id: asChunkId(id),
    itemId: asItemId(item.id),
    persona: item.group,
    sessionId: item.meta.session ?? null,
    source: 'user',
    speaker,
    text,
    start,
    end: start + text.length,
    metadata: { id: item.id },
    vector,
    base: 1,
    createdAt: index,
    lastAccessAt: index,
    accessCount: 0,
    factCount: 0,
    closedFactCount: 0,
  }
}

/** Without a session only the pieces of one text are neighbours, as in the stores. */
function withNeighbours(chunks: readonly StoredChunk[], lengths: readonly number[]): readonly Row[] {
  const sessions = Map.groupBy(
    chunks.map((chunk, index) => ({ chunk, index })),
    ({ chunk }) => chunk.sessionId ?? `text ${chunk.itemId}`,
  )
  const rows: Row[] = []
  for (const members of sessions.values()) {
    members.forEach(({ chunk, index }, position) => {
      const at = (offset: number) => members[position + offset]?.chunk.id
      const known = (ids: readonly (ChunkId | undefined)[]) => ids.filter((id) => id !== undefined)
      rows[index] = {
        chunk,
        length: lengths[index] ?? 0,
        previous: known([at(-1), at(-2)]),
        next: known([at(1)]),
      }
    })
  }
  return rows
}

/** Indexes of the highest values, best first. */
function best(values: Float64Array, count: number): readonly number[] {
  return [...values.keys()].sort((x, y) => (values[y] ?? 0) - (values[x] ?? 0) || x - y).slice(0, count)
}
