import { asChunkId, type ChunkId, type Namespace } from '../../../core/ids.ts'
import { pathOfKey } from '../../../memory/keys.ts'
import type { Document, DocumentInfo, DocumentStore, KeyedItem } from '../../../memory/ports.ts'
import type { Neo4j, Row, RunQuery } from './connection.ts'
import { graphQueries } from './graph-queries.ts'
import { passOnFacts } from './pass-on.ts'
import type { Marked } from './pending.ts'
import { metadata, metadataText, properties } from './rows.ts'
import { selectionParameters } from './selections.ts'
import { undoClosings } from './undo-closings.ts'
import { number, text, textOrNull } from './values.ts'

/** Facts outlive their chunk; what they say about where they were read must not name it as mentioned any more. */
export const removeChunks = `
  WITH collect(c) AS gone
  UNWIND gone AS c
  WITH c, c.id AS id, c.uid AS uid, c.item_uid AS itemUid
  DETACH DELETE c
  WITH id, uid, itemUid
  OPTIONAL MATCH (piece:Chunk {item_uid: itemUid}) SET piece.hash_key = null
  WITH DISTINCT id, uid
  OPTIONAL MATCH (l:Link {namespace: $namespace, older: id}) DELETE l
  WITH DISTINCT id, uid
  OPTIONAL MATCH ()-[f:FACT {chunk_id: id, namespace: $namespace}]->() WHERE uid IN f.mentions
  SET f.mentions = [mention IN f.mentions WHERE mention <> uid]
  RETURN DISTINCT id`

interface Keyed {
  readonly namespace: Namespace
  readonly persona: string
  readonly key: string
}

const keyUid = ({ namespace, persona, key }: Keyed) => JSON.stringify([namespace, persona, key])

/** What a chunk says of its item's key; both null without one. */
export const keyProperties = ({
  key,
  ...owner
}: Omit<Keyed, 'key'> & { readonly key: string | undefined }) =>
  key === undefined ? { key: null, key_uid: null } : { key, key_uid: keyUid({ ...owner, key }) }

const queries = {
  chunks: `
    MATCH (c:Chunk {key_uid: $keyUid}) WHERE c.namespace = $namespace
    OPTIONAL MATCH (p:Pending {uid: c.item_uid})
    RETURN c.id AS id, c.hash_key AS hash, p.uid AS marker ORDER BY c.start_at, c.order`,
  removeChunks: `UNWIND $ids AS id MATCH (c:Chunk {namespace: $namespace, id: id}) ${removeChunks}`,
  facts: 'MATCH ()-[f:FACT {namespace: $namespace}]->() WHERE f.chunk_id IN $ids RETURN f.id AS id',
  // Items of one namespace are settled one after the other: the same lock as that of a journalled write.
  lock: 'MERGE (n:Namespace {id: $namespace}) SET n.sequence = coalesce(n.sequence, 0.0)',
  put: 'MERGE (d:Document {uid: $uid}) SET d = $document',
  remove: 'MATCH (d:Document {uid: $uid}) DELETE d',
  one: 'MATCH (d:Document {uid: $uid}) RETURN d {.*} AS document',
  list: `
    MATCH (d:Document {namespace: $namespace, persona: $persona})
    WHERE d.path STARTS WITH $prefix AND d.path > $after
    RETURN d {.*, content: null} AS document ORDER BY d.path LIMIT toInteger($limit)`,
  forget: `
    MATCH (d:Document {namespace: $namespace}) WHERE $persona IS NULL OR d.persona = $persona
    DELETE d RETURN count(*) AS count`,
} as const

