import type { ChunkId, Namespace } from '../../../core/ids.ts'
import { asChunkId } from '../../../core/ids.ts'
import { dot, type Vector } from '../../../core/vectors.ts'
import type { Source } from '../../../memory/model.ts'
import type {
  EpisodicQuery,
  FadedQuery,
  ListFilter,
  ListPage,
  Selection,
  StoredChunk,
} from '../../../memory/ports.ts'
import type { EngineContext } from '../engine/context.ts'
import { fadedCondition, fadedParameters } from './faded.ts'
import { indexOf } from './index/indexes.ts'
import type { SearchIndex } from './index/search-index.ts'
import { bestWords, exactCosine } from './rescore.ts'
import { chunkColumns, chunkOf, listConditions, listParameters, type Packed, pack, type Row } from './rows.ts'
import { selectionCondition, selectionParameters, withIds } from './selection.ts'
import { trimChanges } from './trim-changes.ts'

/** How many neighbours of a chunk can carry its meaning: the two turns before it and the answer after it. */
const chunksBefore = 2
const chunksAfter = 1

/** Search hits in pieces: what belongs to the chunk at the same place of `chunks`. */
export interface PackedHits {
  readonly chunks: Packed<StoredChunk>
  readonly scores: readonly HitScore[]
}

interface HitScore {
  readonly cosine: number
  readonly bm25: number
  readonly previous: readonly ChunkId[]
  readonly next: readonly ChunkId[]
}

interface Searched {
  readonly namespace: Namespace
  readonly budgetBytes: number
}

export const episodicReads = {
  'episodic.search': (
    context: EngineContext,
    { namespace, budgetBytes, query }: Searched & { readonly query: EpisodicQuery },
  ): PackedHits & { idfSum: number } => {
    const { vector, terms, personas } = query
    const index = indexOf(context, { namespace, kind: 'chunk', budgetBytes })
    const exact = exactCosine(context, namespace, index, vector)
    const nearest = index.nearest({ vector, personas, limit: query.nearest, exact })
    const words = index.lexical(terms, personas)
    const candidates = [...nearest.map(({ place }) => place), ...bestWords(index, words, query.lexical)]
    const places = new Set(candidates)
    for (const place of candidates) {
      for (const other of index.before(place, chunksBefore)) places.add(other)
      for (const other of index.after(place, chunksAfter)) places.add(other)
    }
    return {
      ...hitsAt(context, { namespace, index, vector, bm25: words.scoreAt }, [...places]),
      idfSum: words.idfSum,
    }
  },
  'episodic.nearest': (
    context: EngineContext,
    args: Searched & { readonly persona: string; readonly vector: Vector; readonly limit: number },
  ): PackedHits => {
    const { namespace, vector, limit, budgetBytes } = args
    const index = indexOf(context, { namespace, kind: 'chunk', budgetBytes })
    const exact = exactCosine(context, namespace, index, vector)
    const best = index.nearest({ vector, personas: [args.persona], limit, exact })
    const places = best.map(({ place }) => place)
    return hitsAt(context, { namespace, index, vector, bm25: () => 0 }, places)
  },
  'episodic.get': (
    { prepare }: EngineContext,
    { namespace, ids }: { readonly namespace: Namespace; readonly ids: readonly ChunkId[] },
  ) => pack(prepare(chunksById).all(namespace, JSON.stringify(ids)).map(chunkOf)),
  'episodic.list': (
    { prepare }: EngineContext,
    args: { readonly namespace: Namespace; readonly filter: ListFilter; readonly page: ListPage },
  ) => {
    const parameters = listParameters(args.namespace, args.filter, args.page)
    return pack(prepare(listChunks).all(parameters).map(chunkOf))
  },
  'episodic.count': (
    { prepare }: EngineContext,
    { namespace, selection }: { readonly namespace: Namespace; readonly selection: Selection },
  ): number => {
    const sql = selection.ids === null ? countChunks : `${countChunks} ${withIds}`
    return Number(prepare(sql).get(selectionParameters(namespace, selection))?.count)
  },
  'episodic.countFaded': (
    { prepare }: EngineContext,
    { namespace, query }: { readonly namespace: Namespace; readonly query: FadedQuery },
  ): number =>
    Number(
      prepare(`SELECT count(*) AS count FROM chunk ${fadedCondition}`).get(fadedParameters(namespace, query))
        ?.count,
    ),
}

