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

/** Resolves when all three engines serve; rejects with what is missing after half a minute. */
export async function untilReady(stores: ServerStores): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (Object.values(stores.status()).every((state) => state === 'connected')) return
    await delay(100)
  }
  throw new Error(`Not every engine came up: ${JSON.stringify(stores.status())}`)
}

/** One set of stores for a whole test file; `empty` wipes the engines between tests. */
export async function openTestStores(changes: Partial<ServerStoresOptions> = {}) {
  const options = serverOptions(changes)
  const stores = openServerStores(options)
  await untilReady(stores)
  const raw = {
    neo4j: openNeo4j(options.neo4j),
    qdrant: openQdrant(options.qdrant),
    redis: openRedis(options.redisUrl),
  }
  for (const engine of Object.values(raw))
    while ((await engine.guard.check()) !== 'connected') await delay(100)
  return {
    stores,
    raw,
    async empty() {
      await raw.neo4j.write('MATCH (n) DETACH DELETE n', {}, 30_000)
      await raw.redis.send(['FLUSHDB'])
      for (const kind of ['chunk', 'fact', 'entity'] as const) {
        await raw.qdrant.call((client) =>
          client.delete(raw.qdrant.collection(kind), { wait: true, filter: {} }),
        )
      }
    },
    async close() {
      raw.qdrant.close()
      await Promise.all([stores.close(), raw.neo4j.close(), raw.redis.close()])
    },
  }
}
