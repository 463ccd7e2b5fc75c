import { asRelationshipId, type ChunkId, type Namespace, type RelationshipId } from '../../../core/ids.ts'
import type { EngineContext } from '../engine/context.ts'

interface Texts {
  readonly namespace: Namespace
  readonly chunks: readonly ChunkId[]
}

const others = `FROM mention m JOIN chunk c ON c.namespace = m.namespace AND c.id = m.chunk_id
WHERE m.namespace = :namespace AND m.relationship_id = relationship.id
AND m.chunk_id NOT IN (SELECT value FROM json_each(:chunks))`

const shared = `WHERE namespace = :namespace AND chunk_id IN (SELECT value FROM json_each(:chunks))
AND EXISTS (SELECT 1 ${others})`

const parametersOf = ({ namespace, chunks }: Texts) => ({ namespace, chunks: JSON.stringify(chunks) })

/** The facts of these texts that another text told, too. */
export const toldElsewhere = ({ prepare }: EngineContext, texts: Texts): RelationshipId[] =>
  prepare(`SELECT id FROM relationship ${shared} ORDER BY seq`)
    .all(parametersOf(texts))
    .map(({ id }) => asRelationshipId(String(id)))

/** Makes them facts of that other text, the first that told them. */
export function passOnFacts({ prepare }: EngineContext, texts: Texts): void {
  prepare(`UPDATE relationship SET evidence = fact,
(chunk_id, item_id, session_id, source, metadata, created_at) = (
  SELECT c.id, c.item_id, c.session_id, c.source, c.metadata, c.created_at ${others} ORDER BY c.created_at, c.seq LIMIT 1
) ${shared}`).run(parametersOf(texts))
}
