import { asChunkId, type Namespace } from '../../../core/ids.ts'
import { pathOfKey } from '../../../memory/keys.ts'
import type { Document, DocumentInfo, DocumentPage, KeyedItem } from '../../../memory/ports.ts'
import type { EngineContext } from '../engine/context.ts'
import { passOnFacts } from './pass-on.ts'
import { metadataOf, metadataText, type Row, textOrNull } from './rows.ts'
import { trimChanges } from './trim-changes.ts'
import { undoClosings } from './undo-closings.ts'

interface Keyed {
  readonly namespace: Namespace
  readonly persona: string
  readonly key: string
}

interface Shelf {
  readonly namespace: Namespace
  readonly persona: string
}

export function keyedItem({ prepare }: EngineContext, { namespace, persona, key }: Keyed): KeyedItem | null {
  const rows = prepare(chunksOfKey).all({ namespace, persona, key })
  const [first] = rows
  if (first === undefined) return null
  return { chunks: rows.map(({ id }) => asChunkId(String(id))), textHash: textOrNull(first.text_hash) }
}

const ofKey = 'WHERE namespace = :namespace AND persona = :persona AND item_key = :key'
const chunksOfKey = `SELECT id, text_hash FROM chunk ${ofKey} ORDER BY start_at, seq`

/** Takes an item away as if it had never been told: what it closed is settled without it. Gives what went. */
export function removeKeyed(context: EngineContext, keyed: Keyed): string[] {
  const { prepare } = context
  const { namespace, persona, key } = keyed
  const path = pathOfKey(key)
  if (path !== null)
    prepare('DELETE FROM document WHERE namespace = ? AND persona = ? AND path = ?').run(
      ...[namespace, persona, path],
    )
  const chunks = keyedItem(context, keyed)?.chunks ?? []
  if (chunks.length === 0) return []
  const texts = { namespace, chunks: JSON.stringify(chunks) }
  passOnFacts(context, { namespace, chunks })
  const facts = prepare(`SELECT id ${factsOfChunks}`).all(texts)
  const gone = [...chunks, ...facts.map(({ id }) => String(id))]
  undoClosings(context, namespace, gone)
  prepare(`DELETE ${factsOfChunks}`).run(texts)
  prepare(`DELETE FROM chunk ${ofKey}`).run({ namespace, persona, key })
  trimChanges(context)
  return gone
}

const factsOfChunks = `FROM relationship WHERE namespace = :namespace
AND chunk_id IN (SELECT value FROM json_each(:chunks))`

export function putDocument(
  { prepare }: EngineContext,
  namespace: Namespace,
  persona: string,
  { metadata, ...document }: Document,
): void {
  prepare(`INSERT OR REPLACE INTO document
(namespace, persona, path, content, content_type, metadata, bytes, etag, created_at, updated_at)
VALUES (:namespace, :persona, :path, :content, :contentType, :metadata, :bytes, :etag, :createdAt, :updatedAt)`).run(
    { ...document, namespace, persona, metadata: metadataText(metadata) },
  )
}

const documentInfo = (row: Row): DocumentInfo => ({
  path: String(row.path),
  contentType: String(row.content_type),
  metadata: metadataOf(row.metadata),
  bytes: Number(row.bytes),
  etag: String(row.etag),
  createdAt: Number(row.created_at),
  updatedAt: Number(row.updated_at),
})

export const documentOf = (row: Row): Document => ({ ...documentInfo(row), content: String(row.content) })

export const keyedWrites = {
  'journal.removeKeyed': removeKeyed,
  'documents.forget': (
    { prepare }: EngineContext,
    { namespace, persona }: { readonly namespace: Namespace; readonly persona: string | null },
  ): number =>
    Number(
      prepare(
        'DELETE FROM document WHERE namespace = :namespace AND (:persona IS NULL OR persona = :persona)',
      ).run({ namespace, persona }).changes,
    ),
}

export const keyedReads = {
  'episodic.keyed': keyedItem,
  'documents.get': (
    { prepare }: EngineContext,
    { namespace, persona, path }: Shelf & { readonly path: string },
  ): Document | null => {
    const row = prepare('SELECT * FROM document WHERE namespace = ? AND persona = ? AND path = ?').get(
      ...[namespace, persona, path],
    )
    return row === undefined ? null : documentOf(row)
  },
  'documents.list': (
    { prepare }: EngineContext,
    { namespace, persona, page }: Shelf & { readonly page: DocumentPage },
  ): DocumentInfo[] => {
    const { prefix, after, limit } = page
    return prepare(`SELECT path, content_type, metadata, bytes, etag, created_at, updated_at FROM document
WHERE namespace = :namespace AND persona = :persona AND path >= :prefix AND path > :after
AND substr(path, 1, length(:prefix)) = :prefix ORDER BY path LIMIT :limit`)
      .all({ namespace, persona, prefix, after: after ?? '', limit })
      .map(documentInfo)
  },
}
