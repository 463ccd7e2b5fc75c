import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { asNamespace } from '../../../core/ids.ts'
import { chunkId, everything, item, start, unit } from '../../contracts/journal-drafts.ts'
import { openEngine } from '../engine/engine.ts'
import { createEmbeddedMemoryStores } from './stores.ts'

const mine = asNamespace('mine')
const question = { vector: unit(1), terms: ['boat'], personas: null, nearest: 5, lexical: 5 }

test('a search in the reading thread sees every write that resolved, also after a restart', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'memoryd-threads-'))
  try {
    const engine = await openEngine({ directory })
    const { journal, episodic, graph } = createEmbeddedMemoryStores(engine)
    for (const [at, object] of ['tea', 'rome', 'jazz'].entries()) {
      const facts = [{ relation: 'likes', object }]
      await journal.remember(
        mine,
        item(`boat ${object}`, { facts, session: 's', at: start + at, vector: unit(1, at) }),
      )
      const { hits } = await episodic.search(mine, question)
      assert.equal(hits.length, at + 1)
      assert.equal((await graph.searchFacts(mine, { ...question, limit: 5 })).length, at + 1)
    }
    await episodic.remove(mine, { ...everything, ids: [chunkId('boat rome')] })
    const before = await episodic.search(mine, question)
    assert.deepEqual(before.hits.map(({ chunk }) => chunk.text).sort(), ['boat jazz', 'boat tea'])
    await engine.close()

    const again = await openEngine({ directory })
    const reopened = createEmbeddedMemoryStores(again)
    assert.deepEqual(await reopened.episodic.search(mine, question), before)
    await again.close()
  } finally {
    await rm(directory, { recursive: true })
  }
})

test('vectors that are views of a larger memory arrive whole', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'memoryd-threads-'))
  const engine = await openEngine({ directory })
  try {
    const { journal, episodic } = createEmbeddedMemoryStores(engine)
    const batch = new Float32Array([...unit(1), ...unit(0, 1)])
    await journal.remember(mine, item('second', { vector: batch.subarray(384) }))
    const [hit] = await episodic.nearest(mine, ['shared'], batch.subarray(384), 1)
    assert.ok(Math.abs((hit?.cosine ?? 0) - 1) < 1e-6)
  } finally {
    await engine.close()
    await rm(directory, { recursive: true })
  }
})
