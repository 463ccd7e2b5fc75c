import { asNamespace } from '../../../core/ids.ts'
import type { EmbeddingIdentity, NewVector, StoredText } from '../../../memory/ports.ts'
import type { EngineContext } from '../engine/context.ts'
import { roundVector } from '../vector-scan/rounded.ts'
import { storeTokens } from './tokens.ts'
import { trimChanges } from './trim-changes.ts'

interface TextsPage {
  readonly texts: readonly StoredText[]
  readonly cursor: string | null
}

const selectIdentity = 'SELECT model, weights, scale, dimensions FROM embedding_identity'

function identity({ prepare }: EngineContext): EmbeddingIdentity | null {
  const row = prepare(selectIdentity).get()
  if (row === undefined) return null
  return {
    model: String(row.model),
    weights: String(row.weights),
    scale: String(row.scale),
    dimensions: Number(row.dimensions),
  }
}

const sameIdentity = (a: EmbeddingIdentity, b: EmbeddingIdentity) =>
  a.model === b.model && a.weights === b.weights && a.scale === b.scale && a.dimensions === b.dimensions

export const vectorReads = {
  'vectors.identity': identity,
  'vectors.count': ({ prepare }: EngineContext): number =>
    Number(prepare('SELECT count(*) AS count FROM memory_text').get()?.count),
  'vectors.texts': (
    { prepare }: EngineContext,
    { after, limit }: { readonly after: string | null; readonly limit: number },
  ): TextsPage => {
    const rows = prepare(textsPage).all(Number(after ?? 0), limit)
    const texts = rows.map(
      (row): StoredText => ({
        kind: row.kind as StoredText['kind'],
        namespace: asNamespace(String(row.namespace)),
        id: String(row.id),
        text: String(row.text),
      }),
    )
    return { texts, cursor: rows.length === 0 ? null : String(rows.at(-1)?.seq) }
  },
}

/** Of a text that is one chunk, facts have its vector. The aggregate is null where the item has more, or none. */
const onlyChunk = `(SELECT max(k.text) FROM chunk own
JOIN chunk k ON k.namespace = own.namespace AND k.item_id = own.item_id
WHERE own.namespace = r.namespace AND own.id = r.chunk_id HAVING count(*) = 1)`

/** In the order of writing. Each text stands where its kind keeps it. */
const textsPage = `SELECT t.seq, t.kind, t.namespace, t.id,
coalesce(c.text, e.name, ${onlyChunk}, nullif(r.evidence, ''), r.fact) AS text FROM memory_text t
LEFT JOIN chunk c ON t.kind = 'chunk' AND c.seq = t.seq
LEFT JOIN relationship r ON t.kind = 'fact' AND r.seq = t.seq
LEFT JOIN entity e ON t.kind = 'entity' AND e.seq = t.seq
WHERE t.seq > ? ORDER BY t.seq LIMIT ?`

export const vectorWrites = {
  'vectors.setIdentity': (context: EngineContext, made: EmbeddingIdentity): void => {
    const before = identity(context)
    // A session's vectors cannot be made again from its texts; it is short-lived and starts anew.
    if (before !== null && !sameIdentity(before, made)) context.prepare('DELETE FROM session').run()
    context
      .prepare(`INSERT OR REPLACE INTO embedding_identity (single, model, weights, scale, dimensions)
VALUES (1, :model, :weights, :scale, :dimensions)`)
      .run({ model: made.model, weights: made.weights, scale: made.scale, dimensions: made.dimensions })
  },
  'vectors.replace': (context: EngineContext, vectors: readonly NewVector[]): void => {
    const round =
      'UPDATE memory_text SET rounded = ? WHERE namespace = ? AND kind = ? AND id = ? RETURNING seq'
    const replace = 'UPDATE memory_vector SET vector = ? WHERE seq = ?'
    for (const { text, vector, tokens } of vectors) {
      const row = context.prepare(round).get(roundVector(vector), text.namespace, text.kind, text.id)
      if (row === undefined) continue
      context.prepare(replace).run(vector, Number(row.seq))
      if (text.kind === 'chunk') storeTokens(context, Number(row.seq), tokens?.codes ?? null)
    }
    trimChanges(context)
  },
}
