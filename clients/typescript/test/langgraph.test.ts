import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  Annotation,
  type BaseStore,
  InMemoryStore,
  type LangGraphRunnableConfig,
  StateGraph,
} from '@langchain/langgraph'
import { Memoryd } from '../src/index.ts'
import { MemorydStore } from '../src/langgraph.ts'
import { startServer, type TestServer } from './server.ts'

let server: TestServer
let client: Memoryd
before(async () => {
  server = await startServer()
  client = new Memoryd({ url: server.url, key: server.key })
})
after(() => server.close())

/** Everything but times and scores, which no two stores share. */
const plain = (found: readonly { namespace: string[]; key: string; value: object }[]) =>
  found.map(({ namespace, key, value }) => ({ namespace, key, value }))
const byPlace = (found: Parameters<typeof plain>[0]) =>
  plain(found).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

describe('a LangGraph store', () => {
  test('answers as the store of LangGraph itself does', async () => {
    const odd = 'a/b\\c ,, %2F ü '
    const run = async (store: BaseStore) => {
      await store.put(['users', 'ann'], 'prefs', { theme: 'dark', size: 12, tags: ['a', 'b'] })
      await store.put(['users', 'ann'], 'note', { text: 'Ann plays chess on Mondays.', size: 3 })
      await store.put(['users', 'bob'], 'prefs', { theme: 'light', size: 9 })
      await store.put(['users', 'annabel'], '..', { theme: 'dark' })
      await store.put([odd, 'x'], odd, { deep: { er: { than: { most: [{ things: { are: null } }] } } } })
      await store.put(['users', 'bob'], 'prefs', { theme: 'light', size: 10 })
      const batch = [
        { namespace: ['users', 'ann'], key: 'gone', value: { a: 1 } },
        { namespace: ['users', 'ann'], key: 'gone', value: null },
        { namespace: ['users', 'ann'], key: 'late', value: { a: 1 } },
        { namespace: ['users', 'ann'], key: 'late' },
      ]
      const [, , , early] = await store.batch(batch)
      const list = async (prefix: string[], more = {}) => byPlace(await store.search(prefix, more))
      const told = {
        early,
        prefs: plain([(await store.get(['users', 'bob'], 'prefs')) ?? assert.fail()]),
        odd: plain([(await store.get([odd, 'x'], odd)) ?? assert.fail()]),
        missing: await store.get(['users', 'bob'], 'pref'),
        gone: await store.get(['users', 'ann'], 'gone'),
        everything: await list([]),
        ann: await list(['users', 'ann', 'deeper']),
        dark: await list(['users'], { filter: { theme: 'dark' } }),
        large: await list(['users'], { filter: { size: { $gte: 10, $lt: 13 } } }),
        either: await list(['users'], { filter: { theme: { $ne: 'dark' } } }),
        pages: (await store.search(['users'], { limit: 2, offset: 4 })).length,
        namespaces: await store.listNamespaces(),
        under: await store.listNamespaces({ prefix: ['*', 'ann'] }),
        suffix: await store.listNamespaces({ suffix: ['x'] }),
        shallow: await store.listNamespaces({ prefix: ['users'], maxDepth: 1 }),
        second: await store.listNamespaces({ limit: 1, offset: 1 }),
      }
      await store.delete(['users', 'bob'], 'prefs')
      await store.delete(['users', 'bob'], 'prefs')
      return { ...told, after: await store.get(['users', 'bob'], 'prefs') }
    }
    const theirs = await run(new InMemoryStore())
    const ours = await run(new MemorydStore(client, { folder: 'same' }))
    assert.deepEqual(ours, theirs)
  })

  test('finds what fits a question best, within its namespace, of what is indexed', async () => {
    const store = new MemorydStore(client, { persona: 'search' })
    await store.put(['ann', 'memories'], 'food', { text: 'I never eat anything with peanuts.' })
    await store.put(['ann', 'memories'], 'job', { text: 'I repair bicycles for a living.' })
    await store.put(['ann', 'memories'], 'pet', { animal: { kind: 'parrot', name: 'Kiko' } })
    await store.put(['bob', 'memories'], 'food', { text: 'I am allergic to shellfish.' })
    await store.put(['ann', 'memories'], 'diary', { text: 'My allergies are a secret.' }, false)
    await store.put(
      ['ann', 'memories'],
      'part',
      { title: 'Ferry', notes: [{ text: 'It leaves at noon.' }] },
      ['title'],
    )
    const query = 'What am I allergic to?'
    const found = await store.search(['ann'], { query })
    assert.equal(found[0]?.key, 'food')
    assert.ok(Number(found[0]?.score) > Number(found[1]?.score))
    assert.ok(found.every(({ namespace, key }) => namespace[0] === 'ann' && key !== 'diary'))
    assert.equal((await store.search(['ann'], { query: 'Which pet do I have?' }))[0]?.key, 'pet')
    assert.deepEqual((await store.get(['ann', 'memories'], 'diary'))?.value, {
      text: 'My allergies are a secret.',
    })
    const other = new MemorydStore(client, { persona: 'elsewhere' })
    assert.deepEqual(await other.search([], { query }), [])
    assert.deepEqual(
      await new MemorydStore(client, { persona: 'search', folder: 'ann' }).search([], { query }),
      [],
    )
  })

  test('a filter leaves out what it must, and finds what is far behind', async () => {
    const store = new MemorydStore(client, { folder: 'many' })
    for (let at = 0; at < 30; at++)
      await store.put(['notes'], `n${at}`, {
        text: `The train number ${at} to Porto leaves at ${at} o'clock.`,
        at,
      })
    const query = 'When does the train to Porto leave?'
    const keys = async (more: object) =>
      (await store.search(['notes'], { query, ...more })).map(({ key }) => key)
    assert.deepEqual(
      (await keys({ limit: 40 })).sort(),
      Array.from({ length: 30 }, (_, at) => `n${at}`).sort(),
    )
    assert.deepEqual((await keys({ filter: { at: { $gte: 27 } } })).sort(), ['n27', 'n28', 'n29'])
    const [first, second] = [await keys({ limit: 2 }), await keys({ limit: 2, offset: 2 })]
    assert.equal(new Set([...first, ...second]).size, 4)
  })

  test('a value of any size comes back as it was, and its next version replaces it', async () => {
    const store = new MemorydStore(client, { folder: 'long' })
    const large = {
      text: 'A paragraph.\n~~~json\n'.repeat(2_000),
      deep: JSON.parse(`${'['.repeat(30)}1${']'.repeat(30)}`),
    }
    await store.put(['n'], 'k', large)
    const before = await store.get(['n'], 'k')
    assert.deepEqual(before?.value, large)
    await store.put(['n'], 'k', { text: 'Short.' })
    const now = await store.get(['n'], 'k')
    assert.deepEqual(now?.value, { text: 'Short.' })
    assert.deepEqual(now?.createdAt, before?.createdAt)
    assert.ok(Number(now?.updatedAt) >= Number(before?.updatedAt))
  })

  test('serves the nodes of a graph, and what one thread stored another finds', async () => {
    const state = Annotation.Root({ said: Annotation<string>, known: Annotation<string[]> })
    const graph = new StateGraph(state)
      .addNode('remember', async ({ said }, { store }: LangGraphRunnableConfig) => {
        const known = (await store?.search(['ann'], { query: said })) ?? []
        await store?.put(['ann'], crypto.randomUUID(), { text: said })
        return { known: known.map(({ value }) => String(value.text)) }
      })
      .addEdge('__start__', 'remember')
      .compile({ store: new MemorydStore(client, { persona: 'graph' }) })
    const told = 'My bicycle is locked with the code 8341.'
    assert.deepEqual((await graph.invoke({ said: told })).known, [])
    assert.deepEqual((await graph.invoke({ said: 'What is the code of my bicycle lock?' })).known, [told])
  })
})
