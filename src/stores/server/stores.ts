import type { AccountStores } from '../../accounts/ports.ts'
import type { Archive } from '../../archive/archive.ts'
import type { NewId } from '../../core/ids.ts'
import type { MemoryStores } from '../../memory/ports.ts'
import { createServerArchive } from './archive.ts'
import { createServerEpisodicStore } from './episodic.ts'
import { createFollower, type OnStep } from './follow.ts'
import { createServerGraphStore } from './graph.ts'
import type { EngineState } from './guard.ts'
import { createServerJournal } from './journal.ts'
import { createLater } from './later.ts'
import { createNeo4jAccountStore } from './neo4j/accounts.ts'
import { type Neo4j, type Neo4jOptions, openNeo4j } from './neo4j/connection.ts'
import { withFences } from './neo4j/fences.ts'
import { createNeo4jIdempotencyStore } from './neo4j/idempotency.ts'
import { createNeo4jLedger } from './neo4j/ledger.ts'
import { createNeo4jLifecycleRuns } from './neo4j/lifecycle-runs.ts'
import { applySchema } from './neo4j/schema.ts'
import { withPatience } from './patience.ts'
import { openQdrant, type QdrantOptions } from './qdrant/connection.ts'
import { createPoints } from './qdrant/points.ts'
import { openRedis } from './redis/connection.ts'
import { createRedisLeases } from './redis/leases.ts'
import { createRedisRateWindow } from './redis/rate-window.ts'
import { createRedisWorkingMemory } from './redis/working-memory.ts'
import { createServerVectorMaintenance } from './vectors.ts'
import { warmUp, warmUpAccounts } from './warm-up.ts'

export interface ServerStoresOptions {
  readonly neo4j: Neo4jOptions
  readonly qdrant: QdrantOptions
  readonly redisUrl: string
  /** Length of the embedding model's vectors. */
  readonly dimensions: number
  readonly newId: NewId
  /** How long a started request of another process is left alone before it counts as crashed. */
  readonly abandonedAfterMs?: number
  /** Told of every step of a journalled write. */
  readonly onStep?: OnStep
}

export interface ServerStores {
  readonly memory: MemoryStores
  /** Everything as a whole, to be copied. */
  readonly archive: Archive
  readonly accounts: AccountStores
  /** The state of each engine as the last probe or call found it. */
  status(): { readonly neo4j: EngineState; readonly qdrant: EngineState; readonly redis: EngineState }
  /** Finishes what crashed processes have left half done; says how many. */
  repair(): Promise<number>
  /** Runs a request: what it waits for engines in all is bounded, so that it is answered in time. */
  inTime<T>(request: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

const repairEveryMs = 2_000
const undoEveryMs = 60_000
/** What a query may take on an engine that has just started. */
const coldLimitMs = 30_000

/** The three engines behind the ports. Engines may be away at the start: calls are refused until they come. */
export function openServerStores(options: ServerStoresOptions): ServerStores {
  const { abandonedAfterMs = 60_000, onStep = async () => undefined } = options
  const neo4j = openNeo4j(options.neo4j)
  const qdrant = openQdrant(options.qdrant)
  const redis = openRedis(options.redisUrl)
  const points = {
    chunk: createPoints(qdrant, 'chunk'),
    fact: createPoints(qdrant, 'fact'),
    entity: createPoints(qdrant, 'entity'),
  }
  const follower = createFollower(neo4j, points, onStep)
  const later = createLater()
  // Longer than the longest request: what is older belongs to a process that died.
  const longestMs = 6 * abandonedAfterMs
  const accounts: AccountStores = {
    accounts: createNeo4jAccountStore(neo4j, options.newId),
    ledger: createNeo4jLedger(neo4j, later, { unsettledAfterMs: longestMs }),
    rates: createRedisRateWindow(redis),
    idempotency: createNeo4jIdempotencyStore(neo4j, later, { abandonedAfterMs: longestMs }),
  }
  const repair = () => follower.repair(abandonedAfterMs)
  const memoryOn = (graph: Neo4j): MemoryStores => {
    const changes = createFollower(graph, points, onStep)
    return {
      episodic: createServerEpisodicStore(graph, points.chunk, changes),
      graph: createServerGraphStore(graph, points, changes),
      working: createRedisWorkingMemory(redis),
      journal: createServerJournal(graph, changes, onStep),
      lifecycle: { ...createNeo4jLifecycleRuns(graph), ...withFences(graph, createRedisLeases(redis)) },
      vectors: createServerVectorMaintenance({ neo4j: graph, qdrant, redis, follower: changes }),
    }
  }

  async function warm(): Promise<void> {
    const patient = openNeo4j({ ...options.neo4j, limitMs: coldLimitMs })
    try {
      await patient.guard.check()
      const books = createLater()
      await warmUp(memoryOn(patient), options.dimensions)
      await warmUpAccounts({
        accounts: createNeo4jAccountStore(patient, options.newId),
        ledger: createNeo4jLedger(patient, books),
        idempotency: createNeo4jIdempotencyStore(patient, books),
      })
    } finally {
      await patient.close()
    }
  }

  let closed = false
  let timer: NodeJS.Timeout | undefined
  let prepared = { neo4j: false, qdrant: false, once: false }
  let isCold = true
  let lastUndoneAt = performance.now()
  /** Schemas as soon as their engine is up, then repairs, for ever. A failure waits for the next round. */
  async function tend(): Promise<void> {
    if (neo4j.guard.state() !== 'connected') isCold = true
    else if (!prepared.neo4j) {
      await applySchema(neo4j)
      prepared = { ...prepared, neo4j: true }
    }
    if (!prepared.qdrant && qdrant.guard.state() === 'connected') {
      await qdrant.applySchema(options.dimensions)
      prepared = { ...prepared, qdrant: true }
    }
    const { neo4j: graph, qdrant: vectors } = states()
    if (graph !== 'connected') return
    await later.retry()
    if (vectors !== 'connected') return
    if (isCold) await warm()
    isCold = false
    prepared = { ...prepared, once: true }
    await repair()
    if (abandonedAfterMs > 0) await undoAbandoned()
  }
  /** What requests of processes that died had taken comes back, whether or not anybody starts anew. */
  async function undoAbandoned(): Promise<void> {
    if (performance.now() - lastUndoneAt < undoEveryMs) return
    lastUndoneAt = performance.now()
    await accounts.ledger.refundUnsettled()
    await accounts.idempotency.abandonUnfinished()
  }
  const states = () => ({
    neo4j: neo4j.guard.state(),
    qdrant: qdrant.guard.state(),
    redis: redis.guard.state(),
  })
  function schedule(delayMs: number): void {
    if (closed) return
    timer = setTimeout(() => {
      tend()
        .then(() => schedule(prepared.once && !isCold ? repairEveryMs : 250))
        .catch(() => schedule(1_000))
    }, delayMs)
    timer.unref()
  }
  schedule(0)

  const ready = (engine: 'neo4j' | 'qdrant', state: EngineState): EngineState =>
    state === 'connected' && !(prepared[engine] && prepared.once) ? 'starting' : state

  return {
    memory: memoryOn(neo4j),
    archive: createServerArchive(neo4j, follower),
    accounts,
    status: () => {
      const { redis: working, ...found } = states()
      return { neo4j: ready('neo4j', found.neo4j), qdrant: ready('qdrant', found.qdrant), redis: working }
    },
    repair,
    inTime: (request) => withPatience(request),
    async close() {
      closed = true
      clearTimeout(timer)
      qdrant.close()
      await Promise.all([neo4j.close(), redis.close()])
    },
  }
}
