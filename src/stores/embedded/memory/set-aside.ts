import type { Namespace } from '../../../core/ids.ts'
import { corrected } from '../../../memory/relation/certainty.ts'
import { type SetAside, withEarlier } from '../../../memory/reopen.ts'
import type { EngineContext } from '../engine/context.ts'
import { type Row, textOrNull } from './rows.ts'

/** Keeps with a correction what it undid. */
export function setAside(
  { prepare }: EngineContext,
  namespace: Namespace,
  correction: string,
  undone: SetAside,
): void {
  if (undone.links.length + undone.closings.length === 0) return
  prepare('UPDATE chunk SET set_aside = ? WHERE namespace = ? AND id = ?').run(
    ...[JSON.stringify(undone), namespace, correction],
  )
}

/** What goes, as JSON, and the facts that were closed by it alone. */
interface Going {
  readonly going: string
  readonly freed: readonly string[]
}

/**
 * Puts back what the corrections among these chunks had undone, as far as it is there, what closed it holds, and nothing
 * else has closed it since; gives the facts that are closed again. Where a correction was itself corrected, what it
 * corrected is still wrong: the later one keeps it.
 */
export function putBackOf(context: EngineContext, namespace: Namespace, parts: Going): ReadonlySet<string> {
  const { prepare } = context
  const closed = new Set<string>()
  for (const row of prepare(setAsideBy).all({ namespace, going: parts.going, corrected })) {
    const undone: SetAside = JSON.parse(String(row.set_aside))
    const later = textOrNull(row.later)
    if (later !== null) setAside(context, namespace, later, withEarlier(parsed(row.kept), undone))
    else for (const id of putBack(context, namespace, parts, undone)) closed.add(id)
  }
  return closed
}

const parsed = (value: Row[string] | undefined): SetAside | null => {
  const kept = textOrNull(value)
  return kept === null ? null : JSON.parse(kept)
}

const setAsideBy = `SELECT c.set_aside, l.newer AS later, k.set_aside AS kept FROM json_each(:going) g
CROSS JOIN chunk c ON c.namespace = :namespace AND c.id = g.value AND c.set_aside IS NOT NULL
LEFT JOIN link l ON l.namespace = c.namespace AND l.older = c.id AND l.probability = :corrected
  AND l.newer NOT IN (SELECT value FROM json_each(:going))
LEFT JOIN chunk k ON k.namespace = l.namespace AND k.id = l.newer`

function putBack(
  { prepare }: EngineContext,
  namespace: Namespace,
  { going, freed }: Going,
  { links, closings }: SetAside,
): readonly string[] {
  for (const link of links) prepare(putLink).run({ ...link, namespace, going })
  const parts = { namespace, going, freed: JSON.stringify(freed) }
  const closed = closings.filter((closing) => prepare(closeAgain).run({ ...closing, ...parts }).changes === 1)
  return closed.map(({ id }) => id)
}

const stays = (id: string) => `EXISTS (SELECT 1 FROM chunk WHERE namespace = :namespace AND id = ${id})
AND ${id} NOT IN (SELECT value FROM json_each(:going))`

const putLink = `INSERT OR IGNORE INTO link (namespace, newer, older, kind, probability, created_at)
SELECT :namespace, :newer, :older, :kind, :probability, :at WHERE ${stays(':newer')} AND ${stays(':older')}`

const isFreed = (id: string) => `${id} IN (SELECT value FROM json_each(:freed))`

/** What is open or was closed by what goes, by what stays and holds itself. */
const closeAgain = `UPDATE relationship SET closed_at = :at, closed_by = :by, closer = :closer
WHERE namespace = :namespace AND id = :id AND (
  closed_at IS NULL OR ${isFreed('id')} OR closer IN (
    SELECT f.id FROM json_each(:going) g
    CROSS JOIN relationship f ON f.namespace = :namespace AND f.chunk_id = g.value
  )
) AND (
  (${stays(':closer')}) OR EXISTS (
    SELECT 1 FROM relationship f WHERE f.namespace = :namespace AND f.id = :closer
    AND (f.closed_at IS NULL OR ${isFreed('f.id')})
  )
)`
