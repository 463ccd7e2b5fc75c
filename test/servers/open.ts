import { type OpenStores, onServers } from '../../src/service/stores.ts'
import { openServerStores, type ServerStoresOptions } from '../../src/stores/server/stores.ts'
import { startTestService, type TestService, type TestSetup } from '../harness.ts'
import { createPatternExtractor, createWordEmbedder, createWordRelation } from '../support/small-models.ts'
import { serverOptions, until } from './support.ts'

/** Both backends, by the names that the service has for them. */
export const modes = ['embedded', 'server'] as const
export type Mode = (typeof modes)[number]

/** Server stores as the service takes them. */
export const opened = (options: ServerStoresOptions): OpenStores => onServers(openServerStores(options))

const embedder = createWordEmbedder()
const smallModels = () => ({ embedder, extractor: createPatternExtractor(), relation: createWordRelation() })

/** Engines with collections of their own for the small models' vectors. */
export const smallOptions = (changes: Partial<ServerStoresOptions> = {}): ServerStoresOptions => {
  const options = serverOptions({ dimensions: embedder.identity.dimensions, ...changes })
  return { ...options, qdrant: { ...options.qdrant, prefix: 'memoryd_small' } }
}

/** The whole service with small models on one backend. */
export async function startMode(mode: Mode, setup: TestSetup = {}): Promise<TestService> {
  if (mode === 'embedded') return startTestService({ ...setup, models: smallModels() })
  return startOnServers(smallOptions(), setup)
}

/** The whole service on server stores; `loaded: false` does not wait for them. */
export async function startOnServers(
  options: ServerStoresOptions,
  setup: TestSetup = {},
): Promise<TestService> {
  const stores = opened(options)
  const isReady = () => Object.values(stores.states()).every((state) => state === 'connected')
  if (setup.loaded !== false) await until(isReady, 120_000)
  const environment = {
    STORES: 'server',
    NEO4J_URL: options.neo4j.url,
    NEO4J_PASSWORD: 'none',
    QDRANT_URL: options.qdrant.url,
    REDIS_URL: options.redisUrl,
    ...setup.environment,
  }
  return startTestService({ models: smallModels(), ...setup, stores, environment })
}
