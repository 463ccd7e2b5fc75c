import type { Namespace } from '../../../core/ids.ts'
import type { Source } from '../../../memory/model.ts'
import { certain, corrected } from '../../../memory/relation/certainty.ts'
import { reopen, type SetAside, type StandingFact, type Undone } from '../../../memory/reopen.ts'
import type { EngineContext } from '../engine/context.ts'
import { linkOf, numberOrNull, type Row, textOrNull } from './rows.ts'
import { putBackOf } from './set-aside.ts'

/**
 * Undoes what these memories closed or replaced, before they are removed or corrected. What was replaced by something that was itself
 * replaced since stays closed, by that: with Lisbon, Berlin and Rome told in turn, removing Berlin leaves Rome. Gives what
 * was undone. What one of them had undone as a correction is put back.
 */
export function undoClosings(
  context: EngineContext,
  namespace: Namespace,
  ids: readonly string[],
  undone: Undone = 'all',
): SetAside {
  const { prepare } = context
  const going = JSON.stringify(ids)
  const gone = new Set(ids)
  const below = undone === 'all' ? Number.POSITIVE_INFINITY : corrected
  const held = prepare(heldBy)
    .all({ namespace, going, corrected })
    .filter((row) => !gone.has(String(row.id)) && (undone === 'all' || row.judged === 1))
  const links = prepare(linksFrom).all({ namespace, going, below }).map(linkOf)
  for (const id of new Set(links.map(({ newer }) => newer))) {
    prepare(passOnLinks).run({ namespace, id, below })
    prepare(dropLinks).run({ namespace, id, below })
  }
  const freed = held.filter((row) => {
    const heir = heirOf(context, namespace, String(row.closer), gone) ?? correctionOf(row)
    if (heir !== null) prepare(closeBy).run({ ...heir, namespace, id: String(row.id) })
    return heir === null
  })
  const again =
    undone === 'all'
      ? putBackOf(context, namespace, { going, freed: freed.map(({ id }) => String(id)) })
      : null
  const left = freed.filter(({ id }) => !again?.has(String(id)))
  if (left.length > 0) settleAgain(context, namespace, left, gone)
  return { links, closings: held.map(closingOf) }
}

const linksFrom = `SELECT l.newer, l.older, l.kind, l.probability, l.created_at FROM json_each(:going) g
CROSS JOIN link l ON l.namespace = :namespace AND l.newer = g.value AND l.probability < :below`

const closingOf = (row: Row) => ({
  id: String(row.id),
  closer: String(row.closer),
  by: textOrNull(row.closed_by),
  at: Number(row.closed_at),
})

/** What made the newer text out of date makes the older one so too, as far as both links are sure. */
const passOnLinks = `INSERT OR IGNORE INTO link (namespace, newer, older, kind, probability, created_at)
SELECT a.namespace, b.newer, a.older, b.kind, min(a.probability, b.probability), b.created_at
FROM link a JOIN link b ON b.namespace = a.namespace AND b.older = a.newer
WHERE a.namespace = :namespace AND a.newer = :id AND a.probability < :below`

const dropLinks = 'DELETE FROM link WHERE namespace = :namespace AND newer = :id AND probability < :below'

const standing = `r.id, r.relation, e.key AS object_key, r.negated, r.source, coalesce(r.told_at, r.created_at) AS created_at, r.persona, r.subject_id, r.slot`

// From the ids to the facts: a namespace may have very many facts that somebody else closed.
// Without a link that somebody judged it was the user himself who corrected the fact.
const heldBy = `SELECT ${standing}, r.closer, r.closed_by, r.closed_at,
  EXISTS (
    SELECT 1 FROM link l WHERE l.namespace = r.namespace AND l.older = r.chunk_id AND l.probability < :corrected
    AND l.newer IN (r.closer, (SELECT f.chunk_id FROM relationship f WHERE f.namespace = r.namespace AND f.id = r.closer))
  ) AS judged, c.newer AS correction, c.created_at AS corrected_at
FROM json_each(:going) g
CROSS JOIN relationship r ON r.namespace = :namespace AND r.closer = g.value
JOIN entity e ON e.namespace = r.namespace AND e.id = r.object_id
LEFT JOIN link c ON c.namespace = r.namespace AND c.older = r.chunk_id AND c.probability = :corrected
  AND c.newer NOT IN (SELECT value FROM json_each(:going)) ORDER BY r.seq`

const closeBy = `UPDATE relationship SET closed_at = :at, closed_by = :by, closer = :closer
WHERE namespace = :namespace AND id = :id`

type Heir = Readonly<{ closer: string; by: string | null; at: number | null }>

/** Who closed a memory that goes, over others that go too. Null: nobody that stays. */
function heirOf(
  { prepare }: EngineContext,
  namespace: Namespace,
  id: string,
  gone: ReadonlySet<string>,
): Heir | null {
  let closer = id
  // Links may form a circle; a chain is no longer than what goes.
  for (let step = 0; step < gone.size; step++) {
    const row = prepare(closerOf).get({ namespace, id: closer, certain })
    const next = textOrNull(row?.closer)
    if (row === undefined || next === null) return null
    if (!gone.has(next)) return { closer: next, by: textOrNull(row.by), at: numberOrNull(row.at) }
    closer = next
  }
  return null
}

/** What the user put in the place of the text that told a fact. */
const correctionOf = ({ correction, corrected_at }: Row): Heir | null =>
  correction == null ? null : { closer: String(correction), by: null, at: numberOrNull(corrected_at) }

/** Of a fact its closer, of a chunk the one that certainly replaced it. */
const closerOf = `SELECT closer, closed_by AS by, closed_at AS at FROM relationship
WHERE namespace = :namespace AND id = :id AND closer IS NOT NULL
UNION ALL SELECT replaced_by, NULL, replaced_at FROM chunk
WHERE namespace = :namespace AND id = :id AND replaced_probability >= :certain`

/** The rest stands as if its closer had never been told. */
function settleAgain(
  { prepare }: EngineContext,
  namespace: Namespace,
  freed: readonly Row[],
  gone: ReadonlySet<string>,
): void {
  const places = new Map(freed.map((row) => [placeOf(row), row]))
  const known = [...places.values()]
    .flatMap(({ persona, subject_id, slot }) =>
      prepare(knownOfPlace).all(namespace, String(persona), String(subject_id), String(slot)),
    )
    .filter((row) => !gone.has(String(row.id)))
  const { opened, closings } = reopen(known.map(standingFact), freed.map(standingFact))
  const set = prepare(closeBy)
  for (const id of opened) set.run({ namespace, id, at: null, by: null, closer: null })
  for (const closing of closings) set.run({ ...closing, namespace })
}

const knownOfPlace = `SELECT ${standing}, r.closed_at IS NOT NULL AS ended FROM relationship r
JOIN entity e ON e.namespace = r.namespace AND e.id = r.object_id
WHERE r.namespace = ? AND r.persona = ? AND r.subject_id = ? AND r.slot = ?
AND (r.closed_at IS NULL OR (r.closed_at = r.created_at AND r.closer IS NULL)) ORDER BY r.seq`

const placeOf = ({ persona, subject_id, slot }: Row) => JSON.stringify([persona, subject_id, slot])

const standingFact = (row: Row): StandingFact => ({
  id: String(row.id),
  relation: String(row.relation),
  objectKey: String(row.object_key),
  negated: row.negated === 1,
  source: row.source as Source,
  place: placeOf(row),
  createdAt: Number(row.created_at),
  ended: row.ended === 1,
})
