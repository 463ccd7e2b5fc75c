import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createManualClock } from '../core/clock.ts'
import { asEntityId, asNamespace } from '../core/ids.ts'
import { aliasKey, canonicalKey, createEntityResolver } from './entities.ts'
import type { Entity } from './model.ts'
import type { ExtractedEntity, FoundFact } from './ports.ts'

for (const [name, key] of [
  ['Siemens AG', 'siemens'],
  ['Siemens', 'siemens'],
  ['Apple Inc.', 'apple'],
  ['the Company', 'company'],
  ['The Beatles', 'beatles'],
  ['a dog', 'dog'],
  ['user', 'user'],
  ["user's sister", "user's sister"],
  ['user’s  sister', "user's sister"],
  ['  São Paulo, ', 'são paulo'],
  ['C++', 'c++'],
  ['"Dune"', 'dune'],
  ['Co', 'co'],
  ['!!!', ''],
  ['The', 'the'],
  ['Ｔｏｋｙｏ', 'tokyo'],
] as const) {
  test(`the canonical key of ${JSON.stringify(name)} is ${JSON.stringify(key)}`, () =>
    assert.equal(canonicalKey(name), key))
}

test('a canonical key is its own canonical key', () => {
  const letters = fc.stringMatching(/^[A-Za-z' .,-]{0,30}$/)
  fc.assert(
    fc.property(letters, (name) => {
      let key = canonicalKey(name)
      for (let round = 0; round < 3; round++) key = canonicalKey(key)
      assert.equal(canonicalKey(key), key)
    }),
  )
})

test('whose sister it is depends on who speaks', () => {
  assert.equal(aliasKey('my sister', null), "user's sister")
  assert.equal(aliasKey('my sister', 'Anna'), "anna's sister")
  assert.equal(aliasKey('Mary', 'Anna'), 'mary')
})

const namespace = asNamespace('test')
/** That there is one is all that counts. */
const anEdge = {} as FoundFact

function node(key: string, aliases: readonly string[] = []): Entity {
  return {
    id: asEntityId(key),
    key,
    name: key,
    type: 'person',
    aliases,
    vector: new Float32Array(2),
    createdAt: 0,
  }
}

function resolverOver(nodes: readonly Entity[], spokenOfIn = 'work', meanwhile = () => {}) {
  const asked: string[][] = []
  const clock = createManualClock(1_000)
  const resolver = createEntityResolver(
    {
      entitiesNamed: async (_, keys) => {
        asked.push([...keys])
        meanwhile()
        return nodes.filter(
          ({ key, aliases }) => keys.includes(key) || aliases.some((alias) => keys.includes(alias)),
        )
      },
      expand: async (_, { personas }) => {
        const edges = personas?.includes(spokenOfIn) ? [anEdge] : []
        return { edges, cosines: [], crowds: [], truncated: false }
      },
    },
    clock,
  )
  const context = { speaker: null, persona: 'work' }
  const resolve = (name: string, type: ExtractedEntity['type'] = 'person', aliases: string[] = []) =>
    resolver.resolve(namespace, [{ name, type, aliases }], context)
  /** Names of people, said in one text. */
  const resolveAll = (...said: string[]) =>
    resolver.resolve(
      namespace,
      said.map((name) => ({ name, type: 'person', aliases: [] })),
      context,
    )
  return { resolver, resolve, resolveAll, asked, clock }
}

test('a first name is the only person who has it', async () => {
  const { resolve } = resolverOver([node('maria silva', ['maria'])])
  assert.equal((await resolve('Maria'))[0]?.key, 'maria silva')
})

test('a first name of somebody whom only another persona speaks of is a name of its own; what is shared counts', async () => {
  const nodes = [node('maria silva', ['maria', "user's sister"])]
  for (const name of ['Maria', "user's sister"]) {
    const [own] = await resolverOver(nodes, 'home').resolve(name)
    assert.deepEqual([own?.key, own?.name, own?.known], [name.toLowerCase(), name, null])
    assert.equal((await resolverOver(nodes, 'shared').resolve(name))[0]?.key, 'maria silva')
  }
})

test('a first name that two people share is a name of its own', async () => {
  const { resolve } = resolverOver([node('maria silva', ['maria']), node('maria costa', ['maria'])])
  assert.equal((await resolve('Maria'))[0]?.key, 'maria')
})

test('a full name joins the bare first name that the persona speaks of, as a further name of it', async () => {
  const { resolve } = resolverOver([node('maria')])
  const [joined] = await resolve('Maria Silva')
  assert.deepEqual([joined?.key, joined?.name, joined?.aliases], ['maria', 'Maria Silva', ['maria silva']])
  assert.notEqual(joined?.known, null)
})

for (const [why, nodes, persona] of [
  ['the first name has a full name already', [node('maria', ['maria costa'])], 'work'],
  ['two go by the first name', [node('maria'), node('maria costa', ['maria'])], 'work'],
  ['the first name is no person', [{ ...node('maria'), type: 'thing' as const }], 'work'],
  ['only another persona speaks of it', [node('maria')], 'home'],
] as const) {
  test(`a full name is a node of its own when ${why}`, async () => {
    const { resolve } = resolverOver(nodes, persona)
    const [own] = await resolve('Maria Silva')
    assert.deepEqual([own?.key, own?.known], ['maria silva', null])
  })
}

test('two full names of one text do not both become the same first name', async () => {
  const { resolveAll } = resolverOver([node('maria')])
  const keys = (await resolveAll('Maria Silva', 'Maria Costa')).map(({ key }) => key)
  assert.deepEqual(keys, ['maria silva', 'maria costa'])
})

test('a first name beside the only full name that begins with it is that person', async () => {
  const { resolveAll } = resolverOver([])
  const keys = async (...said: string[]) => (await resolveAll(...said)).map(({ key }) => key)
  assert.deepEqual(await keys('Maria Silva', 'Maria'), ['maria silva', 'maria silva'])
  assert.deepEqual(await keys('Maria Silva', 'Maria Costa', 'Maria'), ['maria silva', 'maria costa', 'maria'])
})

test('a full name keeps its first name as an alias', async () => {
  const { resolve } = resolverOver([])
  assert.deepEqual((await resolve('Maria Silva'))[0]?.aliases, ['maria'])
  assert.deepEqual((await resolve('New York', 'place'))[0]?.aliases, [])
})

test('my sister is Maria once the text has said so', async () => {
  const { resolve } = resolverOver([node('maria', ["user's sister"])])
  assert.equal((await resolve("user's sister"))[0]?.key, 'maria')
})

test('a daughter who is called Ada is not Zahra, and she is Zahra where she is called so', async () => {
  const { resolver } = resolverOver([node('zahra khan', ['zahra', "user's daughter"])])
  const keyOf = async (called: string) => {
    const daughter = { name: "user's daughter", type: 'person', aliases: [], called: [called] } as const
    const context = { speaker: null, persona: 'work' }
    return (await resolver.resolve(namespace, [daughter], context))[0]?.key
  }
  assert.equal(await keyOf('Ada'), "user's daughter")
  assert.equal(await keyOf('Zahra'), 'zahra khan')
  assert.equal(await keyOf('Zahra Khan'), 'zahra khan')
})

test('a name that was found is not asked for again until it is old or something changed', async () => {
  const { resolver, resolve, asked, clock } = resolverOver([node('maria')])
  await resolve('Maria')
  await resolve('maria')
  assert.equal(asked.length, 1)
  clock.advance(31)
  await resolve('Maria')
  assert.equal(asked.length, 2)
  resolver.invalidate(namespace)
  await resolve('Maria')
  assert.equal(asked.length, 3)
})

test('a name that one namespace asked for is not known to another', async () => {
  const { resolver, resolve, asked } = resolverOver([node('maria')])
  await resolve('Maria')
  const maria = { name: 'Maria', type: 'person', aliases: [] } as const
  await resolver.resolve(asNamespace('another'), [maria], { speaker: null, persona: 'work' })
  assert.equal(asked.length, 2)
})

test('a name that nothing goes by is asked for again soon, or when something does', async () => {
  const nodes: Entity[] = []
  const { resolver, resolve, asked, clock } = resolverOver(nodes)
  await resolve('Maria')
  await resolve('Maria')
  assert.equal(asked.length, 1)
  nodes.push(node('maria silva', ['maria']))
  resolver.invalidate(namespace, ['maria silva', 'maria'])
  assert.equal((await resolve('Maria'))[0]?.key, 'maria silva')
  await resolve('Otto')
  clock.advance(6)
  await resolve('Otto')
  assert.equal(asked.length, 4)
})

test('what changes while a name is looked up is not hidden by the old answer', async () => {
  const nodes: Entity[] = []
  const { resolver, resolve } = resolverOver(nodes)
  const early = resolve('Maria')
  nodes.push(node('maria silva', ['maria']))
  resolver.invalidate(namespace, ['maria silva', 'maria'])
  assert.equal((await early)[0]?.known, null)
  assert.equal((await resolve('Maria'))[0]?.key, 'maria silva')
})

test('a name without letters or digits is no entity', async () => {
  const { resolve } = resolverOver([])
  assert.deepEqual(await resolve('…'), [])
})

for (const [whose, changed, reads] of [
  ['another namespace', asNamespace('other'), 1],
  ['its own namespace', namespace, 2],
] as const) {
  test(`a name looked up while ${whose} changes is read ${reads === 1 ? 'once' : 'again'}`, async () => {
    let left = 1
    const { resolver, resolve, asked } = resolverOver([node('maria')], 'work', () => {
      if (left-- > 0) resolver.invalidate(changed, ['tom'])
    })
    for (let time = 0; time < 20; time++) await resolve('Maria')
    assert.equal(asked.length, reads)
  })
}
