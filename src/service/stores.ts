import { setTimeout as wait } from 'node:timers/promises'
import { cacheKeys } from '../accounts/cached-keys.ts'
import type { AccountStores } from '../accounts/ports.ts'
import type { Archive } from '../archive/archive.ts'
import type { Config, ServerStoresConfig } from '../config.ts'
import { randomId } from '../core/ids.ts'
import type { StoreState } from '../http/health.ts'
import type { StoreName } from '../memory/memory.ts'
import type { MemoryStores } from '../memory/ports.ts'
import { errorFacts, type Log } from '../observe/log.ts'
import { createEmbeddedAccountStores } from '../stores/embedded/account-stores.ts'
import { createEmbeddedArchive } from '../stores/embedded/archive/archive.ts'
import { type Engine, openEngine } from '../stores/embedded/engine/engine.ts'
import { usualIndexBytes } from '../stores/embedded/memory/index/budget.ts'
import { createEmbeddedMemoryStores } from '../stores/embedded/memory/stores.ts'
import type { ServerStores } from '../stores/server/stores.ts'

export { requireStore } from '../stores/embedded/engine/directory.ts'

/** One backend, opened: everything that is kept, and how the three stores of the specification are. */
export interface OpenStores {
  readonly accounts: AccountStores
  readonly memory: MemoryStores
  /** The search indexes in this process; null where the engines have them. */
  readonly indexes: Indexes | null
  /** Everything as a whole, to be copied. */
  readonly archive: Archive
  /** Runs a request so that it is answered in time, whatever the stores do. */
  inTime<T>(request: () => Promise<T>): Promise<T>
  /** As last known; never waits. */
  states(): Readonly<Record<StoreName, StoreState>>
  close(): Promise<void>
}

export interface Indexes {
  /** Reads what takes long into memory, in the background. */
  load(): Promise<void>
  /** What they take, and how often texts were read since the start: into memory, or for one question. */
  state(): Promise<{ readonly bytes: number; readonly loads: number; readonly passes: number }>
}

/** How long a call to the graph may take, for work that nobody waits for. */
export interface CallLimits {
  readonly limitMs?: number
}

/** Opens the configured backend. Rejects with a message for people when it cannot be used. */
export async function openStores(config: Config, log: Log, limits?: CallLimits): Promise<OpenStores> {
  if (config.stores.mode === 'server') return server(config, config.stores, limits)
  const onLost = (cause: Error) =>
    log.error(errorFacts(cause), 'a thread of the store ended; it is opened again')
  return embedded(await openEngine({ directory: config.dataDir }, onLost), log, config.indexMegabytes)
}

/** The three engines. They may be away: their states say so, and calls are refused until they come. */
async function server(
  config: Config,
  { neo4j, qdrant, redis }: ServerStoresConfig,
  limits: CallLimits = {},
): Promise<OpenStores> {
  // Their drivers and the models are large: whoever does not need them does not wait for them.
  const [{ openServerStores }, { identityOf }] = await Promise.all([
    import('../stores/server/stores.ts'),
    import('./models.ts'),
  ])
  const stores = openServerStores({
    neo4j: { ...neo4j, ...limits },
    qdrant: { ...qdrant, prefix: 'memoryd' },
    redisUrl: redis.url,
    dimensions: (await identityOf(config)).dimensions,
    newId: randomId,
    // Who replaces vectors or copies everything changes one side before the other, for longer than a request would.
    comparesIndex: limits.limitMs === undefined,
  })
  return onServers(stores)
}

/** The server backend on engines that were opened, which it closes. */
export function onServers(stores: ServerStores): OpenStores {
  const shown = (state: string): StoreState => (state === 'connected' ? 'connected' : `error: ${state}`)
  return {
    accounts: stores.accounts,
    memory: stores.memory,
    indexes: null,
    archive: stores.archive,
    inTime: stores.inTime,
    states: () => {
      const { neo4j, qdrant, redis } = stores.status()
      return { neo4j: shown(neo4j), qdrant: shown(qdrant), redis: shown(redis) }
    },
    close: () => stores.close(),
  }
}

/** Longer than engines that are there take to be found, and than cold ones take to get ready. */
const settleMs = { found: 10_000, started: 60_000 }

/** Resolves when every store is connected, or when waiting longer would not help; the states then say which are not. */
export async function settled(stores: OpenStores): Promise<void> {
  const begun = performance.now()
  const are = (...states: readonly StoreState[]) =>
    Object.values(stores.states()).every((state) => states.includes(state))
  const limitMs = () => (are('connected', 'error: starting') ? settleMs.started : settleMs.found)
  while (!are('connected') && performance.now() - begun < limitMs()) await wait(50)
}

/** The embedded backend on an engine, which it closes. */
export function embedded(engine: Engine, log: Log, indexMegabytes: number | null = null): OpenStores {
  const report = (error: unknown) =>
    log.error(errorFacts(error), 'bookkeeping failed; it is repaired at the next start')
  const accounts = createEmbeddedAccountStores(engine, { newId: randomId, report })
  const budgetBytes = indexMegabytes === null ? usualIndexBytes() : indexMegabytes * 2 ** 20
  return {
    // One process holds the directory, so what it remembers of the keys is what is stored.
    accounts: { ...accounts, accounts: cacheKeys(accounts.accounts) },
    memory: createEmbeddedMemoryStores(engine, { indexBudgetBytes: budgetBytes }),
    indexes: {
      load: () => engine.read('index.loadLarge', { budgetBytes }),
      state: () => engine.read('index.state'),
    },
    archive: createEmbeddedArchive(engine),
    // Nothing here is ever far away.
    inTime: (request) => request(),
    states: () => {
      const { state, error } = engine.status()
      const each: StoreState = state === 'open' ? 'connected' : `error: ${error ?? `the store is ${state}`}`
      return { neo4j: each, qdrant: each, redis: each }
    },
    close: async () => {
      await accounts.flush().catch(report)
      await engine.close()
    },
  }
}
