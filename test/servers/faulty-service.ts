import { openServerStores } from '../../src/stores/server/stores.ts'
import type { TestService } from '../harness.ts'
import { type Engine, engines } from './engines.ts'
import { opened, smallOptions, startOnServers } from './open.ts'
import { openProxy, type Stretch } from './proxy.ts'
import { openEngines, until, untilReady } from './support.ts'

const through = (url: string, { port }: Stretch) => {
  const address = new URL(url)
  address.host = `127.0.0.1:${port}`
  return address.toString().replace(/\/$/, '')
}

const wellMs = 300

/** The service with a breakable stretch of network to every engine, and the limits of production. */
export async function openFaultyService(setup: { readonly loaded?: boolean } = {}) {
  const direct = smallOptions()
  const looking = await openEngines(direct)
  await looking.wipe()
  const urls = { neo4j: direct.neo4j.url, qdrant: direct.qdrant.url, redis: direct.redisUrl }
  const entries = await Promise.all(
    engines.map(async (engine) => {
      const { hostname, port } = new URL(urls[engine])
      return [engine, await openProxy({ host: hostname, port: Number(port) })] as const
    }),
  )
  const proxies = Object.fromEntries(entries) as Record<Engine, Stretch>
  const { limitMs: _patient, ...neo4j } = direct.neo4j
  const options = {
    ...direct,
    neo4j: { ...neo4j, url: through(urls.neo4j, proxies.neo4j) },
    qdrant: { ...direct.qdrant, url: through(urls.qdrant, proxies.qdrant) },
    redisUrl: through(urls.redis, proxies.redis),
  }
  if (setup.loaded === false) for (const engine of engines) await proxies[engine].set({ kind: 'refuse' })
  const service: TestService = await startOnServers(options, setup)
  // Past the proxies, for a look from outside that no fault disturbs.
  const stores = opened(direct)
  return {
    service,
    proxies,
    stores,
    /** How many of these texts are stored, and how many more than once. */
    async storedTexts(texts: readonly string[]): Promise<{ kept: number; doubled: number }> {
      const rows = await looking.raw.neo4j.read(
        'UNWIND $texts AS text MATCH (c:Chunk {text: text}) RETURN text, count(c) AS count',
        { texts: [...texts] },
      )
      return { kept: rows.length, doubled: rows.filter(({ count }) => count !== 1).length }
    },
    /**
     * Resolves when the engine itself, asked directly, answers as fast as one that is well. Neo4j plans every query anew after
     * a start, which takes as long as the machine is busy: stores that are opened now are ready when that is done.
     */
    async untilWell(engine: Engine): Promise<void> {
      let inRow = 0
      await until(async () => {
        const started = performance.now()
        const state = await looking.raw[engine].guard.check()
        inRow = state === 'connected' && performance.now() - started < wellMs ? inRow + 1 : 0
        return inRow >= 5
      }, 120_000)
      const fresh = openServerStores(direct)
      await untilReady(fresh).finally(() => fresh.close())
    },
    async close() {
      await service.close()
      await stores.close()
      await looking.close()
      await Promise.all(Object.values(proxies).map((proxy) => proxy.close()))
    },
  }
}
