import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { lifecycleReply, pruneReply } from '../src/http/routes/replies.ts'
import { startTestService } from './harness.ts'

const service = await startTestService()
after(() => service.close())

const day = 86_400

async function newTenant(...texts: readonly string[]) {
  const { key } = await service.newKey('enterprise')
  for (const text of texts) await service.call('POST', '/brain/ingest', { key, body: { text } })
  return {
    prune: (body: object) => service.call('POST', '/brain/prune', { key, body }),
    consolidate: () => service.call('POST', '/brain/consolidate', { key, body: {} }),
    lifecycle: (query = '') => service.call('GET', `/brain/lifecycle${query}`, { key }),
  }
}

describe('POST /brain/prune', () => {
  test('a dry run ahead of time counts and shows what will have faded, and deletes nothing', async () => {
    const { prune } = await newTenant('Ana likes Tea.')
    const soon = pruneReply.parse((await prune({ in_days: 30 })).json)
    const later = pruneReply.parse((await prune({ in_days: 31, limit: 1 })).json)
    assert.deepEqual([soon.candidates, later.candidates, later.pruned], [0, 2, 0])
    assert.deepEqual([soon.memories.length, later.memories.length], [0, 1])
    assert.equal(later.memories[0]?.retention, 1)
  })

  test('nothing is deleted ahead of time', async () => {
    const { prune } = await newTenant('Ana likes Tea.')
    const { status, json } = await prune({ in_days: 31, dry_run: false })
    assert.deepEqual([status, json.errors], [400, [{ path: 'in_days', message: 'in_days needs dry_run' }]])
    for (const body of [{ in_days: -1 }, { in_days: 4000 }, { limit: 101 }, { limit: 0.5 }])
      assert.equal((await prune(body)).status, 400)
  })
})

describe('GET /brain/lifecycle', () => {
  test('tells the rules of fading and what the runs of this account did', async () => {
    const ours = await newTenant('Ana likes Tea.')
    const theirs = await newTenant('Ben likes Tea.')
    assert.deepEqual((await ours.lifecycle()).json, { half_life_days: 7, prune_threshold: 0.05, runs: [] })
    service.clock.advance(31 * day)
    await ours.consolidate()
    const { runs } = lifecycleReply.parse((await ours.lifecycle()).json)
    assert.deepEqual(runs, [
      {
        ...{ at: service.clock.now(), automatic: false, reinforced: 0, decayed: 1, pruned: 2 },
        ...{ held_back: 0, compressed: 0, abstractions: 0 },
      },
    ])
    assert.deepEqual((await ours.lifecycle('?persona=work')).json.runs, [])
    assert.deepEqual((await theirs.lifecycle()).json.runs, [])
    assert.equal((await ours.lifecycle('?persona=')).status, 400)
  })
})
