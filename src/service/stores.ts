import { cacheKeys } from '../accounts/cached-keys.ts'
import type { AccountStores } from '../accounts/ports.ts'
import type { Config, ServerStoresConfig } from '../config.ts'
import { randomId } from '../core/ids.ts'
import type { StoreState } from '../http/health.ts'
import type { StoreName } from '../memory/memory.ts'
import type { MemoryStores } from '../memory/ports.ts'
import { errorFacts, type Log } from '../observe/log.ts'
import { createEmbeddedAccountStores } from '../stores/embedded/account-stores.ts'
import { type Engine, openEngine } from '../stores/embedded/engine/engine.ts'
import { createEmbeddedMemoryStores } from '../stores/embedded/memory/stores.ts'

/** One backend, opened: everything that is kept, and how the three stores of the specification are. */
export interface OpenStores {
  readonly accounts: AccountStores
  readonly memory: MemoryStores
  /** As last known; never waits. */
  states(): Readonly<Record<StoreName, StoreState>>
  close(): Promise<void>
}

/** Opens the configured backend. Rejects with a message for people when it cannot be used. */
export async function openStores(config: Config, log: Log): Promise<OpenStores> {
  if (config.servers !== null) return server(config, config.servers)
  return embedded(await openEngine({ directory: config.dataDir }), log)
}

/** The three engines. They may be away: their states say so, and calls are refused until they come. */
async function server(config: Config, { neo4j, qdrant, redis }: ServerStoresConfig): Promise<OpenStores> {
  // Their drivers and the models are large: whoever does not need them does not wait for them.
  const [{ openServerStores }, { dimensionsOf }] = await Promise.all([
    import('../stores/server/stores.ts'),
    import('./models.ts'),
  ])
  const stores = openServerStores({
    neo4j,
    qdrant: { ...qdrant, prefix: 'memoryd' },
    redisUrl: redis.url,
    dimensions: await dimensionsOf(config),
    newId: randomId,
  })
  const shown = (state: string): StoreState => (state === 'connected' ? 'connected' : `error: ${state}`)
  return {
    accounts: stores.accounts,
    memory: stores.memory,
    states: () => {
      const status = stores.status()
      return { neo4j: shown(status.neo4j), qdrant: shown(status.qdrant), redis: shown(status.redis) }
    },
    close: () => stores.close(),
  }
}

/** The embedded backend on an engine, which it closes. */
export function embedded(engine: Engine, log: Log): OpenStores {
  const report = (error: unknown) =>
    log.error(errorFacts(error), 'bookkeeping failed; it is repaired at the next start')
  const accounts = createEmbeddedAccountStores(engine, { newId: randomId, report })
  return {
    // One process holds the directory, so what it remembers of the keys is what is stored.
    accounts: { ...accounts, accounts: cacheKeys(accounts.accounts) },
    memory: createEmbeddedMemoryStores(engine),
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
