import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { openServerStores } from '../../src/stores/server/stores.ts'
import type { TestService } from '../harness.ts'
import { engineFolder, killEngine, serversScript, withoutAddresses } from './engines.ts'
import { smallOptions, startOnServers } from './open.ts'
import { openEngines, until, untilReady } from './support.ts'

/** The promise: everything is found again so soon after Qdrant lost all it had. */
const rebuiltMs = 60_000

let looking: Awaited<ReturnType<typeof openEngines>>
let service: TestService
let key: string
const told: string[] = []

before(async () => {
  looking = await openEngines(smallOptions())
  await looking.wipe()
  service = await startOnServers(smallOptions())
  ;({ key } = await service.newKey('enterprise'))
})
after(async () => {
  await service.close()
  await looking.close()
})

const post = (route: string, body: object) => service.call('POST', `/brain/${route}`, { key, body })
const health = async () => (await service.call('GET', '/brain/health')).json

async function tell(): Promise<number> {
  const number = told.length
  const text = `Keeper${number} keeps Treasure${number}.`
  told.push('')
  const { status } = await post('ingest', { text, session_id: 's' })
  if (status === 200) told[number] = text
  return status
}

async function finds(text: string): Promise<boolean> {
  const { status, json } = await post('retrieve', { query: text, k: 3, include_semantic: false })
  return status === 200 && (json.facts as { fact: string }[]).some(({ fact }) => fact === text)
}

/** Qdrant itself without its storage where it is ours to stop; elsewhere all its collections. */
async function wipe(): Promise<void> {
  if (!existsSync(engineFolder('qdrant'))) return deleteCollections()
  await killEngine('qdrant')
  rmSync(`${engineFolder('qdrant')}/storage`, { recursive: true })
  execFileSync(serversScript, ['up'], { env: withoutAddresses(), stdio: ['ignore', 'ignore', 'inherit'] })
}

async function deleteCollections(): Promise<void> {
  const { qdrant } = looking.raw
  const { collections } = await qdrant.call((client) => client.getCollections())
  for (const { name } of collections) await qdrant.call((client) => client.deleteCollection(name), 30_000)
}

for (const [name, lose] of [
  ['its storage is gone after a restart', wipe],
  ['its collections are deleted while it runs', deleteCollections],
] as const) {
  test(`${name}: all is found again by itself, nothing answers 500, health tells the truth meanwhile`, async () => {
    for (let round = 0; round < 10; round++) await Promise.all(Array.from({ length: 10 }, tell))
    const asked = told.find((text) => text !== '') ?? ''
    let isOver = false
    const statuses = new Map<number, number>()
    const lies: string[] = []
    const states = new Set<unknown>()
    const load = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        const first = await health()
        const { status, headers, json } = await post('retrieve', { query: asked, k: 3 })
        const second = await health()
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        states.add(second.qdrant)
        const isWhole =
          status === 200 &&
          !headers.has('x-degraded') &&
          (json.facts as { fact: string }[]).some(({ fact }) => fact === asked)
        if (first.ready === true && second.ready === true && !isWhole)
          lies.push(`ready, and retrieve answered ${status} ${JSON.stringify(json).slice(0, 200)}`)
        statuses.set(await tell(), 1)
        statuses.set((await post('stats', { user_id: 'x' })).status, 1)
      }
    })
    await delay(500)
    await lose()
    const started = performance.now()
    const isReady = async () => (await health()).ready === true
    await until(async () => (await isReady()) && (await finds(asked)), rebuiltMs)
    const took = performance.now() - started
    isOver = true
    await Promise.all(load)
    const acknowledged = told.filter((text) => text !== '')
    const lost: string[] = []
    for (const text of acknowledged) if (!(await finds(text))) lost.push(text)
    console.log(
      `${acknowledged.length} texts found again ${Math.round(took)} ms after Qdrant was back; health: ${[...states].join('; ')}`,
    )
    assert.deepEqual(lost, [])
    assert.deepEqual(lies, [])
    assert.deepEqual(
      [...statuses.keys()].filter((status) => ![200, 503].includes(status)),
      [],
    )
    assert.ok([...states].some((state) => /^error: (rebuilding|starting|unreachable)/.test(String(state))))
  })
}

test('a copy that lacks memories is noticed at the start and made anew', async () => {
  const { qdrant } = looking.raw
  const { aliases } = await qdrant.call((client) => client.getAliases())
  const collection = aliases.find(({ alias_name }) => alias_name.endsWith('_chunk'))?.alias_name
  assert.ok(collection)
  await qdrant.call((client) => client.delete(collection, { wait: true, filter: {} }))
  const fresh = openServerStores(smallOptions())
  await untilReady(fresh)
  await until(async () => (await health()).ready === true, rebuiltMs)
  await fresh.close()
  const text = told.find((kept) => kept !== '') ?? ''
  assert.ok(await finds(text))
})

test('the collections of another installation are left alone', async () => {
  const { qdrant, neo4j } = looking.raw
  const before = await qdrant.call((client) => client.getAliases())
  // Neo4j of another installation: it names another index.
  await neo4j.write("MATCH (i:SearchIndex) SET i.name = 'other'", {})
  await until(async () => (await health()).ready !== true, rebuiltMs)
  await until(async () => (await health()).ready === true, rebuiltMs)
  const after = await qdrant.call((client) => client.getAliases())
  assert.equal(after.aliases.length, before.aliases.length + 3)
  const text = told.find((kept) => kept !== '') ?? ''
  assert.ok(await finds(text))
})