/** The item of a key; null: there is none. `marker`: its points may still be on their way. */
export async function keyedChunks(
  run: RunQuery,
  keyed: Keyed,
): Promise<(KeyedItem & { readonly marker: string | null }) | null> {
  const rows = await run(queries.chunks, { keyUid: keyUid(keyed), namespace: keyed.namespace })
  const [first] = rows
  if (first === undefined) return null
  const hash = textOrNull(first, 'hash')
  return {
    chunks: rows.map((row): ChunkId => asChunkId(text(row, 'id'))),
    textHash: hash === null ? null : String(JSON.parse(hash)[2]),
    marker: textOrNull(first, 'marker'),
  }
}

/** Nobody else writes an item of the namespace until the transaction ends. */
export async function lockNamespace(run: RunQuery, namespace: Namespace): Promise<void> {
  await run(queries.lock, { namespace })
}

/** Takes an item away as if it had never been told, within a transaction. Gives what went and what has to follow. */
export async function removeKeyedInGraph(
  run: RunQuery,
  keyed: Keyed,
): Promise<{ readonly gone: readonly string[]; readonly marked: Marked }> {
  const { namespace, persona, key } = keyed
  const path = pathOfKey(key)
  if (path !== null) await run(queries.remove, { uid: documentUid(namespace, persona, path) })
  const chunks = (await keyedChunks(run, keyed))?.chunks ?? []
  if (chunks.length === 0) return { gone: [], marked: { chunks: [], facts: [], entities: [] } }
  const passedOn = await passOnFacts(run, namespace, chunks)
  const facts = (await run(queries.facts, { namespace, ids: [...chunks] })).map((row) => text(row, 'id'))
  const gone = [...chunks, ...facts]
  const touched = await undoClosings(run, namespace, gone)
  const selection = { ids: facts, persona: null, sessionId: null }
  const counted = await run(graphQueries.remove, await selectionParameters(run, 'f', namespace, selection))
  await run(queries.removeChunks, { namespace, ids: [...chunks] })
  const recounted = counted.flatMap((row) => (row.chunk === null ? [] : [text(row, 'chunk')]))
  return {
    gone,
    marked: {
      chunks: [...new Set([...chunks, ...touched.chunks, ...recounted])],
      facts: [...new Set([...facts, ...passedOn, ...touched.facts])],
      entities: [],
    },
  }
}

const documentUid = (namespace: Namespace, persona: string, path: string) =>
  JSON.stringify([namespace, persona, path])

export async function putDocument(
  run: RunQuery,
  namespace: Namespace,
  persona: string,
  document: Document,
): Promise<void> {
  const { path, content, contentType, bytes, etag, createdAt, updatedAt } = document
  const name = documentUid(namespace, persona, path)
  await run(queries.put, {
    uid: name,
    document: {
      ...{ uid: name, namespace, persona, path, content, content_type: contentType, bytes, etag },
      ...{ metadata: metadataText(document.metadata), created_at: createdAt, updated_at: updatedAt },
    },
  })
}

const infoOf = (row: Row): DocumentInfo => ({
  path: text(row, 'path'),
  contentType: text(row, 'content_type'),
  metadata: metadata(row),
  bytes: number(row, 'bytes'),
  etag: text(row, 'etag'),
  createdAt: number(row, 'created_at'),
  updatedAt: number(row, 'updated_at'),
})

export const documentOf = (row: Row): Document => ({ ...infoOf(row), content: text(row, 'content') })

export function createNeo4jDocumentStore(neo4j: Neo4j): DocumentStore {
  return {
    async get(namespace, persona, path) {
      const [row] = await neo4j.read(queries.one, { uid: documentUid(namespace, persona, path) })
      return row === undefined ? null : documentOf(properties(row, 'document'))
    },
    async list(namespace, persona, { prefix, after, limit }) {
      const parameters = { namespace, persona, prefix, after: after ?? '', limit }
      return (await neo4j.read(queries.list, parameters)).map((row) => infoOf(properties(row, 'document')))
    },
    async forget(namespace, persona) {
      const [row] = await neo4j.write(queries.forget, { namespace, persona })
      return row === undefined ? 0 : number(row, 'count')
    },
  }
}
