import type { Seconds } from '../../../core/clock.ts'
import { asChunkId, type ChunkId, type Namespace } from '../../../core/ids.ts'
import type { Vector } from '../../../core/vectors.ts'
import type { Source } from '../../../memory/model.ts'
import type {
  EpisodicQuery,
  FadedQuery,
  ListFilter,
  ListPage,
  Selection,
  Standing,
  StoredLink,
  Within,
} from '../../../memory/ports.ts'
import { chunksAfter, chunksBefore } from '../../../memory/rules.ts'
import type { EngineContext } from '../engine/context.ts'
import { fadedCondition, fadedParameters, fadedRows } from './faded.ts'
import { type PackedHits, packHits } from './hits.ts'
import { searchIn } from './index/indexes.ts'
import { withinConditions, withinParameters } from './metadata-matches.ts'
import { toldAgain } from './remember.ts'
import { requireLease } from './require-lease.ts'
import { bestWords, exactCosines } from './rescore.ts'
import { chunkColumns, linkOf, listConditions, listParameters, packRows, replacementOf } from './rows.ts'
import { idsOf, selectionCondition, selectionParameters, seqsOf, withIds, withSeqs } from './selection.ts'
import { trimChanges } from './trim-changes.ts'
import { undoClosings } from './undo-closings.ts'

interface Searched {
  readonly namespace: Namespace
  readonly budgetBytes: number
}

export const episodicReads = {
  'episodic.search': (
    context: EngineContext,
    { namespace, budgetBytes, query }: Searched & { readonly query: EpisodicQuery },
  ): PackedHits & { idfSum: number } => {
    const { vector, terms, personas, tokens = null, within } = query
    return searchIn(context, { namespace, kind: 'chunk', budgetBytes }, query, (index) => {
      const visible = within === undefined ? null : index.only(chunksWithin(context, namespace, within))
      const cosines = exactCosines(context, index, vector)
      const nearest = index.nearest({ vector, personas, limit: query.nearest, visible, exact: cosines })
      const words = index.lexical(terms, personas, visible)
      const candidates = [...nearest.map(({ place }) => place), ...bestWords(index, words, query.lexical)]
      const isSeen = (place: number) => visible === null || (visible[place] ?? -1) >= 0
      const around = {
        before: (place: number) => index.before(place, chunksBefore).filter(isSeen),
        after: (place: number) => index.after(place, chunksAfter).filter(isSeen),
      }
      const places = new Set(candidates)
      for (const place of candidates) {
        for (const other of around.before(place)) places.add(other)
        for (const other of around.after(place)) places.add(other)
      }
      const parts = { namespace, index, around, cosines, tokens, bm25: words.scoreAt }
      return { ...packHits(context, parts, [...places]), idfSum: words.idfSum }
    })
  },
  'episodic.nearest': (
    context: EngineContext,
    args: Searched & {
      readonly personas: readonly string[]
      readonly vector: Vector
      readonly limit: number
    },
  ): PackedHits => {
    const { namespace, personas, vector, limit, budgetBytes } = args
    const question = { vector, terms: [] }
    return searchIn(context, { namespace, kind: 'chunk', budgetBytes }, question, (index) => {
      const cosines = exactCosines(context, index, vector)
      const best = index.nearest({ vector, personas, limit, exact: cosines })
      const places = best.map(({ place }) => place)
      const around = {
        before: (place: number) => index.before(place, chunksBefore),
        after: (place: number) => index.after(place, chunksAfter),
      }
      return packHits(context, { namespace, index, around, cosines, tokens: null, bm25: () => 0 }, places)
    })
  },
  'episodic.get': (
    { prepare }: EngineContext,
    { namespace, ids }: { readonly namespace: Namespace; readonly ids: readonly ChunkId[] },
  ) => packRows(prepare(chunksById), { namespace, ids: JSON.stringify(ids) }),
  'episodic.list': (
    { prepare }: EngineContext,
    args: { readonly namespace: Namespace; readonly filter: ListFilter; readonly page: ListPage },
  ) => packRows(prepare(listChunks), listParameters(args.namespace, args.filter, args.page)),
  'episodic.standing': (
    { prepare }: EngineContext,
    args: { readonly namespace: Namespace; readonly ids: readonly ChunkId[]; readonly asOf: Seconds },
  ): readonly Standing[] => {
    const { namespace, ids, asOf } = args
    return prepare(standings)
      .all({ namespace, asOf, ids: JSON.stringify(ids) })
      .map((row) => ({
        id: asChunkId(String(row.id)),
        closedFactCount: Number(row.closed_fact_count),
        replaced: replacementOf(row),
      }))
  },
  'episodic.links': (
    { prepare }: EngineContext,
    { namespace, id }: { readonly namespace: Namespace; readonly id: ChunkId },
  ): readonly StoredLink[] => prepare(linksOfChunk).all({ namespace, id }).map(linkOf),
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
    seqsOf(
      prepare(fadedRows('chunk')).all({ ...fadedParameters(namespace, query), limit: query.limit ?? -1 }),
    ),
  'episodic.fadedIds': ({ prepare }: EngineContext, { namespace, query }: FadedRows): ChunkId[] =>
    prepare(fadedRows('chunk', 'id'))
      .all({ ...fadedParameters(namespace, query), limit: query.limit ?? -1 })
      .map((row) => asChunkId(String(row.id))),
}

