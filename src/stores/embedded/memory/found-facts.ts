import type { SQLOutputValue } from 'node:sqlite'
import type { Namespace } from '../../../core/ids.ts'
import type { FoundFact } from '../../../memory/ports.ts'
import type { EngineContext } from '../engine/context.ts'
import { foundFactOf, rowReader } from './rows.ts'

/**
 * Facts on their way between threads: their vectors stay where the question is compared with them, and plain values in
 * rows cost a third of what objects do.
 */
export interface PackedFacts {
  /** The facts' columns in the order of `own`, then the names of both ends. */
  readonly rows: readonly (readonly SQLOutputValue[])[]
}

const own =
  `seq, id, item_id, chunk_id, persona, session_id, source, subject_id, relation, object_id, slot, negated, fact,
evidence, extraction, when_text, metadata, base, created_at, last_access_at, access_count, closed_at, closed_by, closer,
pinned`
    .split(',')
    .map((name) => name.trim())
const named = rowReader([...own, 'subject_name', 'object_name'])

const factsBySeq = `SELECT ${own.map((name) => `r.${name}`).join(', ')}, s.name, o.name
FROM json_each(?) j CROSS JOIN relationship r ON r.seq = j.value
JOIN entity s ON s.namespace = r.namespace AND s.id = r.subject_id
JOIN entity o ON o.namespace = r.namespace AND o.id = r.object_id
WHERE r.namespace = ?`

/** The facts with these row numbers, in that order. */
export function packFacts(
  context: EngineContext,
  namespace: Namespace,
  seqs: readonly number[],
): PackedFacts {
  const statement = context.prepare(factsBySeq)
  statement.setReturnArrays(true)
  const read = statement.all(JSON.stringify(seqs), namespace) as unknown as SQLOutputValue[][]
  const bySeq = new Map(read.map((row) => [row[0], row]))
  const rows = seqs.map((seq) => bySeq.get(seq)).filter((row) => row !== undefined)
  if (rows.length !== seqs.length) throw new Error('The search index and the store do not agree.')
  return { rows }
}

/** What `packFacts` took apart. */
export function unpackFacts({ rows }: PackedFacts): FoundFact[] {
  return rows.map((values) => foundFactOf(named(values)))
}
