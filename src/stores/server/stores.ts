import type { AccountStores } from '../../accounts/ports.ts'
import type { Archive } from '../../archive/archive.ts'
import type { NewId } from '../../core/ids.ts'
import type { MemoryStores } from '../../memory/ports.ts'
import { createServerArchive } from './archive.ts'
import type { EngineState } from './engine/guard.ts'
import { createRetryQueue } from './engine/retry-queue.ts'
import { withWaitBudget } from './engine/wait-budget.ts'
import { createServerEpisodicStore } from './episodic.ts'
import { createFollower, type OnStep } from './follow.ts'
import { createServerGraphStore } from './graph.ts'
import { createServerGraphView } from './graph-view.ts'
import { createServerJournal } from './journal.ts'
import { createNeo4jAccountStore } from './neo4j/accounts.ts'
import { createNeo4jClientLog } from './neo4j/clients.ts'
import { type Neo4j, type Neo4jOptions, openNeo4j } from './neo4j/connection.ts'
import { withFences } from './neo4j/fences.ts'
import { createNeo4jIdempotencyStore } from './neo4j/idempotency.ts'
import { createNeo4jDocumentStore } from './neo4j/keyed.ts'
import { createNeo4jLedger } from './neo4j/ledger.ts'
import { createNeo4jLifecycleRuns } from './neo4j/lifecycle-runs.ts'
import { applySchema } from './neo4j/schema.ts'
import { withoutTornRows } from './neo4j/torn-rows.ts'
import { openQdrant, type QdrantOptions } from './qdrant/connection.ts'
import { createPoints } from './qdrant/points.ts'
import { openRedis } from './redis/connection.ts'
import { createRedisLeases } from './redis/leases.ts'
import { createRedisRateWindow } from './redis/rate-window.ts'
import { createRedisWorkingMemory } from './redis/working-memory.ts'
import { createSearchIndex } from './search-index.ts'
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
  /** Whether the copy in Qdrant is compared with Neo4j once in a while; not where vectors are being replaced. */
  readonly comparesIndex?: boolean
  /** Told of every step of a journalled write. */
  readonly onStep?: OnStep
}

export interface ServerStores {
  readonly memory: MemoryStores
  /** Everything as a whole, to be copied. */
  readonly archive: Archive
  readonly accounts: AccountStores
  /** The state of each engine as the last probe or call found it. */
  status(): {
    readonly neo4j: EngineState
    readonly qdrant: EngineState | `rebuilding, ${number} %`
    readonly redis: EngineState
  }
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
  const { dimensions, comparesIndex: compares = true } = options
  const index = createSearchIndex({ neo4j, qdrant, dimensions, compares })
  const retries = createRetryQueue()
  // Longer than the longest request: what is older belongs to a process that died.
  const longestMs = 6 * abandonedAfterMs
  const accounts: AccountStores = {
    accounts: createNeo4jAccountStore(neo4j, options.newId),
    ledger: createNeo4jLedger(neo4j, retries, { unsettledAfterMs: longestMs }),
    rates: createRedisRateWindow(redis),
    idempotency: createNeo4jIdempotencyStore(neo4j, retries, { abandonedAfterMs: longestMs }),
    clients: createNeo4jClientLog(neo4j),
  }
  const repair = () => follower.repair(abandonedAfterMs)
  const memoryOn = (graph: Neo4j): MemoryStores => {
    const changes = createFollower(graph, points, onStep)
    return {
      episodic: withoutTornRows(createServerEpisodicStore(graph, points.chunk, changes)),
      graph: withoutTornRows(createServerGraphStore(graph, points, changes)),
      view: withoutTornRows(createServerGraphView(graph)),
      working: createRedisWorkingMemory(redis),
      journal: createServerJournal(graph, changes, onStep),
      lifecycle: { ...createNeo4jLifecycleRuns(graph), ...withFences(graph, createRedisLeases(redis)) },
      vectors: createServerVectorMaintenance({ neo4j: graph, index, redis, follower: changes }),
      documents: withoutTornRows(createNeo4jDocumentStore(graph)),
    }
  }

  async function warm(): Promise<void> {
    const patient = openNeo4j({ ...options.neo4j, limitMs: coldLimitMs })
    try {
      await patient.guard.check()
      const warmUpRetries = createRetryQueue()
      await warmUp(memoryOn(patient), dimensions)
      await warmUpAccounts({
        accounts: createNeo4jAccountStore(patient, options.newId),
        ledger: createNeo4jLedger(patient, warmUpRetries),
        idempotency: createNeo4jIdempotencyStore(patient, warmUpRetries),
      })
    } finally {
      await patient.close()
    }
  }

  let closed = false
  let timer: NodeJS.Timeout | undefined
  let hasSchema = false
  /** The outages of Neo4j before the last warm-up: after another one its queries are planned anew. */
  let warmSince = -1
  let lastUndoneAt = performance.now()
  const isWarm = () => hasSchema && warmSince === neo4j.guard.outages()
  /** The schema as soon as Neo4j is up, the copy in Qdrant, then repairs, for ever. A failure waits for the next round. */
  async function tend(): Promise<void> {
    if (neo4j.guard.state() !== 'connected') return
    if (!hasSchema) await applySchema(neo4j)
    hasSchema = true
    await retries.retry()
    if (qdrant.guard.state() !== 'connected') return
    const copy = await index.tend()
    if (copy === 'missing') return
    // What was written while the copy was made could not follow.
    if (copy === 'made anew') await follower.repair(0)
    if (!isWarm()) {
      const outages = neo4j.guard.outages()
      await warm()
      warmSince = outages
    }
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
  /** As the engines are, and as far as they can be used: a copy that is being made serves nobody. */
  function status(): ReturnType<ServerStores['status']> {
    const found = { neo4j: neo4j.guard.state(), qdrant: qdrant.guard.state(), redis: redis.guard.state() }
    const percent = index.progress()
    const copy = percent === null ? 'starting' : (`rebuilding, ${percent} %` as const)
    return {
      neo4j: found.neo4j === 'connected' && !isWarm() ? 'starting' : found.neo4j,
      qdrant: found.qdrant === 'connected' && !qdrant.isWhole() ? copy : found.qdrant,
      redis: found.redis,
    }
  }
  function schedule(delayMs: number): void {
    if (closed) return
    timer = setTimeout(() => {
      tend()
        .then(() => schedule(isWarm() && qdrant.isWhole() ? repairEveryMs : 250))
        .catch(() => schedule(1_000))
    }, delayMs)
    timer.unref()
  }
  schedule(0)

  return {
    memory: memoryOn(neo4j),
    archive: createServerArchive(neo4j, follower),
    accounts,
    status,
    repair,
    inTime: (request) => withWaitBudget(request),
    async close() {
      closed = true
      clearTimeout(timer)
      await index.release().catch(() => undefined)
      qdrant.close()
      await Promise.all([neo4j.close(), redis.close()])
    },
  }
}
