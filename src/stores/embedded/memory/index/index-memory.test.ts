import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { asNamespace } from '../../../../core/ids.ts'
import { chunkId, everything, item, unit } from '../../../contracts/journal-drafts.ts'
import type { Engine } from '../../engine/engine.ts'
import { openInlineEngine } from '../../engine/inline.ts'
import { createEmbeddedMemoryStores } from '../stores.ts'
import { blockTexts } from './entries.ts'
import { createHeldIndexes } from './held-indexes.ts'

const namespace = asNamespace('mine')
const large = 2 ** 28
const vector = unit(1, 1)
const question = { vector, terms: ['boat', 'red'], personas: null, nearest: 5, lexical: 5 }

/** Everything that a question asks of the indexes, with so much memory for them. */
async function answers(engine: Engine, indexBudgetBytes: number, personas: readonly string[] | null = null) {
  const { episodic, graph } = createEmbeddedMemoryStores(engine, { indexBudgetBytes })
  const within = { since: null, until: null, asOf: 1_000_005, filter: null }
  return {
    chunks: await episodic.search(namespace, { ...question, personas }),
    near: await episodic.nearest(namespace, ['shared'], vector, 4),
    facts: await graph.searchFacts(namespace, { ...question, personas, limit: 4 }),
    before: await graph.searchFacts(namespace, { ...question, personas, limit: 4, within }),
    entities: await graph.nearestEntities(namespace, vector, 3),
  }
}

test('a namespace that is read for the question answers as one in memory', async () => {
  const text = fc.record({
    words: fc.array(fc.constantFrom('boat', 'red', 'sea'), { minLength: 1, maxLength: 4 }),
    at: fc.nat(3),
    persona: fc.constantFrom('shared', 'work'),
    isRemoved: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { maxLength: 30 }),
      fc.constantFrom(null, ['work'], ['nobody']),
      async (texts, personas) => {
        const engine = openInlineEngine()
        const { journal, episodic } = createEmbeddedMemoryStores(engine, { indexBudgetBytes: 1 })
        for (const [place, { words, at, persona, isRemoved }] of texts.entries()) {
          const told = `${words.join(' ')} ${place}`
          const facts = [{ name: told, subject: 'ana', object: `thing ${at}`, text: told }]
          const entities = [{ key: 'ana' }, { key: `thing ${at}`, vector: unit(1, at) }]
          const session = `${place % 3}`
          await journal.remember(
            namespace,
            item(told, { vector: unit(1, at), persona, session, facts, entities, at: 1_000_000 + place }),
          )
          if (isRemoved) await episodic.remove(namespace, { ...everything, ids: [chunkId(told)] })
        }
        const read = await answers(engine, 1, personas)
        assert.equal((await engine.read('index.state')).bytes, 0)
        const loaded = await answers(engine, large, personas)
        assert.ok((await engine.read('index.state')).loads > 0)
        assert.deepEqual(read, loaded)
        await engine.close()
      },
    ),
    { numRuns: 25 },
  )
})

async function fillLarge(engine: Engine, count: number): Promise<void> {
  const { journal } = createEmbeddedMemoryStores(engine)
  for (let at = 0; at < count; at++) {
    await journal.remember(
      namespace,
      item(`${at % 7 === 0 ? 'boat' : 'sea'} ${at}`, {
        vector: unit(1, (at % 90) / 100),
        session: `${at % 5}`,
      }),
    )
  }
}

test('a large namespace that is half read answers with what changed meanwhile', async () => {
  const engine = openInlineEngine()
  await fillLarge(engine, 2 * blockTexts + 50)
  const { journal, episodic } = createEmbeddedMemoryStores(engine, { indexBudgetBytes: large })
  const counts = async () => {
    const { loads, passes } = await engine.read('index.state')
    return { loads, passes }
  }
  const texts = async () => (await episodic.search(namespace, question)).hits.map(({ chunk }) => chunk.text)
  const removed = 'boat 70'
  await engine.read('index.loadLarge', { budgetBytes: large })
  await engine.read('index.state')
  // One block is there, with what is removed now; the question reads the rest.
  await episodic.remove(namespace, { ...everything, ids: [chunkId(removed)] })
  await journal.remember(namespace, item('red boat', { vector }))
  const found = await texts()
  assert.deepEqual([found.includes('red boat'), found.includes(removed)], [true, false])
  const loaded = await episodic.search(namespace, question)
  assert.deepEqual(await counts(), { loads: 1, passes: 0 })
  const little = createEmbeddedMemoryStores(engine, { indexBudgetBytes: 1 })
  await little.episodic.search(namespace, question)
  assert.deepEqual(await little.episodic.search(namespace, question), loaded)
  assert.deepEqual(await counts(), { loads: 1, passes: 1 })
  await engine.close()
})

test('a thousand namespaces keep to the budget, and those that do not fit are not loaded again and again', async () => {
  const engine = openInlineEngine()
  const budget = 20 * 2 ** 20
  const { journal, episodic } = createEmbeddedMemoryStores(engine, { indexBudgetBytes: budget })
  const namespaces = Array.from({ length: 1_000 }, (_, at) => asNamespace(`n${at}`))
  for (const each of namespaces) await journal.remember(each, item(`boat of ${each}`))
  const loads: number[] = []
  for (const _round of [1, 2, 3]) {
    for (const each of namespaces) {
      const { hits } = await episodic.search(each, question)
      assert.deepEqual(
        hits.map(({ chunk }) => chunk.text),
        [`boat of ${each}`],
      )
      assert.ok((await engine.read('index.state')).bytes <= budget)
    }
    loads.push((await engine.read('index.state')).loads)
  }
  const [afterFirst = 0, ...later] = loads
  assert.ok(afterFirst > 100)
  assert.deepEqual(later, [afterFirst, afterFirst])
  // One that is asked for again while the others are not comes in.
  const last = asNamespace('n999')
  for (const _again of [1, 2, 3]) await episodic.search(last, question)
  const { passes } = await engine.read('index.state')
  await episodic.search(last, question)
  assert.equal((await engine.read('index.state')).passes, passes)
  await engine.close()
})

const anIndex = (bytes: number) =>
  ({ bytes, count: 1, release: () => undefined }) as unknown as Parameters<
    typeof createHeldIndexes
  >[0] extends () => infer Index
    ? Index
    : never

test('two that take turns do not push each other out; one that is asked for alone comes in', () => {
  const held = createHeldIndexes(() => anIndex(700_000))
  const candidate = { texts: 800, budgetBytes: 1_000_000, change: 0 }
  const ask = (key: string) => held.use(key) !== null || held.admit(key, candidate) !== null
  assert.ok(ask('a'))
  for (let turns = 0; turns < 100; turns++) {
    assert.equal(ask('b'), false)
    assert.ok(ask('a'))
  }
  assert.equal(ask('b'), false)
  assert.ok(ask('b'))
  assert.equal(ask('a'), false)
})
