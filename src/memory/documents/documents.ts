import type { Namespace } from '../../core/ids.ts'
import { encodeAll } from '../embed.ts'
import type { Duplicate } from '../ingest/dedupe/find-duplicate.ts'
import { extractAll } from '../ingest/extract.ts'
import { clearUp, type IngestParts, ingestPassage } from '../ingest/ingest.ts'
import { meanVector, type ReadText } from '../ingest/read-text.ts'
import { coolDown } from '../ingest/working.ts'
import { documentKey } from '../keys.ts'
import type { IngestItem, PutDocumentReply } from '../memory.ts'
import type { Document, DocumentStore, Embedder } from '../ports.ts'
import { etagOf } from './etag.ts'
import type { DocumentList, DocumentListRequest, PutDocumentRequest } from './requests.ts'
import { proseOf, type Section, sectionsOf } from './sections.ts'

/** Stores a document and its memories in one write. The same content, type and metadata again change nothing. */
export async function putDocument(
  parts: IngestParts,
  namespace: Namespace,
  request: PutDocumentRequest,
  signal?: AbortSignal,
): Promise<PutDocumentReply> {
  const { persona, path, text, occurredAt = null } = request
  const { documents } = parts.stores
  const before = await documents.get(namespace, persona, path)
  const document = drafted(request, before, parts.clock.now())
  const item: IngestItem = {
    ...{ text, persona, source: 'document', sessionId: null, useLlmExtraction: false, occurredAt },
    metadata: { document: path, ...request.metadata },
  }
  const unchanged =
    before?.etag === document.etag ? await knownDocument(parts, namespace, persona, document) : null
  const passage = {
    ...{ item, document, names: new Map(), duplicate: async () => unchanged },
    read: await readSections(parts.embedder, unchanged === null ? sectionsOf(text) : [], signal),
    extraction: async () => {
      const told = { ...item, text: proseOf(text) }
      const [extraction] = await extractAll(parts, [told], parts.clock.now(), [], signal)
      if (extraction === undefined) throw new Error('the extractor gave nothing for a document')
      return extraction
    },
  }
  const { reply } = await ingestPassage(parts, namespace, passage, signal)
  const { content: _content, ...info } = reply.deduplicated && before !== null ? before : document
  return { document: info, created: before === null, indexed: reply }
}

/** The pieces of a document that is as it was; null when some are gone. */
async function knownDocument(
  { stores: { episodic } }: IngestParts,
  namespace: Namespace,
  persona: string,
  { path, etag }: Document,
): Promise<Duplicate | null> {
  const known = await episodic.keyed(namespace, persona, documentKey(path))
  if (known?.textHash !== etag) return null
  const chunks = await episodic.get(namespace, known.chunks)
  return { chunks: chunks.toSorted((a, b) => a.start - b.start), similarity: 1 }
}

function drafted(request: PutDocumentRequest, before: Document | null, now: number): Document {
  const { path, content, contentType, metadata, occurredAt } = request
  const etag = etagOf(request)
  const bytes = Buffer.byteLength(content)
  const written = Math.min(occurredAt ?? now, now)
  const times = { createdAt: before?.createdAt ?? written, updatedAt: written }
  return { path, content, contentType, metadata, bytes, etag, ...times }
}

async function readSections(
  embedder: Embedder,
  sections: readonly Section[],
  signal?: AbortSignal,
): Promise<ReadText> {
  const encodings = await encodeAll(
    embedder,
    sections.map((section) => section.text),
    signal,
  )
  const chunks = sections.map((section, at) => {
    const encoding = encodings[at]
    if (encoding === undefined) throw new Error('a section was not embedded')
    return { ...section, ...encoding }
  })
  const zero = new Float32Array(embedder.identity.dimensions)
  return {
    speaker: null,
    chunks,
    topic: meanVector(
      chunks.map(({ vector }) => vector),
      zero,
    ),
  }
}

/** Removes a document and its memories in one write. Null when there is none. */
export async function deleteDocument(
  parts: IngestParts,
  namespace: Namespace,
  persona: string,
  path: string,
): Promise<number | null> {
  const { documents, journal, working } = parts.stores
  if ((await documents.get(namespace, persona, path)) === null) return null
  const removed = await journal.removeKeyed(namespace, persona, documentKey(path))
  await clearUp(parts, namespace)
  await coolDown(working, namespace, removed)
  return removed.length
}

export async function listDocuments(
  documents: DocumentStore,
  namespace: Namespace,
  { persona, prefix, limit, after }: DocumentListRequest,
): Promise<DocumentList> {
  const found = await documents.list(namespace, persona, { prefix, after, limit: limit + 1 })
  const shown = found.slice(0, limit)
  return { documents: shown, nextAfter: found.length > limit ? (shown.at(-1)?.path ?? null) : null }
}
