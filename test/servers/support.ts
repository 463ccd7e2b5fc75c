import { setTimeout as delay } from 'node:timers/promises'
import { randomId } from '../../src/core/ids.ts'
import { openNeo4j } from '../../src/stores/server/neo4j/connection.ts'
import { openQdrant } from '../../src/stores/server/qdrant/connection.ts'
import { openRedis } from '../../src/stores/server/redis/connection.ts'
import {
  openServerStores,
  type ServerStores,
  type ServerStoresOptions,
} from '../../src/stores/server/stores.ts'

/** Where the real engines are; `scripts/servers env` prints the variables. A missing one is a failure, never a skip. */
export function engineAddresses() {
  const { NEO4J_URL, QDRANT_URL, REDIS_URL } = process.env
  if (!NEO4J_URL || !QDRANT_URL || !REDIS_URL) {
    throw new Error(
      'Set NEO4J_URL, QDRANT_URL and REDIS_URL: run `scripts/servers up`, then eval "$(scripts/servers env)".',
    )
  }
  return { neo4j: NEO4J_URL, qdrant: QDRANT_URL, redis: REDIS_URL }
}

export function serverOptions(changes: Partial<ServerStoresOptions> = {}): ServerStoresOptions {
  const { neo4j, qdrant, redis } = engineAddresses()
  return {
    neo4j: { url: neo4j, user: 'neo4j', password: '', limitMs: 20_000 },
    qdrant: { url: qdrant, apiKey: null, prefix: 'memoryd_test' },
    redisUrl: redis,
    dimensions: 384,
    newId: randomId,
    ...changes,
  }
}

/** Resolves with the milliseconds it took until the condition held; rejects when it does not in time. */
export async function until(holds: () => boolean | Promise<boolean>, limitMs: number): Promise<number> {
  const started = performance.now()
  while (!(await holds())) {
    if (performance.now() - started > limitMs)
      throw new Error(`It did not hold within ${limitMs} ms: ${holds}`)
    await delay(50)
  }
  return performance.now() - started
}

/** Resolves when all three engines serve; rejects after two minutes. */
export async function untilReady(stores: ServerStores): Promise<void> {
  await until(() => Object.values(stores.status()).every((state) => state === 'connected'), 120_000)
}

/** The engines themselves, without stores: to look into them and to wipe them. */
export async function openEngines(options = serverOptions()) {
  const raw = {
    neo4j: openNeo4j(options.neo4j),
    qdrant: openQdrant(options.qdrant),
    redis: openRedis(options.redisUrl),
  }
  for (const engine of Object.values(raw))
    await until(async () => (await engine.guard.check()) === 'connected', 120_000)
  return {
    raw,
    /** Every collection too: the next stores make their own. */
    async wipe() {
      await raw.neo4j.write('MATCH (n) DETACH DELETE n', {}, 60_000)
      await raw.redis.send(['FLUSHDB'])
      const { collections } = await raw.qdrant.call((client) => client.getCollections())
      for (const { name } of collections)
        await raw.qdrant.call((client) => client.deleteCollection(name), 30_000)
    },
    async close() {
      raw.qdrant.close()
      await Promise.all([raw.neo4j.close(), raw.redis.close()])
    },
  }
}

/** One set of stores for a whole test file; `empty` wipes the engines between tests. */
export async function openTestStores(changes: Partial<ServerStoresOptions> = {}) {
  const options = serverOptions(changes)
  const { prefix } = options.qdrant
  const { raw, wipe, close } = await openEngines(options)
  await wipe()
  const stores = openServerStores(options)
  await untilReady(stores)
  return {
    stores,
    raw,
    async empty() {
      await raw.neo4j.write('MATCH (n) WHERE NOT n:SearchIndex DETACH DELETE n', {}, 30_000)
      await raw.redis.send(['FLUSHDB'])
      const { aliases } = await raw.qdrant.call((client) => client.getAliases())
      for (const { alias_name } of aliases.filter(({ alias_name }) => alias_name.startsWith(`${prefix}_`)))
        await raw.qdrant.call((client) => client.delete(alias_name, { wait: true, filter: {} }))
    },
    async close() {
      await Promise.all([stores.close(), close()])
    },
  }
}
