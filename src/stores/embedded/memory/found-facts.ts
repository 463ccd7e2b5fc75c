import type { SQLOutputValue } from 'node:sqlite'
import type { Namespace } from '../../../core/ids.ts'
import type { FoundFact } from '../../../memory/ports.ts'
import type { EngineContext } from '../engine/context.ts'
import { foundFactOf, type Row } from './rows.ts'

/**
 * Facts on their way between threads: their vectors stay where the question is compared with them, and plain values in
 * rows cost a third of what objects do.
 */
export interface PackedFacts {
  /** The facts' columns in the order of `factsBySeq`. */
  readonly rows: readonly (readonly SQLOutputValue[])[]
}

const factsBySeq = `SELECT r.seq, r.id, r.item_id, r.chunk_id, r.persona, r.session_id, r.source, r.subject_id, r.relation,
r.object_id, r.slot, r.negated, r.fact, r.evidence, r.extraction, r.when_text, r.metadata, r.base, r.created_at,
r.last_access_at, r.access_count, r.closed_at, r.closed_by, r.closer, r.pinned, s.name, o.name
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
  return rows.map((values) => foundFactOf(factRow(values)))
}

/** The values of `factsBySeq` with their names. */
function factRow(v: readonly SQLOutputValue[]): Row {
  return {
    seq: v[0] ?? null,
    id: v[1] ?? null,
    item_id: v[2] ?? null,
    chunk_id: v[3] ?? null,
    persona: v[4] ?? null,
    session_id: v[5] ?? null,
    source: v[6] ?? null,
    subject_id: v[7] ?? null,
    relation: v[8] ?? null,
    object_id: v[9] ?? null,
    slot: v[10] ?? null,
    negated: v[11] ?? null,
    fact: v[12] ?? null,
    evidence: v[13] ?? null,
    extraction: v[14] ?? null,
    when_text: v[15] ?? null,
    metadata: v[16] ?? null,
    base: v[17] ?? null,
    created_at: v[18] ?? null,
    last_access_at: v[19] ?? null,
    access_count: v[20] ?? null,
    closed_at: v[21] ?? null,
    closed_by: v[22] ?? null,
    closer: v[23] ?? null,
    pinned: v[24] ?? null,
    subject_name: v[25] ?? null,
    object_name: v[26] ?? null,
  }
}