interface Touched {
  readonly namespace: Namespace
  readonly ids: readonly string[]
  readonly now: number
}

export const episodicWrites = {
  'episodic.touch': ({ prepare }: EngineContext, { namespace, ids, now }: Touched): void => {
    prepare(`UPDATE chunk SET access_count = access_count + 1, last_access_at = max(last_access_at, :now)
WHERE namespace = :namespace AND id IN (SELECT value FROM json_each(:ids))`).run({
      ...{ namespace, now, ids: JSON.stringify(ids) },
    })
  },
  'episodic.upgrade': (
    { prepare }: EngineContext,
    args: {
      readonly namespace: Namespace
      readonly id: ChunkId
      readonly source: Source
      readonly base: number
      readonly now: number
    },
  ): void => {
    prepare(`UPDATE chunk SET source = :source, base = max(base, :base), last_access_at = max(last_access_at, :now)
WHERE namespace = :namespace AND id = :id`).run({ ...args })
  },
  'episodic.removeFaded': (
    context: EngineContext,
    { namespace, query }: { readonly namespace: Namespace; readonly query: FadedQuery },
  ): number => {
    const sql = `DELETE FROM chunk ${fadedCondition}`
    return removed(context, sql, fadedParameters(namespace, query))
  },
  'episodic.remove': (
    context: EngineContext,
    { namespace, selection }: { readonly namespace: Namespace; readonly selection: Selection },
  ): number => {
    const sql = selection.ids === null ? removeChunks : `${removeChunks} ${withIds}`
    return removed(context, sql, selectionParameters(namespace, selection))
  },
}

const countChunks = `SELECT count(*) AS count FROM chunk ${selectionCondition}`
const removeChunks = `DELETE FROM chunk ${selectionCondition}`

function removed(
  context: EngineContext,
  sql: string,
  parameters: Record<string, string | number | null>,
): number {
  const { changes } = context.prepare(sql).run(parameters)
  trimChanges(context)
  return Number(changes)
}

const chunksById = `SELECT ${chunkColumns} FROM chunk c
JOIN memory_text t ON t.namespace = c.namespace AND t.seq = c.seq
WHERE c.namespace = ? AND c.id IN (SELECT value FROM json_each(?))`

const chunksBySeq = `SELECT ${chunkColumns} FROM json_each(?) j CROSS JOIN chunk c ON c.seq = j.value
CROSS JOIN memory_text t ON t.seq = c.seq WHERE c.namespace = ? AND t.namespace = c.namespace`

const listChunks = `SELECT ${chunkColumns} FROM chunk c
JOIN memory_text t ON t.namespace = c.namespace AND t.seq = c.seq WHERE ${listConditions('c')}`

interface HitParts {
  readonly namespace: Namespace
  readonly index: SearchIndex
  readonly vector: Vector
  bm25(place: number): number
}

/** The chunks at these places, in that order, with what the question makes of them. */
function hitsAt(context: EngineContext, parts: HitParts, places: readonly number[]): PackedHits {
  const { namespace, index, vector } = parts
  const seqs = places.map((place) => index.seqAt(place))
  const rows = new Map<number, Row>()
  for (const row of context.prepare(chunksBySeq).all(JSON.stringify(seqs), namespace)) {
    rows.set(Number(row.seq), row)
  }
  const ids = (list: readonly number[]) => list.map((place) => asChunkId(index.idAt(place)))
  const chunks: StoredChunk[] = []
  const hitScores: HitScore[] = []
  places.forEach((place, at) => {
    const row = rows.get(seqs[at] ?? 0)
    if (row === undefined) throw new Error('The search index names a chunk that the store does not have.')
    const chunk = chunkOf(row)
    chunks.push(chunk)
    hitScores.push({
      cosine: dot(vector, chunk.vector),
      bm25: parts.bm25(place),
      previous: ids(index.before(place, chunksBefore)),
      next: ids(index.after(place, chunksAfter)),
    })
  })
  return { chunks: pack(chunks), scores: hitScores }
}
