import type { Namespace } from '../../../core/ids.ts'
import type { Selection } from '../../../memory/ports.ts'

/** Rows that a selection without ids names; `withIds` follows when it has some. */
export const selectionCondition = `WHERE namespace = :namespace
AND (:persona IS NULL OR persona = :persona) AND (:sessionId IS NULL OR session_id = :sessionId)`

export const withIds = 'AND id IN (SELECT value FROM json_each(:ids))'

/** Only the parameters that the statement has: an unknown one is refused. */
export function selectionParameters(
  namespace: Namespace,
  { ids, persona, sessionId }: Selection,
): Record<string, string | null> {
  const always = { namespace, persona, sessionId }
  return ids === null ? always : { ...always, ids: JSON.stringify(ids) }
}

/** Rows by number, for a removal in slices: the condition is asked again, because a row may have changed since. */
export const withSeqs = 'AND seq IN (SELECT value FROM json_each(:seqs))'

export const seqsOf = (rows: readonly Readonly<Record<string, unknown>>[]): number[] =>
  rows.map(({ seq }) => Number(seq))
