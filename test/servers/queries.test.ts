import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import neo4j, { type Plan } from 'neo4j-driver'
import { plannedOnce } from '../../src/stores/server/neo4j/schema.ts'
import { openServerStores, type ServerStores } from '../../src/stores/server/stores.ts'
import { naughtyStrings } from '../fuzz/naughty.ts'
import type { TestService } from '../harness.ts'
import { smallOptions, startOnServers } from './open.ts'
import { openEngines, untilReady } from './support.ts'

const sent = new Set<string>()
let service: TestService
let background: ServerStores

before(async () => {
  const engines = await openEngines()
  await engines.wipe()
  await engines.close()
  const small = smallOptions()
  const options = { ...small, neo4j: { ...small.neo4j, onQuery: (text: string) => sent.add(text) } }
  service = await startOnServers(options)
  background = openServerStores(options)
  await untilReady(background)
})
after(async () => {
  await service.close()
  await background.close()
})

/** What the service asks by itself once in a while, at any time: it belongs to the list. */
async function everyDuty(): Promise<void> {
  const { memory, accounts } = background
  for (const namespace of await memory.graph.namespaces()) await memory.graph.countOrphans(namespace)
  await accounts.ledger.refundUnsettled()
  await accounts.idempotency.abandonUnfinished()
  await background.repair()
}

/** Every route, every field that takes words, with the given word in it. */
async function everyRoute(key: string, word: string): Promise<void> {
  const post = (route: string, body: object, headers = {}) =>
    service.call('POST', `/brain/${route}`, { key, body, headers })
  const name = word.slice(0, 128)
  const text = `Ana likes ${word}. Ana lives in ${word}. ${word} works at Acme.`
  const item = { text, persona: name, session_id: name, metadata: { [name]: word } }
  await post('ingest', item)
  await post('ingest', { text: `Ana lives in Rome. ${word}`, persona: name, source: 'assistant' })
  const header = /^[\x20-\x7e]+$/.test(name) ? { 'idempotency-key': name } : {}
  await post('ingest', { ...item, source: 'document' }, header)
  await post('ingest', { text: `Then ${word} came.`, persona: name, session_id: name })
  await post('ingest', { text, source: 'assistant' })
  await post('ingest', { text, source: 'user' })
  await post('ingest/batch', { items: [item, { text: word }, { text: `You live in ${word}.` }] })
  await post('retrieve', { query: word, persona: name, session_id: name, max_hops: 3 })
  await post('retrieve', { query: `Where does Ana live? ${word}`, max_hops: 2 })
  await post('extract', item)
  const filter = { [name]: word, other: { exists: false } }
  const seen = { filter, since: 0, until: 1e12, max_hops: 3 }
  await post('retrieve', { query: word, ...seen, as_of: 1e12, session_id: name })
  await post('retrieve', { query: word, ...seen, as_of: 1_800_000_000, filter: null })
  await post('forget', { filter, persona: name, dry_run: true })
  await post('stats', { user_id: word, persona: name })
  await post('stats', { user_id: word, persona: '*' })
  await post('prune', { persona: name, dry_run: false, threshold: 0.01 })
  await post('consolidate', { persona: name, force: true })
  const address = encodeURIComponent(name.toWellFormed())
  const list = `/brain/memories?persona=${address}&session_id=${address}&limit=2`
  const { json } = await service.call('GET', list, { key })
  await service.call('GET', `/brain/memories?limit=1&cursor=${address}`, { key })
  for (const place of [
    `entities?prefix=${address}&text=${address}`,
    `entities?limit=1&cursor=${address}`,
    `graph?entity=${address}&hops=2&include_superseded=true&persona=${address}`,
    `graph?query=${encodeURIComponent(`Ana ${word}`.toWellFormed())}`,
    `profile?persona=${address}`,
    'usage',
  ])
    await service.call('GET', `/brain/${place}`, { key })
  const ids = ((json.memories ?? []) as { id: string }[]).map(({ id }) => id)
  for (const id of [address, ...ids]) {
    await service.call('GET', `/brain/memories/${id}`, { key })
    await service.call('GET', `/brain/memories/${id}/history`, { key })
    await service.call('PATCH', `/brain/memories/${id}`, { key, body: { pinned: true } })
  }
  await service.call('PATCH', `/brain/memories/${ids[0] ?? address}`, { key, body: { text: `Not ${word}.` } })
  await service.call('DELETE', `/brain/memories/${ids[0] ?? address}`, { key })
  await post('forget', { entity: word.slice(0, 128) })
  await service.call('GET', `/brain/memories?filter=${encodeURIComponent(JSON.stringify(filter))}`, { key })
  await post('forget', { filter, session_id: name })
  await post('forget', { session_id: name })
  await post('forget', { persona: name })
  await service.admin('POST', '/admin/keys', { account: name, tier: 'free' })
  await service.admin('PATCH', `/admin/accounts/${address}`, { tier: 'pro' })
  await service.admin('POST', `/admin/keys/${address}/rotate`, {})
  await service.admin('DELETE', `/admin/keys/${address}`)
  await service.admin('GET', '/admin/keys')
  await service.admin('GET', `/admin/accounts/${address}/export`)
  await service.admin('DELETE', `/admin/accounts/${address}`)
}

const operators = ({ operatorType, children }: Plan): readonly string[] => [
  operatorType,
  ...children.flatMap(operators),
]

test('what is planned once, on an engine without anything, looks everything up in an index', async () => {
  const { url } = smallOptions().neo4j
  const driver = neo4j.driver(url)
  const kept = [...sent].filter((text) => text.startsWith(plannedOnce))
  const scans = []
  for (const text of kept) {
    const { summary } = await driver.executeQuery(text.replace(plannedOnce, 'EXPLAIN'))
    assert.ok(summary.plan)
    const found = operators(summary.plan).filter((operator) => operator.includes('Scan'))
    if (found.length > 0) scans.push({ text, found })
  }
  await driver.close()
  assert.ok(kept.length >= 9, `${kept.length} texts`)
  assert.deepEqual(scans, [])
})

test('the query texts that Neo4j sees do not depend on the input', async () => {
  const { key } = await service.newKey('enterprise')
  // Twice: what is stored the first time is found the second.
  for (const word of ['Lisbon', 'tea', 'Lisbon']) await everyRoute(key, word)
  await everyDuty()
  const usual = new Set(sent)
  const words = [...new Set(naughtyStrings())].filter((word) => word.length <= 4_000)
  const share = Math.max(1, Math.ceil(words.length / 24))
  const chosen = words.filter((_, place) => place % share === 0)
  for (const word of chosen) await everyRoute(key, word)
  const unusual = [...sent].filter((text) => !usual.has(text))
  console.log(
    `${sent.size} different query texts for ordinary words; ${unusual.length} more for ${chosen.length} hostile ones`,
  )
  assert.deepEqual(unusual, [])
})
