import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { StoredText, VectorMaintenance } from '../../memory/ports.ts'
import { chunkId, factId, item, type OpenStores, start, unit, withStores } from './journal-drafts.ts'

const identity = { model: 'one', weights: 'abc', scale: '1', dimensions: 384 }

async function allTexts(vectors: VectorMaintenance, limit: number): Promise<StoredText[]> {
  const found: StoredText[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<VectorMaintenance['texts']>> = await vectors.texts(cursor, limit)
    assert.ok(page.texts.length <= limit)
    found.push(...page.texts)
    cursor = page.texts.length === 0 ? null : page.cursor
  } while (cursor !== null)
  return found
}

/** Rules VM1 to VM4 of docs/ports/memory.md. */
export function vectorMaintenanceContract(backend: string, open: OpenStores): void {
  describe(`vector maintenance: ${backend}`, () => {
    test('[VM1] knows the identity that was set last', () =>
      withStores(open, async ({ vectors }) => {
        assert.equal(await vectors.identity(), null)
        await vectors.setIdentity(identity)
        assert.deepEqual(await vectors.identity(), identity)
        await vectors.setIdentity({ ...identity, weights: 'def' })
        assert.deepEqual(await vectors.identity(), { ...identity, weights: 'def' })
      }))

    test('[VM2] pages through every text once', () =>
      withStores(open, async ({ vectors, journal }, mine, other) => {
        await journal.remember(mine, item('Rome', { facts: [{ object: 'rome' }] }))
        await journal.remember(mine, item('Oslo', { facts: [{ object: 'oslo' }] }))
        await journal.remember(other, item('Rome', { entities: [{ key: 'maria', name: 'Maria' }] }))
        const shown = (texts: readonly StoredText[], namespace: string) =>
          texts
            .filter((text) => text.namespace === namespace)
            .map(({ kind, text }) => `${kind}: ${text}`)
            .sort()
        assert.equal(await vectors.countTexts(), 9)
        for (const limit of [1, 2, 100]) {
          const texts = await allTexts(vectors, limit)
          assert.deepEqual(shown(texts, mine), [
            ...['chunk: Oslo', 'chunk: Rome', 'entity: oslo', 'entity: rome', 'entity: user'],
            ...['fact: user lives in oslo', 'fact: user lives in rome'],
          ])
          assert.deepEqual(shown(texts, other), ['chunk: Rome', 'entity: Maria'])
          assert.deepEqual(
            texts
              .filter(({ kind, namespace }) => kind === 'chunk' && namespace === other)
              .map(({ id }) => id),
            [chunkId('Rome')],
          )
        }
      }))

    test('[VM3] searches by the new vectors after a replacement', () =>
      withStores(open, async ({ vectors, journal, episodic, graph }, mine, other) => {
        for (const namespace of [mine, other]) {
          const entities = [{ key: 'user' }, { key: 'rome' }]
          await journal.remember(namespace, item('Rome', { facts: [{ object: 'rome' }], entities }))
        }
        const asked = unit(0, 1)
        const cosines = async (namespace: typeof mine) => {
          const [chunk] = await episodic.nearest(namespace, 'shared', asked, 1)
          const query = { vector: asked, terms: [], personas: null, limit: 1 }
          const [fact] = await graph.searchFacts(namespace, query)
          const [entity] = await graph.nearestEntities(namespace, asked, 1)
          return [chunk?.cosine, fact?.cosine, entity?.cosine].map((cosine) => Math.round(cosine ?? -1))
        }
        assert.deepEqual(await cosines(mine), [0, 0, 0])
        const texts = (await allTexts(vectors, 50)).filter(({ namespace }) => namespace === mine)
        await vectors.replace(texts.map((text) => ({ text, vector: asked })))
        assert.deepEqual(await cosines(mine), [1, 1, 1])
        assert.deepEqual(await cosines(other), [0, 0, 0])
        const [fact] = await graph.get(mine, [factId('Rome')])
        assert.deepEqual(fact?.vector, asked)
      }))

    test('[VM4] ends every session when the identity changes', () =>
      withStores(open, async ({ vectors, working }, mine) => {
        const observation = { sessionId: 's', vector: unit(1), facts: [], now: start }
        await vectors.setIdentity(identity)
        await working.observe(mine, observation)
        await vectors.setIdentity(identity)
        assert.notEqual(await working.session(mine, 's', start), null)
        await vectors.setIdentity({ ...identity, scale: '2' })
        assert.equal(await working.session(mine, 's', start), null)
      }))
  })
}
