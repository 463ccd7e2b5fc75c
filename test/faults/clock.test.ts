import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Embedder } from '../../src/memory/ports.ts'
import { hashingEmbedder, startTestService, type TestService } from '../harness.ts'
import { aNamespace, openSmallMemory } from '../support/small-memory.ts'
import { vectorsOnly } from '../support/vectors-only.ts'

const day = 86_400
const everything = { ids: null, persona: null, sessionId: null }

async function manyMemories(count: number) {
  const small = openSmallMemory()
  for (let at = 0; at < count; at++) await small.ingest(`Person${at} likes thing ${at}`)
  const left = async () => await small.stores.episodic.count(aNamespace, everything)
  return { ...small, left }
}

test('a clock that jumps forward costs a bounded part before somebody looks; an explicit call is obeyed', async () => {
  const { memory, clock, left } = await manyMemories(150)
  clock.advance(365 * day)
  const automatic = await memory.consolidateAutomatically(aNamespace)
  assert.equal(automatic.pruned.chunks + automatic.pruned.relations, 100)
  assert.equal(automatic.heldBack, 200)
  assert.equal(await left(), 100)
  const explicit = await memory.consolidate(aNamespace, { persona: null, force: true })
  assert.equal(explicit.memoriesPruned, 200)
  assert.equal(await left(), 0)
})

test('negative control: without the jump the same automatic run deletes and holds back nothing', async () => {
  const { memory, clock, left } = await manyMemories(150)
  clock.advance(day)
  const { pruned, heldBack } = await memory.consolidateAutomatically(aNamespace)
  assert.deepEqual([pruned.chunks, pruned.relations, heldBack], [0, 0, 0])
  assert.equal(await left(), 150)
})

test('a clock that jumps forward and back again leaves every memory as it was', async () => {
  const { memory, clock, retrieve, left } = await manyMemories(20)
  const before = (await retrieve('Person3 likes thing 3')).facts.map(({ id, retention }) => ({
    id,
    retention,
  }))
  clock.advance(20 * day)
  await memory.consolidateAutomatically(aNamespace)
  clock.advance(-20 * day)
  await memory.consolidate(aNamespace, { persona: null, force: true })
  const after = (await retrieve('Person3 likes thing 3')).facts.map(({ id, retention }) => ({
    id,
    retention,
  }))
  assert.deepEqual(after, before)
  assert.equal(await left(), 20)
})

test('a clock set back keeps confidences within bounds and new texts findable', async () => {
  const { clock, ingest, retrieve, memory } = await manyMemories(5)
  clock.advance(-30 * day)
  await ingest('Zoe lives in Lisbon')
  const { facts } = await retrieve('Where does Zoe live?', { minScore: 0 })
  assert.ok(facts.some(({ fact }) => fact.includes('Lisbon')))
  for (const { retention, confidence } of facts) assert.ok(retention >= 0 && retention <= confidence)
  const { memoriesPruned } = await memory.consolidate(aNamespace, { persona: null, force: true })
  assert.equal(memoriesPruned, 0)
})

const ingest = (service: TestService, key: string, text: string) =>
  service.call('POST', '/brain/ingest', { key, body: { text } })

test('a clock set back does not lock a key out for longer than its window', async () => {
  const service = await startTestService()
  const { key } = await service.newKey('free')
  for (let at = 0; at < 10; at++) await ingest(service, key, `Anna${at} likes Tea.`)
  service.clock.advance(-7 * day)
  const refused = await ingest(service, key, 'Ben likes Tea.')
  assert.equal(refused.status, 429)
  const { retry_after_seconds } = refused.json as { retry_after_seconds: number }
  assert.ok(retry_after_seconds <= 60, `${retry_after_seconds}`)
  service.clock.advance(retry_after_seconds)
  assert.equal((await ingest(service, key, 'Ben likes Tea.')).status, 200)
  await service.close()
})

const lastSecondOfNovember = Date.UTC(2026, 10, 30, 23, 59, 59) / 1_000

test('a budget that is used up is fresh with the first second of the next month (UTC), and not before', async () => {
  const service = await startTestService()
  service.clock.set(lastSecondOfNovember)
  const { key } = await service.newKey('enterprise', 5)
  assert.equal((await ingest(service, key, 'Anna likes Tea.')).status, 200)
  assert.equal((await ingest(service, key, 'Ben likes Tea.')).status, 429)
  service.clock.advance(1)
  assert.equal((await ingest(service, key, 'Ben likes Tea.')).status, 200)
  assert.equal((await ingest(service, key, 'Cleo likes Tea.')).status, 429)
  await service.close()
})

test('a request that fails after the month has changed gives its ops back to the month that paid', async () => {
  let whenAsked = () => {}
  const failing: Embedder = {
    identity: hashingEmbedder.identity,
    ...vectorsOnly(async (texts, signal) => {
      whenAsked()
      return hashingEmbedder.embed(texts, signal)
    }),
  }
  const service = await startTestService({ models: { embedder: failing } })
  service.clock.set(lastSecondOfNovember)
  const { key } = await service.newKey('enterprise', 10)
  whenAsked = () => {
    service.clock.advance(2)
    throw new Error('the model broke')
  }
  assert.equal((await ingest(service, key, 'Anna likes Tea.')).status, 500)
  whenAsked = () => {}
  // December has 10 ops: two texts. Had the refund gone there, it would have failed or made room for a third.
  const statuses: number[] = []
  for (const name of ['Anna', 'Ben', 'Cleo'])
    statuses.push((await ingest(service, key, `${name} likes Tea.`)).status)
  assert.deepEqual(statuses, [200, 200, 429])
  service.clock.set(lastSecondOfNovember)
  assert.equal((await ingest(service, key, 'Dora likes Tea.')).status, 200)
  await service.close()
})
