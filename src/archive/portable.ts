import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import type { ChunkId, Namespace } from '../core/ids.ts'
import { speakerOf } from '../core/speaker.ts'
import { pathOfKey, readExternalKey } from '../memory/keys.ts'
import type { Document, Fact, GraphStore, StoredChunk } from '../memory/ports.ts'
import type { Archive, ArchiveRecord } from './archive.ts'

/** A page of what a namespace holds, in the form that `memoryd import` takes back. */
export interface PortablePage {
  readonly records: readonly object[]
  readonly next: PortablePosition | null
}

export interface PortablePosition {
  readonly kind: 'chunk' | 'document'
  readonly after: string | null
}

export const portableStart: PortablePosition = { kind: 'chunk', after: null }

const pageSize = 200

/** Texts in the order in which they were stored, whole, then documents. Facts and vectors are read from them anew. */
export async function portablePage(
  { archive, graph }: { readonly archive: Archive; readonly graph: GraphStore },
  namespace: Namespace,
  { kind, after }: PortablePosition,
): Promise<PortablePage> {
  const first = await archive.page(kind, after, pageSize, namespace)
  if (kind === 'document') {
    const records = first.records.flatMap((record) =>
      record.kind === 'document' ? [documentOf(record)] : [],
    )
    const isLast = first.records.length === 0 || first.cursor === null
    return { records, next: isLast ? null : { kind, after: first.cursor } }
  }
  const { chunks, cursor } = await withWholeLastText(archive, namespace, first)
  const texts = [...Map.groupBy(chunks, ({ itemId }) => itemId).values()].filter(
    ([chunk]) => pathOfKey(chunk?.key ?? '') === null,
  )
  const facts = await graph.factsOf(
    namespace,
    texts.flat().map(({ id }) => id),
  )
  const pins = Map.groupBy(
    facts.filter(({ pinned }) => pinned),
    ({ chunkId }) => chunkId,
  )
  const isLast = first.records.length === 0 || cursor === null
  return {
    records: texts.map((text) => textOf(text, pins)),
    next: isLast ? { kind: 'document', after: null } : { kind, after: cursor },
  }
}

type Page = Awaited<ReturnType<Archive['page']>>

const chunksOf = ({ records }: Page) =>
  records.flatMap((record) => (record.kind === 'chunk' ? [record.chunk] : []))

/** The chunks of a text follow each other: the page goes on as long as its last text does. */
async function withWholeLastText(archive: Archive, namespace: Namespace, page: Page) {
  const chunks = chunksOf(page)
  let { cursor } = page
  const last = chunks.at(-1)?.itemId
  while (cursor !== null && last !== undefined) {
    const next = await archive.page('chunk', cursor, 1, namespace)
    const [chunk] = chunksOf(next)
    if (chunk === undefined || chunk.itemId !== last) break
    chunks.push(chunk)
    cursor = next.cursor
  }
  return { chunks, cursor }
}

/** White space between chunks is not kept, only how long it is: the text shows elsewhere what it has at that length. */
function joined(chunks: readonly StoredChunk[]): string {
  if (chunks.length < 2) return chunks[0]?.text ?? ''
  // Each with the character before it.
  const spaces = chunks.flatMap(({ text }) => text.match(/\S\s+(?=\S)/g) ?? [])
  return chunks.reduce((text, chunk, at) => {
    const before = chunks[at - 1]
    return `${text}${before === undefined ? '' : spaceBetween(before, chunk, spaces)}${chunk.text}`
  }, '')
}

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })
/** Of the texts on both sides: more than tells whether a sentence ends between them. */
const nearby = 400

/** What is frequent behind the same character goes first, if a text may be cut there: where a sentence ends. */
function spaceBetween(before: StoredChunk, after: StoredChunk, spaces: readonly string[]): string {
  const length = after.start - before.end
  if (length <= 0) return ''
  const alike = spaces.filter((space) => space.length === length + 1)
  const times = (end: string) => alike.filter((space) => space.endsWith(end)).length
  const [head, tail] = [before.text.slice(-nearby), after.text.slice(0, nearby)]
  const endsSentence = (space: string) =>
    (sentences.segment(`${head}${space}${tail}`).containing(head.length + length)?.index ?? 0) > head.length
  const last = head.slice(-1)
  const candidates = [...new Set(alike.map((space) => space.slice(1)))].toSorted(
    (a, b) => times(`${last}${b}`) - times(`${last}${a}`) || times(b) - times(a),
  )
  // Without an example it may be that a chunk was deleted.
  return candidates.find(endsSentence) ?? candidates[0] ?? (length === 1 ? ' ' : '\n\n')
}

function textOf(several: readonly StoredChunk[], pins: ReadonlyMap<ChunkId, readonly Fact[]>): object {
  const chunks = several.toSorted((a, b) => a.start - b.start)
  const [first] = chunks
  if (first === undefined) return {}
  const { id, createdAt, source, persona, sessionId, metadata, speaker, key, replaced } = first
  const text = joined(chunks)
  const named = key === undefined ? null : readExternalKey(key)
  const pinnedFacts = chunks.flatMap((chunk) => pins.get(chunk.id) ?? []).map(({ fact }) => fact)
  return {
    ...{ id, text, occurred_at: createdAt, source, persona },
    ...(sessionId === null ? {} : { session_id: sessionId }),
    ...(named === null ? {} : { external_id: named }),
    ...(metadata === null ? {} : { metadata }),
    // Where the text itself names the speaker, that is read anew, too.
    ...(speaker === null || speakerOf(text) === speaker ? {} : { speaker }),
    ...(chunks.some(({ pinned }) => pinned) ? { pinned: true } : {}),
    ...(pinnedFacts.length === 0 ? {} : { pinned_facts: [...new Set(pinnedFacts)] }),
    // Only a correction is as sure as that.
    ...(replaced?.probability === 1 ? { corrected_by: replaced.by } : {}),
  }
}

function documentOf({ persona, document }: Extract<ArchiveRecord, { kind: 'document' }>): object {
  const { path, content, contentType, metadata, updatedAt }: Document = document
  return {
    ...{ document: path, content, content_type: contentType, persona, occurred_at: updatedAt },
    ...(metadata === null ? {} : { metadata }),
  }
}

const algorithm = 'aes-256-gcm'
const keyFor = (namespace: Namespace) => createHash('sha256').update(`export ${namespace}`).digest()

/** A cursor that only its own account can read, and nobody can make up: a position counts the rows of all accounts. */
export function sealPosition(namespace: Namespace, position: PortablePosition): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv(algorithm, keyFor(namespace), nonce)
  const body = Buffer.concat([cipher.update(JSON.stringify(position)), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
}

/** Null: it is not a cursor of this account. */
export function openPosition(namespace: Namespace, cursor: string): PortablePosition | null {
  const bytes = Buffer.from(cursor, 'base64url')
  if (bytes.length < 28) return null
  try {
    const decipher = createDecipheriv(algorithm, keyFor(namespace), bytes.subarray(0, 12))
    decipher.setAuthTag(bytes.subarray(12, 28))
    const text = Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
    return JSON.parse(text)
  } catch {
    return null
  }
}
