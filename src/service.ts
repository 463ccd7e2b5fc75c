import type { Accounts } from './accounts/accounts.ts'
import { createClientCounts } from './accounts/client-counts.ts'
import { createGate } from './accounts/gate.ts'
import { tiersWith } from './accounts/tiers.ts'
import type { Config } from './config.ts'
import { type Clock, systemClock } from './core/clock.ts'
import { type Namespace, randomId } from './core/ids.ts'
import { type App, createApp } from './http/app.ts'
import { type Health, isReady, type StoreState } from './http/health.ts'
import { createSignInLinks } from './http/sign-in.ts'
import { type Capacity, createCapacity } from './http/work.ts'
import { systemTimer } from './memory/lifecycle/schedule.ts'
import type { Memory } from './memory/memory.ts'
import { watchDisk } from './observe/disk.ts'
import { errorFacts, type Log } from './observe/log.ts'
import { createMetrics, type Metrics } from './observe/metrics.ts'
import { adminTokenOf, writePrivate } from './secrets.ts'
import { accountsOn, recordsOn } from './service/accounts.ts'
import { type BackupSchedule, startBackups } from './service/backup-schedule.ts'
import { untilLoaded } from './service/loading.ts'
import { type JoinedMemory, joinMemory } from './service/memory.ts'
import { embedderName, loadModels, type Models } from './service/models.ts'
import { type Indexes, type OpenStores, openStores } from './service/stores.ts'
import { version } from './version.ts'

