import { createLateScorer } from '../../../core/late-interaction/late-interaction.ts'
import type { WeightedTokens } from '../../../memory/ports.ts'
import type { EngineContext } from '../engine/context.ts'

const scorer = createLateScorer()

/** Keeps the token vectors of a chunk; null: it has none any more. */
export function storeTokens({ prepare }: EngineContext, seq: number, codes: Int8Array | null): void {
  if (codes === null) prepare('DELETE FROM chunk_tokens WHERE seq = ?').run(seq)
  else prepare('INSERT OR REPLACE INTO chunk_tokens (seq, codes) VALUES (?, ?)').run(seq, codes)
}

/** Everything in one piece: a value of its own for each text would take longer than reading them. */
const joinedTokens = `SELECT json_group_array(t.seq) AS seqs, json_group_array(length(t.codes)) AS lengths,
CAST(group_concat(t.codes, '') AS BLOB) AS codes
FROM json_each(?) j CROSS JOIN chunk_tokens t ON t.seq = j.value`

/** The best matches of the question's tokens in the chunks with these row numbers, in their order. */
export function matchesAt(
  { prepare }: EngineContext,
  seqs: readonly number[],
  question: WeightedTokens,
): Float32Array {
  const row = prepare(joinedTokens).get(JSON.stringify(seqs))
  const known: readonly number[] = JSON.parse(String(row?.seqs))
  const lengths: readonly number[] = JSON.parse(String(row?.lengths))
  const bytes = row?.codes instanceof Uint8Array ? row.codes : new Uint8Array()
  const all = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length)
  const codes = new Map<number, Int8Array>()
  let end = 0
  for (const [at, seq] of known.entries()) {
    const start = end
    end += lengths[at] ?? 0
    codes.set(seq, all.subarray(start, end))
  }
  return scorer.matches(
    question,
    seqs.map((seq) => codes.get(seq) ?? null),
  )
}
