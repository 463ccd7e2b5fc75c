import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { z } from 'zod'
import { entitiesReply, graphReply } from '../src/http/routes/graph-replies.ts'
import { startTestService } from './harness.ts'

type Graph = z.output<typeof graphReply>

const service = await startTestService()
after(() => service.close())

async function newTenant(...texts: readonly string[]) {
  const { key } = await service.newKey('enterprise')
  const get = (path: string) => service.call('GET', path, { key })
  for (const text of texts) {
    service.clock.advance(60)
    await service.call('POST', '/brain/ingest', { key, body: { text } })
  }
  return {
    key,
    get,
    entities: async (query = '') => entitiesReply.parse((await get(`/brain/entities?${query}`)).json),
    graph: async (query: string): Promise<Graph> => {
      const { status, text, json } = await get(`/brain/graph?${query}`)
      assert.equal(status, 200, text)
      return graphReply.parse(json)
    },
  }
}

const names = ({ nodes }: Graph) => nodes.map(({ name }) => name)
const facts = ({ edges }: Graph) => edges.map(({ fact }) => fact).sort()

describe('GET /brain/entities', () => {
  test('lists names with the number of facts that hold, by prefix, text and type', async () => {
    const { entities } = await newTenant('Ana knows Ben.', 'Ana lives_in Rome.', 'Ana lives_in Oslo.')
    const shown = async (query: string) =>
      (await entities(query)).entities.map(({ name, facts }) => [name, facts])
    assert.deepEqual(await shown(''), [
      ['Ana', 2],
      ['Ben', 1],
      ['Oslo', 1],
      ['Rome', 0],
    ])
    assert.deepEqual(await shown('prefix=BE'), [['Ben', 1]])
    assert.deepEqual(await shown('text=N'), [
      ['Ana', 2],
      ['Ben', 1],
    ])
    assert.deepEqual(await shown('type=person'), [])
    assert.equal((await shown('type=thing')).length, 4)
  })

  test('pages through all of them, each once', async () => {
    const texts = Array.from({ length: 15 }, (_, at) => `Name${at} knows Other${at}.`)
    const { entities } = await newTenant(...texts)
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page = await entities(`limit=7${cursor === null ? '' : `&cursor=${cursor}`}`)
      seen.push(...page.entities.map(({ name }) => name))
      cursor = page.next_cursor
    } while (cursor !== null)
    assert.equal(seen.length, 30)
    assert.equal(new Set(seen).size, 30)
  })
})

describe('GET /brain/graph', () => {
  test('goes as many steps from an entity as asked, and says what it leaves out', async () => {
    const { graph } = await newTenant('Ana knows Ben.', 'Ben knows Cleo.', 'Cleo knows Dora.')
    const one = await graph('entity=ana')
    assert.deepEqual(names(one), ['Ana', 'Ben'])
    assert.deepEqual(facts(one), ['Ana knows Ben'])
    assert.deepEqual(
      one.nodes.map(({ degree, more, seed }) => [degree, more, seed]),
      [
        [1, 0, true],
        [2, 1, false],
      ],
    )
    assert.equal(one.truncated, true)
    const three = await graph('entity=Ana&hops=3')
    assert.equal(three.nodes.length, 4)
    assert.equal(three.edges.length, 3)
    assert.equal(three.truncated, false)
    const ids = new Map(three.nodes.map(({ id, name }) => [id, name]))
    assert.deepEqual(
      three.edges.map(({ from, relation, to }) => `${ids.get(from)} ${relation} ${ids.get(to)}`).sort(),
      ['Ana knows Ben', 'Ben knows Cleo', 'Cleo knows Dora'],
    )
  })

  test('shows what holds between the entities that it reached last', async () => {
    const { graph } = await newTenant('Ana knows Ben.', 'Ana knows Cleo.', 'Ben likes Cleo.')
    assert.deepEqual(facts(await graph('entity=Ana')), ['Ana knows Ben', 'Ana knows Cleo', 'Ben likes Cleo'])
  })

  test('starts at the entities that a question names, and at an id as at a name', async () => {
    const { graph, entities } = await newTenant('Ana knows Ben.', 'Cleo knows Dora.')
    assert.deepEqual(names(await graph('query=Whom does Cleo know?')), ['Cleo', 'Dora'])
    const { entities: found } = await entities('prefix=ben')
    assert.deepEqual(await graph(`entity=${found[0]?.id}`), await graph('entity=Ben'))
    const near = await graph('query=somebody knows somebody else')
    assert.ok(near.nodes.every(({ name }) => ['Ana', 'Ben', 'Cleo', 'Dora'].includes(name)))
  })

  test('shows replaced facts on demand, with the time they held', async () => {
    const { graph } = await newTenant('Ana lives_in Rome.', 'Ana lives_in Oslo.')
    const now = service.clock.now()
    assert.deepEqual(facts(await graph('entity=Ana')), ['Ana lives in Oslo'])
    const { edges } = await graph('entity=Ana&include_superseded=true')
    assert.deepEqual(
      edges.map(({ fact, since, until }) => [fact, Math.round(since), until && Math.round(until)]),
      [
        ['Ana lives in Oslo', now, null],
        ['Ana lives in Rome', now - 60, now],
      ],
    )
  })

  test('keeps to its limit around a hub, and counts the rest', async () => {
    const { graph } = await newTenant(...Array.from({ length: 40 }, (_, at) => `Hub knows Friend${at}.`))
    const shown = await graph('entity=Hub&hops=3&limit=10')
    assert.equal(shown.nodes.length, 10)
    assert.equal(shown.edges.length, 9)
    assert.deepEqual([shown.nodes[0]?.degree, shown.nodes[0]?.more], [40, 31])
  })

  test('an unknown entity is 404, and so is one of another account', async () => {
    await newTenant('Zed knows Yan.')
    const { get } = await newTenant('Ana knows Ben.')
    for (const entity of ['Zed', 'nobody']) {
      const { status, json } = await get(`/brain/graph?entity=${entity}`)
      assert.deepEqual([status, json.detail], [404, 'There is no entity with this name.'])
    }
  })
})

describe('wrong parameters are 400 and named', () => {
  for (const [path, field] of [
    ['entities?limit=0', 'limit'],
    ['entities?limit=101', 'limit'],
    ['entities?limit=1.5', 'limit'],
    ['entities?type=animal', 'type'],
    ['entities?prefix=', 'prefix'],
    [`entities?text=${'x'.repeat(129)}`, 'text'],
    ['entities?cursor=abc', 'cursor'],
    [`entities?cursor=${Buffer.from('[1]').toString('base64url')}`, 'cursor'],
    ['graph', 'entity'],
    ['graph?entity=a&query=b', 'entity'],
    ['graph?entity=a&hops=0', 'hops'],
    ['graph?entity=a&hops=4', 'hops'],
    ['graph?entity=a&limit=5001', 'limit'],
    ['graph?entity=a&include_superseded=yes', 'include_superseded'],
    ['graph?entity=a&persona=*', 'persona'],
    ['graph?query=%20', 'query'],
    [`graph?query=${'x'.repeat(4_097)}`, 'query'],
  ] as const) {
    test(path.slice(0, 60), async () => {
      const { key } = await service.newKey('pro')
      const { status, json } = await service.call('GET', `/brain/${path}`, { key })
      assert.equal(status, 400)
      assert.match(String(json.detail), new RegExp(field))
    })
  }
})
