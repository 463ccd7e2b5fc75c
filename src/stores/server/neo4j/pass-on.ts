import { asRelationshipId, type ChunkId, type Namespace, type RelationshipId } from '../../../core/ids.ts'
import type { RunQuery } from './connection.ts'
import { uid } from './rows.ts'
import { text } from './values.ts'

const shared = `
  MATCH ()-[f:FACT {namespace: $namespace}]->() WHERE f.chunk_id IN $ids
  WITH f, [mention IN f.mentions WHERE NOT mention IN $uids] AS others WHERE size(others) > 0
  MATCH (c:Chunk) WHERE c.uid IN others`

const queries = {
  toldElsewhere: `${shared} WITH DISTINCT f ORDER BY f.created_at, f.order, f.id RETURN f.id AS id`,
  passOn: `${shared}
    WITH f, others, c ORDER BY c.created_at, c.order
    WITH f, others, collect(c)[0] AS c
    SET f.chunk_id = c.id, f.item_id = c.item_id, f.session_id = c.session_id, f.source = c.source,
      f.metadata = c.metadata, f.created_at = c.created_at, f.evidence = f.fact, f.mentions = others
    RETURN f.id AS id`,
} as const

const idsBy =
  (query: string) =>
  async (run: RunQuery, namespace: Namespace, chunks: readonly ChunkId[]): Promise<RelationshipId[]> => {
    const uids = chunks.map((id) => uid(namespace, id))
    const rows = await run(query, { namespace, ids: [...chunks], uids })
    return rows.map((row) => asRelationshipId(text(row, 'id')))
  }

/** The facts of these texts that another text told, too. */
export const toldElsewhere = idsBy(queries.toldElsewhere)

/** Makes them facts of that other text, the first that told them, and gives them. */
export const passOnFacts = idsBy(queries.passOn)
