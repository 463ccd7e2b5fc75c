import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { createLog } from '../../src/observe/log.ts'
import { backUp, restore } from '../../src/service/backup.ts'
import { onServers, openStores } from '../../src/service/stores.ts'
import { indifferentRelation, startTestService, threeWordExtractor } from '../harness.ts'
import { answers, assertWhole, startWriters } from '../support/backup.ts'
import { createWordEmbedder } from '../support/small-models.ts'
import { openTestStores, serverOptions, until } from './support.ts'

const folder = await mkdtemp(path.join(tmpdir(), 'memoryd-backup-'))
const embedder = createWordEmbedder()
const { dimensions } = embedder.identity
const options = serverOptions({ dimensions })
const server = await openTestStores({ dimensions })
const stores = { ...onServers(server.stores), close: async () => {} }
after(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})
const models = { embedder, extractor: threeWordExtractor, relation: indifferentRelation }
const log = createLog('silent')
const quiet = { log, verified: () => {}, progress: () => {} }
const at = (name: string) => path.join(folder, name)

function configOf(environment: Record<string, string>) {
  const { config } = readConfig(environment)
  assert.ok(config)
  return config
}
const environment = {
  ...{ DATA_DIR: at('none'), STORES: 'server', NEO4J_URL: options.neo4j.url, NEO4J_PASSWORD: 'none' },
  ...{ QDRANT_URL: options.qdrant.url, REDIS_URL: options.redisUrl },
}
const serverConfig = configOf(environment)
const embeddedIn = (name: string) => configOf({ DATA_DIR: at(name) })

/** What comes first for every question: behind it Qdrant orders equally good ones as it likes. */
const first = ({ stats, replies }: Awaited<ReturnType<typeof answers>>) => ({
  stats,
  first: replies.map(({ facts }) => (Array.isArray(facts) ? facts[0]?.fact : null)),
})

test('[AR6] a backup of busy servers lacks nothing acknowledged, and restores into either backend alike', async () => {
  const service = await startTestService({ models, stores, environment })
  const { key } = await service.newKey('enterprise')
  const writers = startWriters(service, key, 'a')
  await until(() => writers.acknowledged.length >= 40, 120_000)
  const before = [...writers.acknowledged]
  await backUp(serverConfig, at('busy.backup'), () => {})
  assert.ok(writers.acknowledged.length > before.length, 'nobody wrote meanwhile')
  await writers.stop()
  const all = [...writers.acknowledged]
  await backUp(serverConfig, at('quiet.backup'), () => {})
  const expected = first(await answers(service, key, all, 6))
  await service.close()

  assert.equal((await restore(embeddedIn('busy'), at('busy.backup'), quiet)).outcome, 'done')
  const busy = await openStores(embeddedIn('busy'), log)
  await assertWhole(busy.archive, before)
  await busy.close()

  assert.equal((await restore(embeddedIn('quiet'), at('quiet.backup'), quiet)).outcome, 'done')
  const there = await openStores(embeddedIn('quiet'), log)
  await assertWhole(there.archive, all)
  const embedded = await startTestService({ models, stores: there, environment: { DATA_DIR: at('quiet') } })
  assert.deepEqual(first(await answers(embedded, key, all, 6)), expected)
  await embedded.close()

  const occupied = await restore(serverConfig, at('quiet.backup'), { ...quiet, stores })
  assert.ok(occupied.outcome === 'occupied' && (occupied.holds.chunk ?? 0) >= all.length, occupied.outcome)

  await server.empty()
  const done = await restore(serverConfig, at('quiet.backup'), { ...quiet, stores })
  assert.equal(done.outcome, 'done')
  const again = await startTestService({ models, stores, environment })
  assert.deepEqual(first(await answers(again, key, all, 6)), expected)
  await again.close()
})

test('engines that are away are named, and no file is left', async () => {
  const away = configOf({ ...environment, NEO4J_URL: 'bolt://127.0.0.1:9' })
  await assert.rejects(
    backUp(away, at('away.backup'), () => {}),
    /neo4j is not available/,
  )
  assert.ok(!readdirSync(folder).some((name) => name.startsWith('away')))
})
