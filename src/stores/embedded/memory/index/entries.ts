import type { Seconds } from '../../../../core/clock.ts'
import type { EngineContext } from '../../engine/context.ts'
import { type Rounded, readRounded } from '../../vector-scan/rounded.ts'

export type TextKind = 'chunk' | 'fact' | 'entity'

/** One searchable text, as the database keeps it. */
export interface IndexEntry {
  /** Grows with every new text of the store; never used twice. */
  readonly seq: number
  readonly id: string
  readonly persona: string
  /** Texts of one persona and thread follow each other; null when it has no neighbours. */
  readonly thread: string | null
  /** Of the first piece of the text in its session: its own where there is one piece, and where the pieces are neighbours. */
  readonly firstSeq: number
  /** Analysed terms, separated by spaces. */
  readonly terms: string
  readonly rounded: Rounded
}

/** Texts that are read at a time, a few milliseconds: what waits for the thread waits no longer, and their vectors fit into a buffer that the C library keeps. */
export const blockTexts = 250

/** Which texts, in the order of writing. */
export interface Texts {
  readonly sql: string
  readonly parameters: Readonly<Record<string, string | number>>
}

/** What can be found now. */
export const textsOf = (namespace: string, kind: TextKind): Texts => ({
  sql: `SELECT seq, id, persona, thread, first_seq, terms, rounded FROM memory_text
WHERE namespace = :namespace AND kind = :kind AND live = 1 AND seq > :after ORDER BY seq LIMIT ${blockTexts}`,
  parameters: { namespace, kind },
})

/** The facts that were open at a time. From the relationships, whose rows have an order within the namespace. */
export const factsOpenAt = (namespace: string, asOf: Seconds): Texts => ({
  sql: `SELECT t.seq, t.id, t.persona, t.thread, t.first_seq, t.terms, t.rounded FROM relationship r
CROSS JOIN memory_text t ON t.seq = r.seq AND t.namespace = r.namespace
WHERE r.namespace = :namespace AND r.seq > :after AND r.created_at <= :asOf
AND (r.closed_at IS NULL OR r.closed_at > :asOf) ORDER BY r.seq LIMIT ${blockTexts}`,
  parameters: { namespace, asOf },
})

/** A column in one piece: a value of its own for every text would take twice as long as reading them. */
const joined = `SELECT json_group_array(seq) AS seqs, json_group_array(id) AS ids,
json_group_array(persona) AS personas, json_group_array(thread) AS threads,
json_group_array(first_seq) AS first_seqs, json_group_array(terms) AS terms,
CAST(group_concat(rounded, '') AS BLOB) AS rounded, min(length(rounded)) AS shortest, max(length(rounded)) AS longest`

/** The next texts after a row number, at most `blockTexts`. */
export function readBlock(
  { prepare }: EngineContext,
  { sql, parameters }: Texts,
  after: number,
): IndexEntry[] {
  const row = prepare(`${joined} FROM (${sql})`).get({ ...parameters, after })
  const { rounded, shortest, longest } = row ?? {}
  if (!(rounded instanceof Uint8Array)) return []
  if (shortest !== longest) {
    throw new Error(`The store holds rounded vectors of ${shortest} and of ${longest} bytes.`)
  }
  const column = (name: string) => JSON.parse(String(row?.[name]))
  const [seqs, ids, personas]: [number[], string[], string[]] = [
    column('seqs'),
    column('ids'),
    column('personas'),
  ]
  const [threads, firstSeqs, terms]: [(string | null)[], (number | null)[], string[]] = [
    column('threads'),
    column('first_seqs'),
    column('terms'),
  ]
  const bytes = Number(longest)
  return seqs.map((seq, at) => ({
    seq,
    id: ids[at] ?? '',
    persona: personas[at] ?? '',
    thread: threads[at] ?? null,
    firstSeq: firstSeqs[at] ?? seq,
    terms: terms[at] ?? '',
    rounded: readRounded(rounded.subarray(at * bytes, (at + 1) * bytes)),
  }))
}

/** A stored vector: 32-bit floats in the machine's order, which is little-endian on every platform we run on. */
export function vectorOf(blob: unknown): Float32Array {
  if (!(blob instanceof Uint8Array)) throw new Error('The store holds a vector that is none.')
  if (blob.byteOffset % 4 === 0) return new Float32Array(blob.buffer, blob.byteOffset, blob.byteLength / 4)
  return new Float32Array(blob.slice().buffer)
}
