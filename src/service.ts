import type { Accounts } from './accounts/accounts.ts'
import { createGate } from './accounts/gate.ts'
import { tiersWith } from './accounts/tiers.ts'
import type { Config } from './config.ts'
import { type Clock, systemClock } from './core/clock.ts'
import { randomId } from './core/ids.ts'
import { type App, createApp } from './http/app.ts'
import { type Health, isReady } from './http/health.ts'
import { type Capacity, createCapacity } from './http/work.ts'
import type { Memory } from './memory/memory.ts'
import { errorFacts, type Log } from './observe/log.ts'
import { createMetrics } from './observe/metrics.ts'
import { adminTokenOf, writePrivate } from './secrets.ts'
import { accountsOn } from './service/accounts.ts'
import { untilLoaded } from './service/loading.ts'
import { type JoinedMemory, joinMemory } from './service/memory.ts'
import { loadModels, type Models } from './service/models.ts'
import { type OpenStores, openStores } from './service/stores.ts'
import { version } from './version.ts'

/** The service with its stores open and, once they are loaded, its models. */
export interface Service {
  readonly app: App
  readonly capacity: Capacity
  readonly version: string
  /** Resolves when the memory can be used; until then its routes answer 503. Rejects when the service is closed first. */
  loadModels(): Promise<void>
  /** Ends background work and closes models and stores. Twice is once. */
  close(): Promise<void>
}

export interface ServiceParts {
  readonly log: Log
  readonly clock?: Clock
  /** For tests: stores and models other than those of the configuration. */
  readonly stores?: OpenStores
  readonly models?: () => Promise<Models>
}

/** Requests and batch items worked on at once; what is more is refused at once. Well above 100 busy clients. */
const workLimit = 256

/** THE composition root: configuration → stores and models → capabilities → the HTTP surface. */
export async function openService(config: Config, parts: ServiceParts): Promise<Service> {
  const { log, clock = systemClock } = parts
  const adminToken = await adminTokenOf(config)
  const stores = parts.stores ?? (await openStores(config, log))
  const accounts = accountsOn(stores, config, clock)
  // Engines of their own may still be away; the store in this process is here.
  if (config.stores === 'embedded') await prepareAccounts(accounts, config, log)

  let models: Models | null = null
  let memory: JoinedMemory | null = null
  const health: Health = {
    version,
    mode: config.stores,
    modelsLoaded: () => models !== null,
    // Until the memory has joined its stores they are of no use to anybody, however well they are.
    stores: () => (models !== null && memory === null ? starting(stores.states()) : stores.states()),
  }
  const metrics = createMetrics()
  const capacity = createCapacity(workLimit)
  metrics.watch('memoryd_work_in_flight', 'Requests and batch items being worked on', () =>
    capacity.inFlight(),
  )
  metrics.watch('memoryd_ready', '1 when models are loaded and stores connected', () =>
    Number(isReady(health)),
  )
  const app = createApp({
    gate: gateOn(stores, config, clock, log),
    accounts,
    adminToken,
    idempotency: stores.accounts.idempotency,
    inTime: stores.inTime,
    health,
    memory: (): Memory | null => memory?.memory ?? null,
    capacity,
    metrics,
    clock,
    log,
    newId: randomId,
  })

  const closing = new AbortController()
  const load = parts.models ?? (() => loadModels(config, log))
  return {
    app,
    capacity,
    version,
    loadModels: async () => {
      const loading = { log, signal: closing.signal }
      const loaded = await untilLoaded(load, { ...loading, complaint: modelComplaint })
      models = loaded
      const join = async () => {
        if (config.stores === 'server') await accounts.recover()
        return joinMemory({ models: loaded, stores: stores.memory, config, clock, log })
      }
      memory = await untilLoaded(join, { ...loading, complaint: storeComplaint })
    },
    close: async () => {
      if (closing.signal.aborted) return
      closing.abort()
      await memory?.close()
      await models?.close()
      await stores.close()
    },
  }
}

const starting = (states: ReturnType<OpenStores['states']>): ReturnType<OpenStores['states']> => ({
  ...states,
  neo4j: states.neo4j === 'connected' ? 'error: starting' : states.neo4j,
})

const modelComplaint = 'models do not load; run "memoryd doctor" to see what is wrong'
const storeComplaint = 'the stores cannot be used yet'

/** What a crash left half done is undone; a store without keys gets its first one, kept where its owner finds it. */
async function prepareAccounts(accounts: Accounts, config: Config, log: Log): Promise<void> {
  const recovered = await accounts.recover()
  if (recovered.refunded + recovered.abandoned > 0)
    log.warn(recovered, 'undid what a crash had left half done')
  const first = await accounts.ensureFirstAccount((key) => writePrivate(config.dataDir, 'defaultKey', key))
  if (first !== null) log.info({ account: first.account, id: first.id }, 'made the first account')
}

function gateOn(stores: OpenStores, config: Config, clock: Clock, log: Log) {
  return createGate({
    ...stores.accounts,
    tiers: tiersWith(config.monthlyOps),
    clock,
    newId: randomId,
    upgradeUrl: config.upgradeUrl,
    report: (error) => log.error(errorFacts(error), 'bookkeeping after a request failed'),
  })
}
