import type { AccountStores } from '../../accounts/ports.ts'
import type { NewId } from '../../core/ids.ts'
import type { MemoryStores } from '../../memory/ports.ts'
import { createServerEpisodicStore } from './episodic.ts'
import { createFollower } from './follow.ts'
import { createServerGraphStore } from './graph.ts'
import type { EngineState } from './guard.ts'
import { createServerJournal } from './journal.ts'
import { createNeo4jAccountStore } from './neo4j/accounts.ts'
import { type Neo4j, type Neo4jOptions, openNeo4j } from './neo4j/connection.ts'
import { withFences } from './neo4j/fences.ts'
import { createNeo4jIdempotencyStore } from './neo4j/idempotency.ts'
import { createNeo4jLedger } from './neo4j/ledger.ts'
import { createNeo4jLifecycleRuns } from './neo4j/lifecycle-runs.ts'
import { applySchema } from './neo4j/schema.ts'
import { openQdrant, type QdrantOptions } from './qdrant/connection.ts'
import { createPoints } from './qdrant/points.ts'
import { openRedis } from './redis/connection.ts'
import { createRedisLeases } from './redis/leases.ts'
import { createRedisRateWindow } from './redis/rate-window.ts'
import { createRedisWorkingMemory } from './redis/working-memory.ts'
import { createServerVectorMaintenance } from './vectors.ts'
import { warmUp } from './warm-up.ts'

export interface ServerStoresOptions {
  readonly neo4j: Neo4jOptions
  readonly qdrant: QdrantOptions
  readonly redisUrl: string
  /** Length of the embedding model's vectors. */
  readonly dimensions: number
  readonly newId: NewId
  /** How long a started request of another process is left alone before it counts as crashed. */
  readonly abandonedAfterMs?: number
}

export interface ServerStores {
  readonly memory: MemoryStores
  readonly accounts: AccountStores
  /** The state of each engine as the last probe or call found it. */
  status(): { readonly neo4j: EngineState; readonly qdrant: EngineState; readonly redis: EngineState }
  /** Finishes what crashed processes have left half done; says how many. */
  repair(): Promise<number>
  close(): Promise<void>
}

const repairEveryMs = 2_000
/** What a query may take on an engine that has just started. */
const coldLimitMs = 30_000

/** The three engines behind the ports. Engines may be away at the start: calls are refused until they come. */
export function openServerStores(options: ServerStoresOptions): ServerStores {
  const { abandonedAfterMs = 60_000 } = options
  const neo4j = openNeo4j(options.neo4j)
  const qdrant = openQdrant(options.qdrant)
  const redis = openRedis(options.redisUrl)
  const points = {
    chunk: createPoints(qdrant, 'chunk'),
    fact: createPoints(qdrant, 'fact'),
    entity: createPoints(qdrant, 'entity'),
  }
  const follower = createFollower(neo4j, points)
  const repair = () => follower.repair(abandonedAfterMs)
  const memoryOn = (graph: Neo4j): MemoryStores => {
    const changes = createFollower(graph, points)
    return {
      episodic: createServerEpisodicStore(graph, points.chunk, changes),
      graph: createServerGraphStore(graph, points, changes),
      working: createRedisWorkingMemory(redis),
      journal: createServerJournal(graph, changes),
      lifecycle: { ...createNeo4jLifecycleRuns(graph), ...withFences(graph, createRedisLeases(redis)) },
      vectors: createServerVectorMaintenance({ neo4j: graph, qdrant, redis, follower: changes }),
    }
  }

  async function warm(): Promise<void> {
    const patient = openNeo4j({ ...options.neo4j, limitMs: coldLimitMs })
    try {
      await patient.guard.check()
      await warmUp(memoryOn(patient), options.dimensions)
    } finally {
      await patient.close()
    }
  }

  let closed = false
  let timer: NodeJS.Timeout | undefined
  let prepared = { neo4j: false, qdrant: false, once: false }
  let isCold = true
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
    if (Object.values(states()).some((state) => state !== 'connected')) return
    if (isCold) await warm()
    isCold = false
    prepared = { ...prepared, once: true }
    await repair()
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
        .then(() => schedule(prepared.once ? repairEveryMs : 250))
        .catch(() => schedule(1_000))
    }, delayMs)
    timer.unref()
  }
  schedule(0)

  const ready = (engine: 'neo4j' | 'qdrant', state: EngineState): EngineState =>
    state === 'connected' && !(prepared[engine] && prepared.once) ? 'starting' : state

  return {
    memory: memoryOn(neo4j),
    accounts: {
      accounts: createNeo4jAccountStore(neo4j, options.newId),
      ledger: createNeo4jLedger(neo4j, { unsettledAfterMs: abandonedAfterMs }),
      rates: createRedisRateWindow(redis),
      idempotency: createNeo4jIdempotencyStore(neo4j, { abandonedAfterMs }),
    },
    status: () => {
      const { redis: working, ...found } = states()
      return { neo4j: ready('neo4j', found.neo4j), qdrant: ready('qdrant', found.qdrant), redis: working }
    },
    repair,
    async close() {
      closed = true
      clearTimeout(timer)
      qdrant.close()
      await Promise.all([neo4j.close(), redis.close()])
    },
  }
}
