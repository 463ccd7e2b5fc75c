import type { Namespace } from '../../../core/ids.ts'
import type { Selection } from '../../../memory/ports.ts'
import type { EngineContext } from '../engine/context.ts'
import { filterText, metadataCondition } from './metadata-matches.ts'

/** Rows that a selection without ids names; `withIds` follows when it has some. */
export const selectionCondition = `WHERE namespace = :namespace
AND (:persona IS NULL OR persona = :persona) AND (:sessionId IS NULL OR session_id = :sessionId)
AND ${metadataCondition('metadata')}`

export const withIds = 'AND id IN (SELECT value FROM json_each(:ids))'

/** Only the parameters that the statement has: an unknown one is refused. */
export function selectionParameters(
  namespace: Namespace,
  { ids, persona, sessionId, filter }: Selection,
): Record<string, string | null> {
  const always = { namespace, persona, sessionId, filter: filterText(filter) }
  return ids === null ? always : { ...always, ids: JSON.stringify(ids) }
}

/** Rows by number, for a removal in slices: the condition is asked again, because a row may have changed since. */
export const withSeqs = 'AND seq IN (SELECT value FROM json_each(:seqs))'

export const seqsOf = (rows: readonly Readonly<Record<string, unknown>>[]): number[] =>
  rows.map(({ seq }) => Number(seq))

/** The ids of rows by number. */
export function idsOf(
  { prepare }: EngineContext,
  table: 'chunk' | 'relationship',
  namespace: Namespace,
  seqs: readonly number[],
): string[] {
  const sql = `SELECT id FROM ${table} WHERE namespace = ? AND seq IN (SELECT value FROM json_each(?)) ORDER BY seq`
  return prepare(sql)
    .all(namespace, JSON.stringify(seqs))
    .map((row) => String(row.id))
}
