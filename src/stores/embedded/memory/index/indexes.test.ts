import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { asNamespace } from '../../../../core/ids.ts'
import { dot } from '../../../../core/vectors.ts'
import { chunkId, everything, item, unit } from '../../../contracts/journal-drafts.ts'
import { openInlineEngine } from '../../engine/inline.ts'
import { createScanArena } from '../../vector-scan/arena.ts'
import { readRounded, roundVector } from '../../vector-scan/rounded.ts'
import { createEmbeddedMemoryStores } from '../stores.ts'
import { createSearchIndex } from './search-index.ts'

const question = { vector: unit(1), terms: ['boat'], personas: null, nearest: 50, lexical: 50 }

test('searches stay right when every index is dropped after use', async () => {
  const engine = openInlineEngine()
  const { journal, episodic } = createEmbeddedMemoryStores(engine, { indexBudgetBytes: 1 })
  const namespaces = ['a', 'b', 'c'].map(asNamespace)
  for (const round of [1, 2, 3]) {
    for (const namespace of namespaces) {
      await journal.remember(namespace, item(`boat ${namespace} ${round}`, { vector: unit(1, round) }))
      const { hits } = await episodic.search(namespace, question)
      const texts = hits.map(({ chunk }) => chunk.text).sort()
      assert.deepEqual(
        texts,
        [1, 2, 3].slice(0, round).map((at) => `boat ${namespace} ${at}`),
      )
    }
  }
  await engine.close()
})

test('an index that follows every change answers as one that is read anew', async () => {
  const step = fc.record({ kind: fc.constantFrom('add', 'add', 'remove', 'search'), at: fc.nat(12) })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const engine = openInlineEngine()
      const following = createEmbeddedMemoryStores(engine)
      const namespace = asNamespace('mine')
      for (const { kind, at } of steps) {
        const text = `boat ${at}`
        if (kind === 'add') {
          await following.journal.remember(
            namespace,
            item(text, { vector: unit(1, at), session: `${at % 2}` }),
          )
        }
        if (kind === 'remove')
          await following.episodic.remove(namespace, { ...everything, ids: [chunkId(text)] })
        if (kind === 'search') await following.episodic.search(namespace, question)
      }
      const seen = await following.episodic.search(namespace, question)
      // Another namespace with the smallest budget pushes the index out; the next search reads it anew.
      await createEmbeddedMemoryStores(engine, { indexBudgetBytes: 1 }).episodic.search(
        asNamespace('other'),
        question,
      )
      assert.deepEqual(await following.episodic.search(namespace, question), seen)
      await engine.close()
    }),
    { numRuns: 25 },
  )
})

test('places that share a vector are all found, and removed one by one', () => {
  const index = createSearchIndex(createScanArena())
  const vectors = [unit(1), unit(1), unit(0, 1), unit(1), unit(1)]
  vectors.forEach((vector, at) => {
    const entry = { id: `id-${at}`, persona: at === 1 ? 'work' : 'shared', thread: null, terms: '' }
    index.add({ ...entry, seq: at + 1, firstSeq: at + 1, rounded: readRounded(roundVector(vector)) })
  })
  const nearest = (personas: readonly string[] | null, limit: number) =>
    index
      .nearest({
        vector: unit(1),
        personas,
        limit,
        exact: (places) => Float64Array.from(places, (place) => dot(unit(1), vectors[place] ?? unit(1))),
      })
      .map(({ place }) => place)
  assert.deepEqual(nearest(null, 4), [0, 1, 3, 4])
  assert.deepEqual(nearest(['work'], 4), [1])
  index.remove(1)
  index.remove(4)
  index.remove(99)
  assert.deepEqual(nearest(null, 4), [1, 4, 2])
  assert.deepEqual(nearest(null, 0), [])
})

test('an index is worn once removed entries are many', () => {
  const index = createSearchIndex(createScanArena())
  const rounded = readRounded(roundVector(unit(1)))
  for (let seq = 1; seq <= 2_000; seq++) {
    const entry = { seq, id: `${seq}`, persona: 'shared', thread: null, firstSeq: seq, terms: 'boat' }
    index.add({ ...entry, rounded })
  }
  for (let seq = 1; seq <= 1_000; seq++) index.remove(seq)
  assert.equal(index.isWorn, false)
  index.remove(1_001)
  assert.equal(index.isWorn, true)
})
