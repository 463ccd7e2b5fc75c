import { createLateScorer } from '../../../core/late-interaction/late-interaction.ts'
import type { WeightedTokens } from '../../../memory/ports.ts'
import type { EngineContext } from '../engine/context.ts'

const scorer = createLateScorer()

/** Keeps the token vectors of a chunk; null: it has none any more. */
export function storeTokens({ prepare }: EngineContext, seq: number, codes: Int8Array | null): void {
  if (codes === null) prepare('DELETE FROM chunk_tokens WHERE seq = ?').run(seq)
  else prepare('INSERT OR REPLACE INTO chunk_tokens (seq, codes) VALUES (?, ?)').run(seq, codes)
}

/** Everything in one piece: a value of its own for each text would take longer than reading them. A text without tokens has no length. */
const joinedTokens = `SELECT json_group_array(length(t.codes)) AS lengths,
CAST(group_concat(t.codes, '') AS BLOB) AS codes
FROM json_each(?) j LEFT JOIN chunk_tokens t ON t.seq = j.value`

/** The best matches of the question's tokens in the chunks with these row numbers, in their order. */
export function matchesAt(
  { prepare }: EngineContext,
  seqs: readonly number[],
  question: WeightedTokens,
): Float32Array {
  const row = prepare(joinedTokens).get(JSON.stringify(seqs))
  const lengths: readonly (number | null)[] = JSON.parse(String(row?.lengths))
  const bytes = row?.codes instanceof Uint8Array ? row.codes : new Uint8Array()
  const all = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length)
  let end = 0
  const texts = lengths.map((length) => {
    if (length === null) return null
    const start = end
    end += length
    return all.subarray(start, end)
  })
  return scorer.matches(question, texts)
}
