import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { z } from 'zod'
import { extractReply } from '../src/http/routes/graph-replies.ts'
import { listReply } from '../src/http/routes/replies.ts'
import { certain } from '../src/memory/relation/certainty.ts'
import { startTestService } from './harness.ts'

type Preview = z.output<typeof extractReply>

const service = await startTestService()
after(() => service.close())

async function newTenant() {
  const { key } = await service.newKey('pro')
  const call = async (path: string, body: object) => {
    const { status, text, json } = await service.call('POST', path, { key, body })
    assert.equal(status, 200, text)
    return json
  }
  const memories = async () =>
    listReply.parse((await service.call('GET', '/brain/memories?limit=100', { key })).json).memories
  return {
    key,
    memories,
    ingest: (text: string, more: object = {}) => call('/brain/ingest', { text, ...more }),
    extract: async (text: string, more: object = {}): Promise<Preview> =>
      extractReply.parse(await call('/brain/extract', { text, ...more })),
  }
}

test('shows chunks, entities and facts, each fact with the words it was read from', async () => {
  const { extract } = await newTenant()
  const text = 'Well then. Ana likes Tea. Ben visits Lisbon.'
  const { chunks, entities, facts, duplicate } = await extract(text)
  assert.deepEqual(chunks, [{ text, start: 0, end: text.length }])
  assert.deepEqual(
    entities.map(({ name, id }) => [name, id]),
    ['Ana', 'Tea', 'Ben', 'Lisbon'].map((name) => [name, null]),
  )
  assert.deepEqual(
    facts.map(({ subject, relation, object, certainty, outcome }) => [
      subject,
      relation,
      object,
      certainty,
      outcome,
    ]),
    [
      ['Ana', 'likes', 'Tea', 0.9, 'new'],
      ['Ben', 'visits', 'Lisbon', 0.9, 'new'],
    ],
  )
  for (const { evidence } of facts) assert.equal(text.slice(evidence.start, evidence.end), evidence.text)
  assert.deepEqual(
    facts.map(({ evidence }) => evidence.text),
    ['Ana likes Tea.', 'Ben visits Lisbon.'],
  )
  assert.equal(duplicate, null)
})

test('stores nothing: no memory, no entity, no session, and the same text is new afterwards', async () => {
  const { key, extract, memories, ingest } = await newTenant()
  const session_id = 'today'
  const first = await extract('Ana likes Tea.', { session_id })
  const second = await extract('Ana likes Tea.', { session_id })
  assert.deepEqual({ ...second, latency_ms: 0 }, { ...first, latency_ms: 0 })
  assert.deepEqual(await memories(), [])
  const stats = await service.call('POST', '/brain/stats', { key, body: { user_id: '', persona: '*' } })
  assert.deepEqual([stats.json.episodic_count, stats.json.semantic_entities], [0, 0])
  const body = { query: 'What does Ana like?', session_id, min_score: 0 }
  const found = await service.call('POST', '/brain/retrieve', { key, body })
  assert.deepEqual(found.json.facts, [])
  assert.equal((await ingest('Ana likes Tea.')).deduplicated, false)
})

test('what it says would be replaced is what ingest then replaces', async () => {
  const { extract, ingest, memories } = await newTenant()
  await ingest('Ana lives_in Lisbon.')
  await ingest('Ana likes Tea.')
  const before = await memories()
  const lisbon = before.find(({ triple }) => triple?.object === 'Lisbon')
  const text = before.find(({ type, fact }) => type === 'episodic' && fact.includes('Lisbon'))
  const preview = await extract('Ana lives_in Porto.')
  const [fact] = preview.facts
  assert.deepEqual(
    fact?.replaces.map(({ id, kind }) => [id, kind]),
    [[lisbon?.id, 'replaces']],
  )
  assert.ok((fact?.replaces[0]?.probability ?? 0) >= certain)
  assert.deepEqual(
    preview.replaces.map(({ id, closes }) => [id, closes.map((closed) => closed.id)]),
    [[text?.id, [lisbon?.id]]],
  )
  assert.deepEqual(
    preview.entities.map(({ id }) => id === null),
    [false, true],
  )
  assert.deepEqual(await memories(), before)
  await ingest('Ana lives_in Porto.')
  const current = await memories()
  assert.ok(!current.some(({ id }) => id === lisbon?.id))
  assert.ok(current.some(({ triple }) => triple?.object === 'Tea'))
})

test('what is known is told apart: a repeated text, a repeated fact, a fact that more trusted words exclude', async () => {
  const { extract, ingest, memories } = await newTenant()
  await ingest('Ana likes Tea.', { source: 'assistant' })
  await ingest('Ben lives_in Rome.')
  const stored = (await memories()).find(({ fact }) => fact === 'Ana likes Tea.')
  const again = await extract('Ana likes Tea.', { source: 'assistant' })
  assert.deepEqual([again.duplicate?.id, again.duplicate?.upgrades], [stored?.id, false])
  assert.equal((await extract('Ana likes Tea.')).duplicate?.upgrades, true)
  assert.equal((await extract('I say that Ana likes Tea.')).facts[0]?.outcome, 'known')
  const doubted = await extract('Ben lives_in Oslo.', { source: 'assistant' })
  assert.deepEqual([doubted.facts[0]?.outcome, doubted.facts[0]?.replaces], ['history', []])
})

test('an LLM that was asked for and is not there is told', async () => {
  const { extract } = await newTenant()
  assert.match((await extract('Ana likes Tea.', { use_llm_extraction: true })).notice ?? '', /No LLM/)
})

test('costs as much as an ingest', async () => {
  const { key } = await service.newKey('pro', 9)
  const call = () => service.call('POST', '/brain/extract', { key, body: { text: 'Ana likes Tea.' } })
  assert.deepEqual([(await call()).status, (await call()).status], [200, 429])
})

test('goes by when it was said, which is not the future', async () => {
  const { key, extract, ingest } = await newTenant()
  await ingest('Ana lives_in Lisbon.', { occurred_at: 1_700_000_000 })
  const earlier = await extract('Ana lives_in Porto.', { occurred_at: 1_600_000_000 })
  const later = await extract('Ana lives_in Porto.', { occurred_at: 1_750_000_000 })
  assert.deepEqual(
    [earlier, later].map(({ facts }) => [facts[0]?.outcome, facts[0]?.replaces.length]),
    [
      ['history', 0],
      ['new', 1],
    ],
  )
  const body = { text: 'Ana likes Tea.', occurred_at: 1e11 }
  const { status, json } = await service.call('POST', '/brain/extract', { key, body })
  assert.equal(status, 400)
  assert.match(String(json.detail), /^occurred_at must not be in the future/)
})
