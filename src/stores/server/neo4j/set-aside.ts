import type { Namespace } from '../../../core/ids.ts'
import { corrected } from '../../../memory/relation/certainty.ts'
import { type SetAside, withEarlier } from '../../../memory/reopen.ts'
import type { RunQuery } from './connection.ts'
import { linkQueries, linkRow } from './links.ts'
import { uid } from './rows.ts'
import { text, textOrNull } from './values.ts'

const queries = {
  kept: `
    UNWIND $uids AS uid MATCH (c:Chunk {uid: uid}) WHERE c.namespace = $namespace AND c.set_aside IS NOT NULL
    OPTIONAL MATCH (l:Link {namespace: $namespace, older: c.id}) WHERE l.probability = $corrected AND NOT l.newer IN $ids
    WITH c, min(l.newer) AS later
    OPTIONAL MATCH (k:Chunk {namespace: $namespace, id: later})
    RETURN c.set_aside AS aside, later, k.set_aside AS kept`,
  keep: 'MATCH (c:Chunk {namespace: $namespace, id: $id}) SET c.set_aside = $aside',
  there: `
    CALL () {
      UNWIND $uids AS uid MATCH (c:Chunk {uid: uid}) WHERE c.namespace = $namespace RETURN c.id AS id, 'text' AS state
      UNION
      UNWIND $uids AS uid MATCH ()-[f:FACT {uid: uid}]->() WHERE f.namespace = $namespace
      RETURN f.id AS id, CASE WHEN f.closed_at IS NULL OR f.closer IN $ids OR EXISTS {
        UNWIND $ids AS gone MATCH ()-[by:FACT {chunk_id: gone}]->() WHERE by.namespace = $namespace AND by.id = f.closer
      } THEN 'open' ELSE 'closed' END AS state
    }
    RETURN id, state`,
} as const

/** A fact that is closed again. */
export type ClosedAgain = SetAside['closings'][number]

/** As a property of a correction's chunk; null: it undid nothing. */
export const asideText = (undone: SetAside): string | null =>
  undone.links.length + undone.closings.length === 0 ? null : JSON.stringify(undone)

/**
 * Puts back the links that the corrections among these chunks had undone, as far as both ends are there. Where a
 * correction was itself corrected, what it corrected is still wrong: the later one keeps it. Gives the facts to be closed
 * again, where what closed them holds and nothing else has closed them since, and the chunks that links lead to.
 */
export async function putBackOf(
  run: RunQuery,
  namespace: Namespace,
  ids: readonly string[],
): Promise<{ readonly chunks: readonly string[]; readonly closings: readonly ClosedAgain[] }> {
  const uids = ids.map((id) => uid(namespace, id))
  const found = await run(queries.kept, { namespace, uids, ids: [...ids], corrected })
  const back: SetAside[] = []
  for (const row of found) {
    const undone: SetAside = JSON.parse(text(row, 'aside'))
    const later = textOrNull(row, 'later')
    const kept = textOrNull(row, 'kept')
    if (later === null) back.push(undone)
    else {
      const aside = asideText(withEarlier(kept === null ? null : JSON.parse(kept), undone))
      await run(queries.keep, { namespace, id: later, aside })
    }
  }
  if (back.length === 0) return { chunks: [], closings: [] }
  const [links, closings] = [back.flatMap((one) => one.links), back.flatMap((one) => one.closings)]
  const named = [
    ...links.flatMap(({ newer, older }) => [newer, older]),
    ...closings.flatMap(({ id, closer }) => [id, closer]),
  ]
  const there = await standing(run, namespace, named, ids)
  const made = links.filter(({ newer, older }) => there.has(newer) && there.has(older))
  const older = [...new Set(made.map((link) => link.older as string))]
  const rows = made.map((link) => linkRow(namespace, link))
  const olderUids = older.map((id) => uid(namespace, id))
  await run(linkQueries.change, { namespace, gone: [], made: rows, olderUids })
  return {
    chunks: older,
    closings: closings.filter(
      ({ id, closer }) => there.get(id) === 'open' && ['text', 'open'].includes(there.get(closer) ?? ''),
    ),
  }
}

/** Those of these memories that stay: a text, or a fact, which is open, too, where what closed it goes. */
async function standing(
  run: RunQuery,
  namespace: Namespace,
  named: readonly string[],
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const going = new Set(ids)
  const uids = [...new Set(named)].filter((id) => !going.has(id)).map((id) => uid(namespace, id))
  const rows = await run(queries.there, { namespace, uids, ids: [...ids] })
  return new Map(rows.map((row) => [text(row, 'id'), text(row, 'state')]))
}
