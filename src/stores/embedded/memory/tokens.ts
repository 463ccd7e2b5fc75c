import { createLateScorer, type LateInteraction } from '../../../core/late-interaction/late-interaction.ts'
import type { WeightedTokens } from '../../../memory/ports.ts'
import type { EngineContext } from '../engine/context.ts'

const scorer = createLateScorer()

/** Keeps the token vectors of a chunk; null: it has none any more. */
export function storeTokens({ prepare }: EngineContext, seq: number, codes: Int8Array | null): void {
  if (codes === null) prepare('DELETE FROM chunk_tokens WHERE seq = ?').run(seq)
  else prepare('INSERT OR REPLACE INTO chunk_tokens (seq, codes) VALUES (?, ?)').run(seq, codes)
}

const selectTokens = `SELECT t.seq, t.codes FROM json_each(?) j CROSS JOIN chunk_tokens t ON t.seq = j.value`

/** How the chunks with these row numbers meet the question, in their order. */
export function lateAt(
  { prepare }: EngineContext,
  seqs: readonly number[],
  question: WeightedTokens,
): readonly (LateInteraction | null)[] {
  const codes = new Map<number, Int8Array>()
  for (const row of prepare(selectTokens).all(JSON.stringify(seqs))) {
    const bytes = row.codes as Uint8Array
    codes.set(Number(row.seq), new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length))
  }
  return scorer.score(
    question,
    seqs.map((seq) => codes.get(seq) ?? null),
  )
}
