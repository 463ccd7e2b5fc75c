import type { ChunkId, Namespace } from '../../../core/ids.ts'
import type { Vector } from '../../../core/vectors.ts'
import type { Source } from '../../../memory/model.ts'
import type { EpisodicQuery, FadedQuery, ListFilter, ListPage, Selection } from '../../../memory/ports.ts'
import type { EngineContext } from '../engine/context.ts'
import { fadedCondition, fadedParameters } from './faded.ts'
import { chunksAfter, chunksBefore, type PackedHits, packHits } from './hits.ts'
import { indexOf } from './index/indexes.ts'
import { requireLease } from './require-lease.ts'
import { bestWords, exactCosines } from './rescore.ts'
import { chunkColumns, chunkOf, listConditions, listParameters, pack } from './rows.ts'
import { selectionCondition, selectionParameters, seqsOf, withIds, withSeqs } from './selection.ts'
import { trimChanges } from './trim-changes.ts'

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
    const cosines = exactCosines(context, index, vector)
    const nearest = index.nearest({ vector, personas, limit: query.nearest, exact: cosines.at })
    const words = index.lexical(terms, personas)
    const candidates = [...nearest.map(({ place }) => place), ...bestWords(index, words, query.lexical)]
    const places = new Set(candidates)
    for (const place of candidates) {
      for (const other of index.before(place, chunksBefore)) places.add(other)
      for (const other of index.after(place, chunksAfter)) places.add(other)
    }
    return {
      ...packHits(context, { namespace, index, cosines, bm25: words.scoreAt }, [...places]),
      idfSum: words.idfSum,
    }
  },
  'episodic.nearest': (
    context: EngineContext,
    args: Searched & { readonly persona: string; readonly vector: Vector; readonly limit: number },
  ): PackedHits => {
    const { namespace, vector, limit, budgetBytes } = args
    const index = indexOf(context, { namespace, kind: 'chunk', budgetBytes })
    const cosines = exactCosines(context, index, vector)
    const best = index.nearest({ vector, personas: [args.persona], limit, exact: cosines.at })
    const places = best.map(({ place }) => place)
    return packHits(context, { namespace, index, cosines, bm25: () => 0 }, places)
  },
  'episodic.get': (
    { prepare }: EngineContext,
    { namespace, ids }: { readonly namespace: Namespace; readonly ids: readonly ChunkId[] },
  ) =>
    pack(
      prepare(chunksById)
        .all(namespace, JSON.stringify(ids))
        .map((row) => chunkOf(row)),
    ),
  'episodic.list': (
    { prepare }: EngineContext,
    args: { readonly namespace: Namespace; readonly filter: ListFilter; readonly page: ListPage },
  ) => {
    const parameters = listParameters(args.namespace, args.filter, args.page)
    return pack(
      prepare(listChunks)
        .all(parameters)
        .map((row) => chunkOf(row)),
    )
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
  'episodic.selected': ({ prepare }: EngineContext, { namespace, selection }: SelectedRows): number[] => {
    const sql = selection.ids === null ? selectChunks : `${selectChunks} ${withIds}`
    return seqsOf(prepare(sql).all(selectionParameters(namespace, selection)))
  },
  'episodic.faded': ({ prepare }: EngineContext, { namespace, query }: FadedRows): number[] =>
    seqsOf(prepare(`SELECT seq FROM chunk ${fadedCondition}`).all(fadedParameters(namespace, query))),
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
    { namespace, query, seqs }: FadedRows & { readonly seqs: readonly number[] },
  ): number => {
    requireLease(context, query.lease)
    return removed(context, fadedCondition, fadedParameters(namespace, query), seqs)
  },
  'episodic.remove': (
    context: EngineContext,
    { namespace, selection, seqs }: SelectedRows & { readonly seqs: readonly number[] },
  ): number =>
    removed(context, selectionCondition, selectionParameters(namespace, { ...selection, ids: null }), seqs),
}

interface SelectedRows {
  readonly namespace: Namespace
  readonly selection: Selection
}

interface FadedRows {
  readonly namespace: Namespace
  readonly query: FadedQuery
}

const countChunks = `SELECT count(*) AS count FROM chunk ${selectionCondition}`
const selectChunks = `SELECT seq FROM chunk ${selectionCondition}`

function removed(
  context: EngineContext,
  condition: string,
  parameters: Record<string, string | number | null>,
  seqs: readonly number[],
): number {
  const { changes } = context
    .prepare(`DELETE FROM chunk ${condition} ${withSeqs}`)
    .run({ ...parameters, seqs: JSON.stringify(seqs) })
  trimChanges(context)
  return Number(changes)
}

const chunksById = `SELECT ${chunkColumns} FROM chunk c
WHERE c.namespace = ? AND c.id IN (SELECT value FROM json_each(?))`

const listChunks = `SELECT ${chunkColumns} FROM chunk c WHERE ${listConditions('c')}`
