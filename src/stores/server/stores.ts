import type { AccountStores } from '../../accounts/ports.ts'
import type { NewId } from '../../core/ids.ts'
import type { MemoryStores } from '../../memory/ports.ts'
import { createServerEpisodicStore } from './episodic.ts'
import { createFollower } from './follow.ts'
import { createServerGraphStore } from './graph.ts'
import type { EngineState } from './guard.ts'
import { createServerJournal } from './journal.ts'
import { createNeo4jAccountStore } from './neo4j/accounts.ts'
import { type Neo4jOptions, openNeo4j } from './neo4j/connection.ts'
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

  let closed = false
  let timer: NodeJS.Timeout | undefined
  let prepared = { neo4j: false, qdrant: false }
  /** Schemas as soon as their engine is up, then repairs, for ever. A failure waits for the next round. */
  async function tend(): Promise<void> {
    if (!prepared.neo4j && neo4j.guard.state() === 'connected') {
      await applySchema(neo4j)
      prepared = { ...prepared, neo4j: true }
    }
    if (!prepared.qdrant && qdrant.guard.state() === 'connected') {
      await qdrant.applySchema(options.dimensions)
      prepared = { ...prepared, qdrant: true }
    }
    if (prepared.neo4j && prepared.qdrant) await repair()
  }
  function schedule(delayMs: number): void {
    if (closed) return
    timer = setTimeout(() => {
      tend()
        .then(() => schedule(prepared.neo4j && prepared.qdrant ? repairEveryMs : 250))
        .catch(() => schedule(1_000))
    }, delayMs)
    timer.unref()
  }
  schedule(0)

  const ready = (engine: 'neo4j' | 'qdrant', state: EngineState): EngineState =>
    state === 'connected' && !prepared[engine] ? 'starting' : state

  return {
    memory: {
      episodic: createServerEpisodicStore(neo4j, points.chunk, follower),
      graph: createServerGraphStore(neo4j, points, follower),
      working: createRedisWorkingMemory(redis),
      journal: createServerJournal(neo4j, follower),
      lifecycle: { ...createNeo4jLifecycleRuns(neo4j), ...withFences(neo4j, createRedisLeases(redis)) },
      vectors: createServerVectorMaintenance({ neo4j, qdrant, redis, follower }),
    },
    accounts: {
      accounts: createNeo4jAccountStore(neo4j, options.newId),
      ledger: createNeo4jLedger(neo4j, { unsettledAfterMs: abandonedAfterMs }),
      rates: createRedisRateWindow(redis),
      idempotency: createNeo4jIdempotencyStore(neo4j, { abandonedAfterMs }),
    },
    status: () => ({
      neo4j: ready('neo4j', neo4j.guard.state()),
      qdrant: ready('qdrant', qdrant.guard.state()),
      redis: redis.guard.state(),
    }),
    repair,
    async close() {
      closed = true
      clearTimeout(timer)
      qdrant.close()
      await Promise.all([neo4j.close(), redis.close()])
    },
  }
}
