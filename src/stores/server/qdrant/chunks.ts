import { asChunkId, asItemId } from '../../../core/ids.ts'
import type { Source } from '../../../memory/model.ts'
import type { Replacement, StoredChunk } from '../../../memory/ports.ts'
import type { FoundPoint, PointDraft } from './points.ts'

/** A chunk and its place in the order of ingestion. */
export interface PlacedChunk extends StoredChunk {
  readonly order: number
  /** Chunks with the same thread and persona are neighbours: a session, or the pieces of one long text. */
  readonly thread: string | null
  /** The rows of its token vectors; null: it has none. */
  readonly tokens: Int8Array | null
}

/** A chunk as a point carries it, complete: retrieve can answer from Qdrant alone. */
export function chunkDraft(chunk: PlacedChunk): PointDraft {
  const payload = {
    item: chunk.itemId,
    source: chunk.source,
    speaker: chunk.speaker,
    text: chunk.text,
    start: chunk.start,
    end: chunk.end,
    metadata: chunk.metadata === null ? null : JSON.stringify(chunk.metadata),
    base: chunk.base,
    created_at: chunk.createdAt,
    last_access_at: chunk.lastAccessAt,
    access_count: chunk.accessCount,
    fact_count: chunk.factCount,
    closed_fact_count: chunk.closedFactCount,
    pinned: chunk.pinned,
    ...(chunk.toldAt === undefined ? {} : { told_at: chunk.toldAt }),
    ...(chunk.key === undefined ? {} : { key: chunk.key }),
    ...(chunk.replaced === null ? {} : { replaced: chunk.replaced }),
    order: chunk.order,
    ...(chunk.tokens === null ? {} : { tokens: Buffer.from(chunk.tokens).toString('base64') }),
    ...(chunk.thread === null ? {} : { thread: chunk.thread }),
    ...(chunk.sessionId === null ? {} : { session: chunk.sessionId }),
  }
  return { id: chunk.id, persona: chunk.persona, text: chunk.text, vector: chunk.vector, payload }
}

export function asStoredChunk({ id, payload, vector }: FoundPoint): PlacedChunk {
  const field = payload as {
    item: string
    persona: string
    session?: string
    source: Source
    speaker: string | null
    text: string
    start: number
    end: number
    metadata: string | null
    base: number
    created_at: number
    last_access_at: number
    access_count: number
    fact_count: number
    closed_fact_count: number
    /** Points of an older version have neither. */
    pinned?: boolean
    replaced?: Replacement
    told_at?: number
    key?: string
    tokens?: string
    order: number
    thread?: string
  }
  return {
    id: asChunkId(id),
    itemId: asItemId(field.item),
    persona: field.persona,
    sessionId: field.session ?? null,
    source: field.source,
    speaker: field.speaker,
    text: field.text,
    start: field.start,
    end: field.end,
    metadata: field.metadata === null ? null : JSON.parse(field.metadata),
    base: field.base,
    createdAt: field.created_at,
    lastAccessAt: field.last_access_at,
    accessCount: field.access_count,
    factCount: field.fact_count,
    closedFactCount: field.closed_fact_count,
    pinned: field.pinned ?? false,
    replaced: field.replaced ?? null,
    ...(field.told_at === undefined ? {} : { toldAt: field.told_at }),
    ...(field.key === undefined ? {} : { key: field.key }),
    order: field.order,
    thread: field.thread ?? null,
    tokens: field.tokens === undefined ? null : Int8Array.from(Buffer.from(field.tokens, 'base64')),
    vector,
  }
}

/** The chunk as the ports know it: where it stands in its thread is the stores' own business. */
export function withoutPlace({
  order: _order,
  thread: _thread,
  tokens: _tokens,
  ...chunk
}: PlacedChunk): StoredChunk {
  return chunk
}
