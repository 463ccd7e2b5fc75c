import type { SQLOutputValue } from 'node:sqlite'
import { asChunkId, type ChunkId, type Namespace } from '../../../core/ids.ts'
import { latesOf } from '../../../core/late-interaction/late-interaction.ts'
import type { EpisodicHit, WeightedTokens } from '../../../memory/ports.ts'
import { chunksAfter, chunksBefore } from '../../../memory/rules.ts'
import type { EngineContext } from '../engine/context.ts'
import type { SearchIndex } from './index/search-index.ts'
import type { ExactCosines } from './rescore.ts'
import { foundChunkOf, foundColumns, rowReader } from './rows.ts'
import { matchesAt } from './tokens.ts'

const links = chunksBefore + chunksAfter

const nobody = -1

/**
 * Search hits as they pass between threads: a search brings hundreds, and values without names, in few pieces,
 * cost a third of what objects do.
 */
export interface PackedHits {
  /** The chunks' columns in the order of `columns`. */
  readonly rows: readonly (readonly SQLOutputValue[])[]
  readonly cosines: Float64Array
  readonly bm25s: Float64Array
  /** The best matches of the question's tokens, hit after hit; null when it came without token vectors. */
  readonly matches: Float32Array | null
  /** For every hit its neighbours, as positions in `ids`. */
  readonly neighbours: Int32Array
  /** The hits' ids, then those of neighbours that are no hits themselves. */
  readonly ids: readonly string[]
}

const columns = foundColumns.split(',').map((name) => name.trim().replace(/^c\./, ''))
const seqColumn = columns.indexOf('seq')
const named = rowReader(columns)

/** Without an order: sorting whole rows would cost more than reading them. */
const chunksBySeq = `SELECT ${foundColumns} FROM json_each(?) j CROSS JOIN chunk c ON c.seq = j.value
WHERE c.namespace = ?`

/** The neighbours of a place that the question may see, nearest first. */
interface Around {
  before(place: number): readonly number[]
  after(place: number): readonly number[]
}

interface HitParts {
  readonly namespace: Namespace
  readonly index: SearchIndex
  readonly around: Around
  readonly cosines: ExactCosines
  readonly tokens: WeightedTokens | null
  bm25(place: number): number
}

/** The chunks at these places, in that order, with what the question makes of them. */
export function packHits(context: EngineContext, parts: HitParts, places: readonly number[]): PackedHits {
  const { namespace, index } = parts
  const statement = context.prepare(chunksBySeq)
  statement.setReturnArrays(true)
  const seqs = places.map((place) => index.seqAt(place))
  const read = statement.all(JSON.stringify(seqs), namespace) as unknown as SQLOutputValue[][]
  const bySeq = new Map(read.map((row) => [row[seqColumn], row]))
  const rows = seqs.map((seq) => bySeq.get(seq)).filter((row) => row !== undefined)
  if (rows.length !== places.length) throw new Error('The search index and the store do not agree.')
  const cosines = parts.cosines(places)
  const bm25s = Float64Array.from(places, (place) => parts.bm25(place))
  const matches = parts.tokens === null ? null : matchesAt(context, seqs, parts.tokens)
  return { rows, cosines, bm25s, matches, ...neighboursOf(parts, places) }
}

function neighboursOf(
  { index, around }: HitParts,
  places: readonly number[],
): Pick<PackedHits, 'neighbours' | 'ids'> {
  const ids = places.map((place) => index.idAt(place))
  const positions = new Map(places.map((place, at) => [place, at]))
  const positionOf = (place: number) => {
    const known = positions.get(place)
    if (known !== undefined) return known
    positions.set(place, ids.length)
    return ids.push(index.idAt(place)) - 1
  }
  const neighbours = new Int32Array(places.length * links).fill(nobody)
  places.forEach((place, at) => {
    around.before(place).forEach((other, step) => {
      neighbours[at * links + step] = positionOf(other)
    })
    around.after(place).forEach((other, step) => {
      neighbours[at * links + chunksBefore + step] = positionOf(other)
    })
  })
  return { neighbours, ids }
}

/** What `packHits` took apart, with the tokens of the same question. */
export function unpackHits(
  { rows, cosines, bm25s, matches, neighbours, ids }: PackedHits,
  tokens: WeightedTokens | null,
): EpisodicHit[] {
  const lates = matches === null || tokens === null ? [] : latesOf(matches, tokens.importance)
  const idsAt = (from: number, to: number): ChunkId[] => {
    const found: ChunkId[] = []
    for (let at = from; at < to; at++) {
      const id = ids[neighbours[at] ?? nobody]
      if (id !== undefined) found.push(asChunkId(id))
    }
    return found
  }
  return rows.map((row, at) => {
    const first = at * links
    return {
      chunk: foundChunkOf(named(row)),
      cosine: cosines[at] ?? 0,
      bm25: bm25s[at] ?? 0,
      late: lates[at] ?? null,
      previous: idsAt(first, first + chunksBefore),
      next: idsAt(first + chunksBefore, first + links),
    }
  })
}
