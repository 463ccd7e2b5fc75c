import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asEntityId, type EntityId, type Namespace } from '../../core/ids.ts'
import type { EdgeScope, EntityQuery, MemoryStores } from '../../memory/ports.ts'
import { chunkId, factId, item, type OpenStores, start, withStores } from './journal-drafts.ts'

const every: EntityQuery = { prefix: null, text: null, type: null, after: null, limit: 50 }
const current: EdgeScope = { personas: null, closed: false }
const all: EdgeScope = { personas: null, closed: true }

/** Rules GV1 to GV6 of docs/ports/memory.md. */
export function graphViewContract(backend: string, open: OpenStores): void {
  describe(`graph view: ${backend}`, () => {
    entityRules(open)
    edgeRules(open)
  })
}

async function idOf({ graph }: MemoryStores, namespace: Namespace, key: string): Promise<EntityId> {
  const [entity] = await graph.entitiesNamed(namespace, [key])
  assert.ok(entity !== undefined, key)
  return entity.id
}

/** The user lived in Rome and lives in Oslo, likes tea at work, and Ana likes tea less surely. */
async function tell({ journal }: MemoryStores, namespace: Namespace): Promise<void> {
  await journal.remember(namespace, item('Rome', { facts: [{ object: 'rome' }] }))
  await journal.remember(namespace, item('Oslo', { facts: [{ object: 'oslo' }], at: start + 1 }))
  const likes = { relation: 'likes', object: 'tea' }
  await journal.remember(namespace, item('tea', { facts: [likes], persona: 'work', at: start + 2 }))
  const ana = { subject: 'ana', ...likes, base: 0.6 }
  await journal.remember(
    namespace,
    item('Ana', {
      facts: [ana],
      at: start + 3,
      entities: [{ key: 'ana', name: 'Ana Bell', type: 'person', aliases: ['Annie'] }],
    }),
  )
}

function entityRules(open: OpenStores): void {
  test('[GV1] shows a namespace nothing of another', () =>
    withStores(open, async (stores, mine, other) => {
      await tell(stores, mine)
      await tell(stores, other)
      const { view, journal } = stores
      const theirs = { subject: 'user', relation: 'likes', object: 'secret' }
      await journal.remember(other, item('secret', { facts: [theirs], at: start + 9 }))
      const keys = (await view.entities(mine, every)).map(({ entity, facts }) => [entity.key, facts])
      assert.deepEqual(keys, [
        ['ana', 1],
        ['oslo', 1],
        ['rome', 0],
        ['tea', 2],
        ['user', 2],
      ])
      assert.deepEqual(await view.entities(mine, { ...every, text: 'secret' }), [])
      const ids = [await idOf(stores, other, 'user'), await idOf(stores, other, 'secret')]
      assert.deepEqual(await view.nodes(mine, ids, all), [])
      assert.deepEqual(await view.edges(mine, { ...all, entities: ids, perEntity: 9 }), [])
    }))

  test('[GV2] lists entities by key, page by page, by prefix, text and type', () =>
    withStores(open, async (stores, mine) => {
      await tell(stores, mine)
      const keys = async (query: Partial<EntityQuery>) =>
        (await stores.view.entities(mine, { ...every, ...query })).map(({ entity }) => entity.key)
      assert.deepEqual(await keys({ limit: 2 }), ['ana', 'oslo'])
      assert.deepEqual(await keys({ after: 'oslo', limit: 2 }), ['rome', 'tea'])
      assert.deepEqual(await keys({ after: 'user' }), [])
      assert.deepEqual(await keys({ prefix: 'o' }), ['oslo'])
      assert.deepEqual(await keys({ prefix: 'anni' }), ['ana'])
      assert.deepEqual(await keys({ text: 'nni' }), ['ana'])
      assert.deepEqual(await keys({ text: 'o' }), ['oslo', 'rome'])
      assert.deepEqual(await keys({ prefix: '%' }), [])
      assert.deepEqual(await keys({ text: '_' }), [])
      assert.deepEqual(await keys({ type: 'person' }), ['ana'])
      assert.deepEqual(await keys({ type: 'person', prefix: 'o' }), [])
      const [ana] = await stores.view.entities(mine, { ...every, limit: 1 })
      assert.deepEqual([ana?.entity.name, ana?.entity.aliases, ana?.facts], ['Ana Bell', ['Annie'], 1])
    }))
}