/** The service with its stores open and, once they are loaded, its models. */
export interface Service {
  readonly app: App
  readonly capacity: Capacity
  readonly version: string
  /** The key of the first account, at the start that made it; null at every other. */
  readonly firstKey: string | null
  /** A token that signs a browser in with the key, once and within minutes. */
  signInLink(key: string): string
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

/** Requests and batch items worked on at once; what is more, and does not wait in a line, is refused at once. */
const workLimit = 256

/**
 * A few searches and writes keep the processors busy; more make none faster, keep the main thread from answering anybody,
 * and hold up other accounts behind the models. Where they wait for engines or an endpoint, more are needed for that.
 */
const atOnce = ({ stores, embeddings }: Config) =>
  stores.mode === 'embedded' && embeddings === null
    ? { searches: 4, writes: 8 }
    : { searches: 16, writes: 32 }

/** THE composition root: configuration → stores and models → capabilities → the HTTP surface. */
export async function openService(config: Config, parts: ServiceParts): Promise<Service> {
  const { log, clock = systemClock } = parts
  const adminToken = await adminTokenOf(config)
  const stores = parts.stores ?? (await openStores(config, log))
  const accounts = accountsOn(stores, config, clock)
  // Engines of their own may still be away; the store in this process is here.
  const firstKey = config.stores.mode === 'embedded' ? await prepareAccounts(accounts, config, log) : null

  let models: Models | null = null
  let hasFailed = false
  let memory: JoinedMemory | null = null
  let backups: BackupSchedule | null = null
  const health: Health = {
    version,
    mode: config.stores.mode,
    embedder: embedderName(config),
    models: () => {
      if (models === null) return hasFailed ? `error: ${modelComplaint}` : 'loading'
      const problem = models.embedder.problem?.() ?? null
      return problem === null ? 'loaded' : `error: ${problem}`
    },
    // Until the memory has joined its stores they are of no use to anybody, however well they are.
    stores: () => (models !== null && memory === null ? starting(stores.states()) : stores.states()),
  }
  const metrics = createMetrics()
  const capacity = createCapacity({
    limit: workLimit,
    atOnce: atOnce(config),
    milliseconds: () => performance.now(),
  })
  metrics.watch(
    'memoryd_work_in_flight',
    'Requests and batch items being worked on, or waiting for their turn',
    () => capacity.inFlight(),
  )
  metrics.watch('memoryd_ready', '1 when models are loaded and stores connected', () =>
    Number(isReady(health)),
  )
  metrics.watchEach('memoryd_store_up', '1 when the store is connected', 'store', () =>
    Object.fromEntries(
      Object.entries(configured(config, health.stores())).map(([name, state]) => [
        name,
        Number(state === 'connected'),
      ]),
    ),
  )
  watchDisk(metrics, config)
  if (stores.indexes !== null) watchIndexes(metrics, stores.indexes)
  // What fails here fails again in the first search, which says so.
  stores.indexes?.load().catch(() => undefined)
  const clients = createClientCounts(stores.accounts.clients, {
    clock,
    report: (error) => log.warn(errorFacts(error), 'the calls by client could not be written yet'),
  })
  const signInLinks = createSignInLinks(clock)
  const app = createApp({
    gate: gateOn(stores, config, clock, log),
    accounts,
    records: recordsOn(stores, clock),
    clients,
    adminToken,
    signInLinks,
    openMetrics: config.metrics === 'open',
    allowed: config.allowed,
    idempotency: stores.accounts.idempotency,
    inTime: stores.inTime,
    health,
    memory: (): Memory | null => memory?.memory ?? null,
    capacity,
    metrics,
    clock,
    llmTimeoutMs: config.llm?.timeoutMs ?? 0,
    log,
    newId: randomId,
  })

  const accountOf = async (namespace: Namespace) => {
    const all = await stores.accounts.accounts.accounts()
    return all.find((account) => account.namespace === namespace)?.name ?? null
  }
  const closing = new AbortController()
  const load = parts.models ?? (() => loadModels(config, log))
  return {
    app,
    capacity,
    version,
    firstKey,
    signInLink: signInLinks.issue,
    loadModels: async () => {
      const loading = { log, signal: closing.signal }
      // Anybody may read health, and a reason names files: the log has it.
      const onFailure = () => {
        hasFailed = true
      }
      const loaded = await untilLoaded(load, { ...loading, complaint: modelComplaint, onFailure })
      models = loaded
      const join = async () => {
        if (config.stores.mode === 'server') await accounts.recover()
        return joinMemory({ models: loaded, stores: stores.memory, config, clock, metrics, log, accountOf })
      }
      memory = await untilLoaded(join, { ...loading, complaint: storeComplaint })
      const { backup } = config
      if (backup !== null && !closing.signal.aborted)
        backups = startBackups({ config: { ...config, backup }, clock, timer: systemTimer, metrics, log })
    },
    close: async () => {
      if (closing.signal.aborted) return
      closing.abort()
      await backups?.stop()
      await memory?.close()
      await models?.close()
      await clients.flush().catch(() => {})
      await stores.close()
    },
  }
}

const starting = (states: ReturnType<OpenStores['states']>): ReturnType<OpenStores['states']> => ({
  ...states,
  neo4j: states.neo4j === 'connected' ? 'error: starting' : states.neo4j,
})

/** The stores there are: where one file is all of them, no engine is up or down. */
function configured(
  { stores }: Config,
  states: ReturnType<OpenStores['states']>,
): Readonly<Record<string, StoreState>> {
  return stores.mode === 'server' ? states : { embedded: states.neo4j }
}

/** A store that does not answer has nothing to tell; `memoryd_store_up` says so. */
function watchIndexes(metrics: Metrics, { state }: Indexes): void {
  const known = () => state().catch(() => ({ bytes: Number.NaN, loads: Number.NaN, passes: Number.NaN }))
  metrics.watch('memoryd_index_bytes', 'Memory that search indexes take', async () => (await known()).bytes)
  metrics.watchEach(
    'memoryd_index_reads',
    'Indexes read since the start: into memory, or for one question',
    'purpose',
    async () => {
      const { loads, passes } = await known()
      return { memory: loads, question: passes }
    },
  )
}

const modelComplaint = 'models do not load; run "memoryd doctor" to see what is wrong'
const storeComplaint = 'the stores cannot be used yet'

/** What a crash left half done is undone; a store without keys gets its first one, kept where its owner finds it. Gives that one. */
async function prepareAccounts(accounts: Accounts, config: Config, log: Log): Promise<string | null> {
  const recovered = await accounts.recover()
  if (recovered.refunded + recovered.abandoned > 0)
    log.warn(recovered, 'undid what a crash had left half done')
  const first = await accounts.ensureFirstAccount((key) => writePrivate(config.dataDir, 'defaultKey', key))
  if (first === null) return null
  log.info({ account: first.account, id: first.id }, 'made the first account')
  return first.key
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
