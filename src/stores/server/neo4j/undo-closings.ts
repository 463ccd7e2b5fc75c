import type { Namespace } from '../../../core/ids.ts'
import type { Source } from '../../../memory/model.ts'
import { certain, corrected } from '../../../memory/relation/certainty.ts'
import { reopen, type SetAside, type StandingFact, type Undone } from '../../../memory/reopen.ts'
import type { Row, RunQuery } from './connection.ts'
import { undoLinks } from './links.ts'
import { uid } from './rows.ts'
import { putBackOf } from './set-aside.ts'
import { number, numberOrNull, rows, text, textOrNull } from './values.ts'

/** What a fact's standing among those of its slot depends on. */
const standing = `f.id AS id, f.relation AS relation, endNode(f).key AS objectKey, f.negated AS negated, f.source AS source,
  coalesce(f.told_at, f.created_at) AS createdAt, f.persona AS persona, startNode(f).uid AS subject, f.slot AS slot`

/** Facts of an older version know their successor alone. */
const closer = 'coalesce(f.closer, f.closed_by)'

const undoQueries = {
  // What is settled in one transaction must not change meanwhile: the same lock as that of a journalled write.
  lock: 'MATCH (n:Namespace {id: $namespace}) SET n.sequence = coalesce(n.sequence, 0.0) RETURN n.id AS id',
  // Without a link that somebody judged it was the user himself who corrected the fact.
  heldBy: `
    UNWIND $ids AS id
    CALL (id) {
      MATCH ()-[f:FACT {closer: id}]->() WHERE f.namespace = $namespace RETURN f
      UNION MATCH ()-[f:FACT {closed_by: id}]->() WHERE f.namespace = $namespace AND f.closer IS NULL RETURN f
    }
    RETURN ${standing}, ${closer} AS closer, f.closed_by AS by, f.closed_at AS at,
      EXISTS {
        MATCH (l:Link {namespace: $namespace, older: f.chunk_id}) WHERE l.probability < $corrected
          AND (l.newer = ${closer} OR EXISTS { MATCH ()-[c:FACT {chunk_id: l.newer, namespace: $namespace}]->() WHERE c.id = ${closer} })
      } AS judged,
      COLLECT {
        MATCH (l:Link {namespace: $namespace, older: f.chunk_id}) WHERE l.probability = $corrected AND NOT l.newer IN $ids
        RETURN {closer: l.newer, at: l.at} LIMIT 1
      } AS corrections
    ORDER BY f.created_at, f.order, f.id`,
  closers: `
    CALL () {
      UNWIND $uids AS uid MATCH ()-[f:FACT {uid: uid}]->() WHERE f.namespace = $namespace AND ${closer} IS NOT NULL
      RETURN f.id AS id, ${closer} AS closer, f.closed_by AS by, f.closed_at AS at
      UNION ALL
      UNWIND $uids AS uid MATCH (c:Chunk {uid: uid}) WHERE c.namespace = $namespace AND c.replaced_probability >= $certain
      RETURN c.id AS id, c.replaced_by AS closer, null AS by, c.replaced_at AS at
    }
    RETURN id, closer, by, at`,
  knownOf: `
    UNWIND $places AS place
    MATCH (:Entity {uid: place.subject})-[f:FACT]->()
    WHERE f.namespace = $namespace AND f.slot = place.slot AND f.persona = place.persona
      AND (f.closed_at IS NULL OR (f.closed_at = f.created_at AND ${closer} IS NULL))
    RETURN ${standing}, f.closed_at IS NOT NULL AS ended ORDER BY f.created_at, f.order, f.id`,
  change: `
    UNWIND $changes AS change
    MATCH ()-[f:FACT {uid: change.uid}]->() WHERE f.namespace = $namespace
    WITH f, change, coalesce(f.outdated, false) AS before,
      change.at IS NOT NULL AND (f.closed_at IS NULL OR coalesce(f.outdated, false)) AS outdated
    SET f.closed_at = change.at, f.closed_by = change.by, f.closer = change.closer, f.outdated = outdated
    WITH f, CASE WHEN outdated THEN 1 ELSE 0 END - CASE WHEN before THEN 1 ELSE 0 END AS more
    WHERE more <> 0
    UNWIND f.mentions AS mention
    MATCH (c:Chunk {uid: mention}) SET c.closed_fact_count = c.closed_fact_count + more
    RETURN DISTINCT c.id AS id`,
} as const

/** Memories that changed beside those that go: their points have to follow. */
export interface Touched {
  readonly chunks: readonly string[]
  readonly facts: readonly string[]
}

interface Change {
  readonly id: string
  readonly at: number | null
  readonly by: string | null
  readonly closer: string | null
}

/**
 * Undoes what these memories closed or replaced, before they are removed or corrected. What was replaced by something that was itself
 * replaced since stays closed, by that: with Lisbon, Berlin and Rome told in turn, removing Berlin leaves Rome. Gives what
 * was undone, too. What one of them had undone as a correction is put back.
 */
