import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { StoredText, VectorMaintenance } from '../../memory/ports.ts'
import {
  chunkId,
  everything,
  factId,
  item,
  type OpenStores,
  start,
  tokensOf,
  unit,
  withStores,
} from './journal-drafts.ts'

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

/** Rules VM1 to VM5 of docs/ports/memory.md. */
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
            ...['fact: Oslo', 'fact: Rome'],
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
          const [chunk] = await episodic.nearest(namespace, ['shared'], asked, 1)
          const query = { vector: asked, terms: [], personas: null, limit: 1 }
          const [fact] = await graph.searchFacts(namespace, query)
          const [entity] = await graph.nearestEntities(namespace, asked, 1)
          return [chunk?.cosine, fact?.cosine, entity?.cosine].map((cosine) => Math.round(cosine ?? -1))
        }
        assert.deepEqual(await cosines(mine), [0, 0, 0])
        const texts = (await allTexts(vectors, 50)).filter(({ namespace }) => namespace === mine)
        await vectors.replace(texts.map((text) => ({ text, vector: asked, tokens: null })))
        assert.deepEqual(await cosines(mine), [1, 1, 1])
        assert.deepEqual(await cosines(other), [0, 0, 0])
        const [fact] = await graph.get(mine, [factId('Rome')])
        assert.deepEqual(fact?.vector, asked)
      }))

    test('[VM5] hands out for a fact what ingest embeds: its only chunk, its sentence, or itself', () =>
      withStores(open, async ({ vectors, journal, episodic }, mine) => {
        const told = (text: string, object: string, evidence: string, more: readonly string[] = []) => {
          const pieces = more.map((piece) => ({ name: piece, text: piece, vector: unit(1) }))
          const written = item(text, { facts: [{ object }], more: pieces })
          return { ...written, facts: written.facts.map((fact) => ({ ...fact, evidence })) }
        }
        await journal.remember(mine, told('Hello. I live in Rome.', 'rome', 'I live in Rome.'))
        await journal.remember(mine, told('Hi. I am in Oslo. And', 'oslo', 'I am in Oslo.', ['so on.']))
        await journal.remember(mine, { ...told('none', 'bonn', ''), chunks: [] })
        await journal.remember(mine, told('Yes. I am in Riga.', 'riga', 'I am in Riga.'))
        await episodic.remove(mine, { ...everything, ids: [chunkId('Yes. I am in Riga.')] })
        const facts = (await allTexts(vectors, 2)).filter(({ kind }) => kind === 'fact')
        assert.deepEqual(facts.map(({ text }) => text).sort(), [
          'Hello. I live in Rome.',
          'I am in Oslo.',
          'I am in Riga.',
          'user lives in bonn',
        ])
      }))

    test('[VM6] replaces the token vectors of chunks with their vectors', () =>
      withStores(open, async ({ vectors, journal, episodic }, mine) => {
        await journal.remember(mine, item('Rome', { facts: [{ object: 'rome' }] }))
        const tokens = { ...tokensOf(1), importance: Float32Array.of(1) }
        const query = { vector: unit(1), terms: [], personas: null, nearest: 1, lexical: 0, tokens }
        const late = async () => (await episodic.search(mine, query)).hits[0]?.late?.weighted ?? null
        assert.equal(await late(), null)
        const texts = await allTexts(vectors, 50)
        await vectors.replace(texts.map((text) => ({ text, vector: unit(1), tokens: tokensOf(1) })))
        assert.equal(await late(), 1)
        await vectors.replace(texts.map((text) => ({ text, vector: unit(1), tokens: null })))
        assert.equal(await late(), null)
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