function edgeRules(open: OpenStores): void {
  test('[GV3] counts the facts in scope of the entities asked for', () =>
    withStores(open, async (stores, mine) => {
      await tell(stores, mine)
      const user = await idOf(stores, mine, 'user')
      const tea = await idOf(stores, mine, 'tea')
      const counts = async (scope: EdgeScope) => {
        const nodes = await stores.view.nodes(mine, [user, asEntityId('none'), tea], scope)
        return Object.fromEntries(nodes.map(({ entity, facts }) => [entity.key, facts]))
      }
      assert.deepEqual(await counts(current), { tea: 2, user: 2 })
      assert.deepEqual(await counts(all), { tea: 2, user: 3 })
      assert.deepEqual(await counts({ ...all, personas: ['work'] }), { tea: 1, user: 1 })
    }))

  test('[GV4] gives facts once: current ones by confidence, then closed ones where asked for', () =>
    withStores(open, async (stores, mine) => {
      await tell(stores, mine)
      const entities = [await idOf(stores, mine, 'user'), await idOf(stores, mine, 'tea')]
      const ids = async (scope: EdgeScope) =>
        (await stores.view.edges(mine, { ...scope, entities, perEntity: 9 })).map(({ id }) => id)
      const sure = [factId('Oslo'), factId('tea')].sort()
      assert.deepEqual(await ids(current), [...sure, factId('Ana')])
      assert.deepEqual(await ids(all), [...sure, factId('Ana'), factId('Rome')])
      assert.deepEqual(await ids({ ...all, personas: ['work'] }), [factId('tea')])
      const [edge] = await stores.view.edges(mine, { ...current, entities, perEntity: 1 })
      assert.equal(edge !== undefined && 'vector' in edge, false)
    }))

  test('[GV5] gives at most so many of each entity', () =>
    withStores(open, async (stores, mine) => {
      const { journal, view } = stores
      for (let at = 0; at < 8; at++) {
        const fact = { relation: 'knows', object: `friend ${at}`, base: 0.9 - at / 100 }
        await journal.remember(mine, item(`friend ${at}`, { facts: [fact], at: start + at }))
      }
      const other = { subject: 'friend 7', relation: 'likes', object: 'tea', base: 0.2 }
      await journal.remember(mine, item('tea', { facts: [other], at: start + 20 }))
      const [user, friend] = [await idOf(stores, mine, 'user'), await idOf(stores, mine, 'friend 7')]
      const shown = await view.edges(mine, { ...all, entities: [user, friend], perEntity: 2 })
      assert.deepEqual(
        shown.map(({ id }) => id),
        ['friend 0', 'friend 1', 'friend 7', 'tea'].map(factId),
      )
    }))

  test('[GV6] gives what is pinned and holds, the newest first', () =>
    withStores(open, async (stores, mine, other) => {
      await tell(stores, mine)
      await tell(stores, other)
      const { view, graph, episodic } = stores
      assert.deepEqual(await view.pinned(mine, null, 9), { chunks: [], facts: [] })
      for (const name of ['Rome', 'Oslo', 'tea']) await graph.pin(mine, factId(name), true)
      for (const name of ['Rome', 'Ana']) await episodic.pin(mine, chunkId(name), true)
      await graph.pin(other, factId('Ana'), true)
      const shown = async (personas: readonly string[] | null, limit: number) => {
        const { chunks, facts } = await view.pinned(mine, personas, limit)
        return [chunks.map(({ id }) => id), facts.map(({ id }) => id)]
      }
      assert.deepEqual(await shown(null, 9), [['Ana', 'Rome'].map(chunkId), ['tea', 'Oslo'].map(factId)])
      assert.deepEqual(await shown(null, 1), [[chunkId('Ana')], [factId('tea')]])
      assert.deepEqual(await shown(['work'], 9), [[], [factId('tea')]])
      const [chunk] = (await view.pinned(mine, null, 1)).chunks
      const [stored] = await episodic.get(mine, [chunkId('Ana')])
      const { vector: _, ...rest } = stored ?? { vector: null }
      assert.deepEqual(chunk, rest)
    }))
}