export async function undoClosings(
  run: RunQuery,
  namespace: Namespace,
  ids: readonly string[],
  undone: Undone = 'all',
): Promise<Touched & { readonly undone: SetAside }> {
  if (ids.length === 0) return { chunks: [], facts: [], undone: { links: [], closings: [] } }
  await run(undoQueries.lock, { namespace })
  const gone = new Set(ids)
  const held = (await run(undoQueries.heldBy, { namespace, ids: [...ids], corrected })).filter(
    (row) => !gone.has(text(row, 'id')) && (undone === 'all' || row.judged === true),
  )
  const links = await undoLinks(run, namespace, ids, undone)
  const back = undone === 'all' ? await putBackOf(run, namespace, ids) : { chunks: [], closings: [] }
  const older = [...links.map((link) => link.older as string), ...back.chunks]
  const set = { links, closings: held.map(closingOf) }
  if (held.length + back.closings.length === 0) return { chunks: [...new Set(older)], facts: [], undone: set }
  const heirs = await heirsOf(run, namespace, gone)
  const heirOf = (row: Row) => heirs(text(row, 'closer')) ?? correctionOf(row)
  const passed = held.flatMap((row): Change[] => {
    const heir = heirOf(row)
    return heir === null ? [] : [{ ...heir, id: text(row, 'id') }]
  })
  const isPassed = new Set(passed.map(({ id }) => id))
  const again = back.closings.filter(({ id, closer }) => !isPassed.has(id) && !isPassed.has(closer))
  const isAgain = new Set(again.map(({ id }) => id))
  const freed = held.filter((row) => !isPassed.has(text(row, 'id')) && !isAgain.has(text(row, 'id')))
  const settled = await settledAgain(run, namespace, freed, gone.union(isAgain))
  const changes: readonly Change[] = [...passed, ...again, ...settled]
  const changed = changes.map(({ id, at, by, closer }) => ({ uid: uid(namespace, id), at, by, closer }))
  const chunks = (await run(undoQueries.change, { namespace, changes: changed })).map((row) =>
    text(row, 'id'),
  )
  return { chunks: [...new Set([...older, ...chunks])], facts: changes.map(({ id }) => id), undone: set }
}

const closingOf = (row: Row) => ({
  id: text(row, 'id'),
  closer: text(row, 'closer'),
  by: textOrNull(row, 'by'),
  at: number(row, 'at'),
})

/** Who closed a memory that goes, over others that go too. Null: nobody that stays. */
async function heirsOf(run: RunQuery, namespace: Namespace, gone: ReadonlySet<string>) {
  const uids = [...gone].map((id) => uid(namespace, id))
  const closers = new Map(
    (await run(undoQueries.closers, { namespace, uids, certain })).map((row) => [text(row, 'id'), row]),
  )
  return (id: string): Omit<Change, 'id'> | null => {
    let row = closers.get(id)
    // Links may form a circle; a chain is no longer than what goes.
    for (let step = 0; step < gone.size && row !== undefined; step++) {
      const next = text(row, 'closer')
      if (!gone.has(next)) return { closer: next, by: textOrNull(row, 'by'), at: numberOrNull(row, 'at') }
      row = closers.get(next)
    }
    return null
  }
}

/** What the user put in the place of the text that told a fact. */
function correctionOf(row: Row): Omit<Change, 'id'> | null {
  const [correction] = rows(row, 'corrections')
  return correction === undefined
    ? null
    : { closer: text(correction, 'closer'), by: null, at: number(correction, 'at') }
}

/** Facts whose closer is gone stand as if it had never been told. */
async function settledAgain(
  run: RunQuery,
  namespace: Namespace,
  freed: readonly Row[],
  gone: ReadonlySet<string>,
): Promise<readonly Change[]> {
  if (freed.length === 0) return []
  const places = [...new Set(freed.map(placeOf))].map((place) => {
    const [persona, subject, slot] = JSON.parse(place)
    return { persona, subject, slot }
  })
  const known = (await run(undoQueries.knownOf, { namespace, places })).filter(
    (row) => !gone.has(text(row, 'id')),
  )
  const { opened, closings } = reopen(known.map(standingFact), freed.map(standingFact))
  return [...opened.map((id) => ({ id, at: null, by: null, closer: null })), ...closings]
}

const placeOf = (row: Row) => JSON.stringify([text(row, 'persona'), text(row, 'subject'), text(row, 'slot')])

const standingFact = (row: Row): StandingFact => ({
  id: text(row, 'id'),
  relation: text(row, 'relation'),
  objectKey: text(row, 'objectKey'),
  negated: row.negated === true,
  source: text(row, 'source') as Source,
  place: placeOf(row),
  createdAt: number(row, 'createdAt'),
  ended: row.ended === true,
})
