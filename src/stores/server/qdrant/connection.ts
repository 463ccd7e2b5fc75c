import { createHash } from 'node:crypto'
import {
  QdrantClient,
  QdrantClientResourceExhaustedError,
  QdrantClientTimeoutError,
} from '@qdrant/js-client-rest'
import type { Namespace } from '../../../core/ids.ts'
import { createEngineGuard, type EngineGuard, type EngineReason } from '../guard.ts'

/** What memoryd keeps in Qdrant, each in a collection of its own. */
export type CollectionKind = 'chunk' | 'fact' | 'entity'

export interface Qdrant {
  readonly guard: EngineGuard
  collection(kind: CollectionKind): string
  call<T>(work: (client: QdrantClient) => Promise<T>, limitMs?: number): Promise<T>
  /** Creates what is missing: collections, and the payload indexes that filters need. */
  applySchema(dimensions: number): Promise<void>
  /** Removes collections whose vectors have another length: a new model's do not fit in. */
  dropOtherSizes(dimensions: number): Promise<void>
  close(): void
}

export interface QdrantOptions {
  readonly url: string
  readonly apiKey: string | null
  /** Before every collection's name, so that several installations can share an engine. */
  readonly prefix: string
}

/** A search takes milliseconds: what takes longer is away. */
const timeoutMs = 750
/** What is written is larger, and is made durable first. */
export const writeLimitMs = 2_000

const payloadIndexes = [
  { field: 'namespace', schema: { type: 'keyword', is_tenant: true } },
  { field: 'persona', schema: { type: 'keyword' } },
  { field: 'session', schema: { type: 'keyword' } },
  { field: 'thread', schema: { type: 'keyword' } },
  { field: 'source', schema: { type: 'keyword' } },
  { field: 'terms', schema: { type: 'keyword' } },
  { field: 'length', schema: { type: 'integer', lookup: true, range: false } },
  { field: 'created_at', schema: { type: 'float' } },
] as const

/** Calls are refused by the guard until Qdrant answers its readiness probe. */
export function openQdrant({ url, apiKey, prefix }: QdrantOptions): Qdrant {
  const client = new QdrantClient({
    url,
    timeout: schemaLimitMs,
    checkCompatibility: false,
    ...(apiKey === null ? {} : { apiKey }),
  })
  const guard = createEngineGuard({
    engine: 'qdrant',
    probe: async () => {
      await sent(() => client.getCollections())
    },
    classify,
    timeoutMs,
  })
  const collection = (kind: CollectionKind) => `${prefix}_${kind}`
  const call = <T>(work: (client: QdrantClient) => Promise<T>, limitMs = timeoutMs) =>
    guard.call(() => sent(() => work(client)), limitMs)

  async function createCollection(name: string, dimensions: number): Promise<void> {
    const { exists } = await call((client) => client.collectionExists(name))
    if (!exists) {
      const settings = {
        vectors: { meaning: { size: dimensions, distance: 'Dot' as const } },
        sparse_vectors: { words: {} },
      }
      await call((client) => client.createCollection(name, settings), schemaLimitMs).catch(ignoreExisting)
    }
    for (const { field, schema } of payloadIndexes) {
      const index = { field_name: field, field_schema: schema, wait: true }
      await call((client) => client.createPayloadIndex(name, index), schemaLimitMs)
    }
  }

  return {
    guard,
    collection,
    call,
    async dropOtherSizes(dimensions) {
      for (const kind of kinds) {
        const name = collection(kind)
        const { exists } = await call((client) => client.collectionExists(name))
        if (!exists) continue
        const { config } = await call((client) => client.getCollection(name))
        if (sizeOf(config.params.vectors) !== dimensions) {
          await call((client) => client.deleteCollection(name), schemaLimitMs)
        }
      }
    },
    async applySchema(dimensions) {
      for (const kind of kinds) await createCollection(collection(kind), dimensions)
    },
    close: () => guard.close(),
  }
}

const schemaLimitMs = 30_000
const kinds = ['chunk', 'fact', 'entity'] as const

function sizeOf(vectors: unknown): unknown {
  const meaning =
    typeof vectors === 'object' && vectors !== null && 'meaning' in vectors ? vectors.meaning : null
  return typeof meaning === 'object' && meaning !== null && 'size' in meaning ? meaning.size : null
}

/** Connections of a pool that may all have been closed; what fails more often than this is down. */
const mostTries = 4
const droppedCodes = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])

/**
 * Qdrant closes connections that were idle for five seconds, and a request may meet one that is just being closed. It
 * is sent again: every request of ours may be repeated.
 */
async function sent<T>(request: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await request()
    } catch (error) {
      if (tries === mostTries || !isDropped(error)) throw error
    }
  }
}

function isDropped(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : null
  return cause instanceof Error && 'code' in cause && droppedCodes.has(String(cause.code))
}

/** Two processes may start at once: the second finds the collection made. */
function ignoreExisting(error: unknown): void {
  if (!(error instanceof Error && /already exists/.test(JSON.stringify(error)))) throw error
}

function classify(error: unknown): EngineReason | null {
  if (error instanceof QdrantClientTimeoutError) return 'timeout'
  if (error instanceof QdrantClientResourceExhaustedError) return 'overloaded'
  const status =
    typeof error === 'object' && error !== null && 'status' in error ? Number(error.status) : Number.NaN
  if (status === 401 || status === 403) return 'credentials rejected'
  if (status >= 500) return 'failing'
  if (status >= 400) return null
  return 'unreachable'
}

/** Qdrant takes only numbers and UUIDs: the same memory always gets the same point, so a repeated write changes nothing. */
export function pointId(namespace: Namespace, id: string): string {
  const hex = createHash('sha256').update(`${namespace}\u0000${id}`).digest('hex')
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ]
  return parts.join('-')
}