interface Touched {
  readonly namespace: Namespace
  readonly ids: readonly string[]
  readonly now: number
  readonly told?: number | undefined
}

export const episodicWrites = {
  'episodic.touch': ({ prepare }: EngineContext, { namespace, ids, now, told }: Touched): void => {
    prepare(`UPDATE chunk SET access_count = access_count + times, last_access_at = max(last_access_at, :now)${
      told === undefined ? '' : `, ${toldAgain}`
    }
FROM (SELECT value, count(*) AS times FROM json_each(:ids) GROUP BY value) WHERE namespace = :namespace AND id = value`).run(
      {
        ...{ namespace, now, ids: JSON.stringify(ids), ...(told === undefined ? {} : { told }) },
      },
    )
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
  'episodic.pin': (
    { prepare }: EngineContext,
    args: { readonly namespace: Namespace; readonly id: ChunkId; readonly pinned: boolean },
  ): boolean =>
    prepare('UPDATE chunk SET pinned = ? WHERE namespace = ? AND id = ?').run(
      ...[args.pinned ? 1 : 0, args.namespace, args.id],
    ).changes === 1,
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
  ): number => {
    undoClosings(context, namespace, idsOf(context, 'chunk', namespace, seqs))
    const parameters = selectionParameters(namespace, { ...selection, ids: null })
    return removed(context, selectionCondition, parameters, seqs)
  },
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
WHERE c.namespace = :namespace AND c.id IN (SELECT value FROM json_each(:ids))`

const listChunks = `SELECT ${chunkColumns} FROM chunk c WHERE ${listConditions('c')}`

/** The trigger `link_made` chooses the surest link in the same order. */
const standings = `SELECT c.id, l.newer AS replaced_by, l.kind AS replaced_kind, l.probability AS replaced_probability,
l.created_at AS replaced_at, (
  SELECT count(*) FROM mention m JOIN relationship r ON r.namespace = m.namespace AND r.id = m.relationship_id
  WHERE m.namespace = c.namespace AND m.chunk_id = c.id AND m.closed = 1 AND r.closed_at <= :asOf
) AS closed_fact_count
FROM chunk c LEFT JOIN link l ON l.namespace = c.namespace AND l.older = c.id AND l.newer = (
  SELECT newer FROM link WHERE namespace = c.namespace AND older = c.id AND created_at <= :asOf
  ORDER BY probability DESC, created_at DESC, newer LIMIT 1
)
WHERE c.namespace = :namespace AND c.id IN (SELECT value FROM json_each(:ids))`

const chunksSeen = `SELECT seq FROM chunk WHERE namespace = :namespace AND ${withinConditions}`

const chunksWithin = ({ prepare }: EngineContext, namespace: Namespace, within: Within): number[] =>
  seqsOf(prepare(chunksSeen).all({ namespace, ...withinParameters(within) }))

const linksOfChunk = `SELECT older, newer, kind, probability, created_at FROM link
WHERE namespace = :namespace AND older = :id
UNION ALL SELECT older, newer, kind, probability, created_at FROM link
WHERE namespace = :namespace AND newer = :id ORDER BY created_at, newer, older`
