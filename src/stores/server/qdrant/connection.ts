import { createHash } from 'node:crypto'
import {
  QdrantClient,
  QdrantClientResourceExhaustedError,
  QdrantClientTimeoutError,
} from '@qdrant/js-client-rest'
import { ServiceError } from '../../../core/errors.ts'
import type { Namespace } from '../../../core/ids.ts'
import { createEngineGuard, type EngineGuard, type EngineReason } from '../engine/guard.ts'

/** What memoryd keeps in Qdrant, each in a collection of its own. */
export type CollectionKind = 'chunk' | 'fact' | 'entity'

/**
 * Qdrant as memoryd uses it. The collections that are searched are aliases, which are made all at once when a build is
 * complete: nobody ever searches half of a copy. Their names carry the name of the index, which Neo4j keeps: another
 * installation's collections are not mistaken for ours.
 */
export interface Qdrant {
  readonly guard: EngineGuard
  call<T>(work: (client: QdrantClient) => Promise<T>, limitMs?: number): Promise<T>
  /** Names the index. Until then, and while it is not whole, `collection` refuses. */
  setIndex(name: string): void
  /** Whether every collection was there when Qdrant was last asked. */
  isWhole(): boolean
  collection(kind: CollectionKind): string
  /** Makes empty collections for a build, in place of all that the index has; says how a kind's is called. */
  startBuild(builder: string, dimensions: number): Promise<(kind: CollectionKind) => string>
  /** Puts a complete build in its place. */
  finishBuild(builder: string): Promise<void>
  /** The length of the vectors in the index. */
  dimensions(): Promise<number>
  close(): void
}

export interface QdrantOptions {
  readonly url: string
  readonly apiKey: string | null
  /** Before every collection's name, so that several installations can share an engine. */
  readonly prefix: string
}

/** A call takes milliseconds. What is left of a request's time afterwards is enough to answer without Qdrant. */
const timeoutMs = 2_000
/** What takes longer stands in a queue inside Qdrant. On a starved processor an idle one takes half of it. */
const slowMs = 500

/** The fields that searches filter by and count. */
const payloadIndexes = [
  { field: 'namespace', schema: { type: 'keyword', is_tenant: true } },
  { field: 'persona', schema: { type: 'keyword' } },
  { field: 'terms', schema: { type: 'keyword' } },
  { field: 'created_at', schema: { type: 'float' } },
  { field: 'length', schema: { type: 'integer', lookup: true, range: false } },
] as const

export const collectionKinds: readonly CollectionKind[] = ['entity', 'fact', 'chunk']

const schemaLimitMs = 30_000

/** Calls are refused by the guard until Qdrant answers its probe. */
export function openQdrant({ url, apiKey, prefix }: QdrantOptions): Qdrant {
  const client = new QdrantClient({
    url,
    timeout: schemaLimitMs,
    checkCompatibility: false,
    ...(apiKey === null ? {} : { apiKey }),
  })
  let index: string | null = null
  let isWhole = false
  const names = (kind: CollectionKind) => `${prefix}_${index}_${kind}`
  const buildNames = (builder: string) => (kind: CollectionKind) => `${names(kind)}_${builder}`

  const guard = createEngineGuard({
    engine: 'qdrant',
    probe: async () => {
      const { aliases } = await sent(() => client.getAliases())
      const found = new Set(aliases.map(({ alias_name }) => alias_name))
      isWhole = index !== null && collectionKinds.every((kind) => found.has(names(kind)))
    },
    classify: (error) => {
      const reason = classify(error)
      if (reason === 'rebuilding') isWhole = false
      return reason
    },
    timeoutMs,
    slowMs,
  })
  const call = <T>(work: (client: QdrantClient) => Promise<T>, limitMs = timeoutMs) =>
    guard.call(() => sent(() => work(client)), limitMs)

  async function createCollection(name: string, dimensions: number): Promise<void> {
    const settings = {
      vectors: { meaning: { size: dimensions, distance: 'Dot' as const } },
      sparse_vectors: { words: {} },
    }
    await call((client) => client.createCollection(name, settings), schemaLimitMs)
    for (const { field, schema } of payloadIndexes) {
      const index = { field_name: field, field_schema: schema, wait: true }
      await call((client) => client.createPayloadIndex(name, index), schemaLimitMs)
    }
  }

  return {
    guard,
    call,
    setIndex(name) {
      if (name !== index) isWhole = false
      index = name
    },
    isWhole: () => isWhole,
    collection(kind) {
      if (isWhole) return names(kind)
      throw new ServiceError('store_unavailable', {
        detail: 'The store qdrant is not available (rebuilding); retry later.',
      })
    },
    async startBuild(builder, dimensions) {
      isWhole = false
      const { collections } = await call((client) => client.getCollections())
      const own = collectionKinds.map((kind) => `${names(kind)}_`)
      for (const { name } of collections.filter(({ name }) => own.some((start) => name.startsWith(start))))
        await call((client) => client.deleteCollection(name), schemaLimitMs)
      for (const kind of collectionKinds) await createCollection(buildNames(builder)(kind), dimensions)
      return buildNames(builder)
    },
    async finishBuild(builder) {
      const actions = collectionKinds.map((kind) => ({
        create_alias: { alias_name: names(kind), collection_name: buildNames(builder)(kind) },
      }))
      await call((client) => client.updateCollectionAliases({ actions }), schemaLimitMs)
      await guard.check()
    },
    async dimensions() {
      const { config } = await call((client) => client.getCollection(names('chunk')))
      return sizeOf(config.params.vectors)
    },
    close: () => guard.close(),
  }
}

function sizeOf(vectors: unknown): number {
  const meaning =
    typeof vectors === 'object' && vectors !== null && 'meaning' in vectors ? vectors.meaning : null
  if (typeof meaning === 'object' && meaning !== null && 'size' in meaning) return Number(meaning.size)
  throw new TypeError('Qdrant did not say how long the vectors are.')
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

function classify(error: unknown): EngineReason | null {
  if (error instanceof QdrantClientTimeoutError) return 'timeout'
  if (error instanceof QdrantClientResourceExhaustedError) return 'overloaded'
  const status =
    typeof error === 'object' && error !== null && 'status' in error ? Number(error.status) : Number.NaN
  if (status === 401 || status === 403) return 'credentials rejected'
  if (status >= 500) return 'failing'
  // A collection that was there is gone.
  if (status === 404) return 'rebuilding'
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
