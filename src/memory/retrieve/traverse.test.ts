import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aNamespace, openSmallMemory, type SmallMemory } from '../../../test/support/small-memory.ts'
import { namedKeys } from '../named-keys.ts'
import { reasoningChain } from './paths.ts'
import { type TraversalCaps, traversalCaps, traverse } from './traverse.ts'

async function walk(small: SmallMemory, start: string, maxHops: number, caps: TraversalCaps = traversalCaps) {
  const nodes = await small.stores.graph.entitiesNamed(aNamespace, [start])
  const seeds = nodes.map(({ id }) => id)
  const vector = nodes[0]?.vector ?? new Float32Array()
  return traverse(small.stores.graph, aNamespace, { seeds, personas: null, vector, maxHops, caps }, () => 0)
}

async function circle(): Promise<SmallMemory> {
  const small = openSmallMemory()
  for (const text of ['Ana knows Bea.', 'Bea knows Cleo.', 'Cleo knows Dora.', 'Dora knows Ana.'])
    await small.ingest(text)
  return small
}

test('visits every edge once, hop by hop, also in a circle', async () => {
  const { steps, truncated } = await walk(await circle(), 'ana', 5)
  assert.deepEqual(
    steps.map(({ hop }) => hop),
    [1, 1, 2, 2],
  )
  assert.equal(new Set(steps.map(({ fact }) => fact.id)).size, 4)
  assert.equal(truncated, false)
})

test('stops at max_hops', async () => {
  assert.equal((await walk(await circle(), 'ana', 1)).steps.length, 2)
})

test('reads the specification’s caps', () => {
  assert.deepEqual(
    [traversalCaps.entitiesPerHop, traversalCaps.edges, traversalCaps.milliseconds],
    [200, 10_000, 500],
  )
})

for (const [cap, caps] of Object.entries({
  'edges of a hop': { ...traversalCaps, edgesPerHop: 1 },
  'edges followed in a hop': { ...traversalCaps, followedPerHop: 1 },
  'edges of all hops': { ...traversalCaps, edges: 2 },
  'entities of a hop': { ...traversalCaps, entitiesPerHop: 1 },
})) {
  test(`a cap on the ${cap} gives a partial result that says so`, async () => {
    const { steps, truncated } = await walk(await circle(), 'ana', 2, caps)
    assert.ok(steps.length > 0 && steps.length < 4)
    assert.equal(truncated, true)
  })
}

test('time that is up gives a partial result that says so', async () => {
  const small = await circle()
  const [node] = await small.stores.graph.entitiesNamed(aNamespace, ['ana'])
  let time = 0
  const seeds = node === undefined ? [] : [node.id]
  const request = { seeds, personas: null, vector: node?.vector ?? new Float32Array(), maxHops: 5 }
  const { steps, truncated } = await traverse(small.stores.graph, aNamespace, request, () => {
    time += 300
    return time
  })
  assert.ok(steps.length > 0 && steps.length < 4)
  assert.equal(truncated, true)
})

test('a chain holds the way from a seed to each returned fact, and nothing beside it', async () => {
  const small = openSmallMemory()
  for (const text of ['Ana knows Bea.', 'Bea knows Cleo.', 'Ana knows Zoe.']) await small.ingest(text)
  const traversal = await walk(small, 'ana', 2)
  const end = traversal.steps.find(({ fact }) => fact.fact === 'Bea knows Cleo')
  assert.ok(end)
  const shown = {
    fact: '',
    sourceType: 'semantic',
    createdAt: 0,
    accessCount: 0,
    confidence: 1,
    metadata: null,
  } as const
  const returned = {
    ...{ id: end.fact.id, score: 1, itemId: null, superseded: false, chunk: null, fact: end.fact },
    ...{ isFact: true, isDirect: false, createdAt: 0 },
    shown: { ...shown, persona: 'shared', retention: 1 },
  }
  assert.deepEqual(
    reasoningChain(traversal, [returned]).map(({ fact }) => fact),
    ['Ana knows Bea', 'Bea knows Cleo'],
  )
})

test('a step that was walked from its object reads as it is stored, subject first', async () => {
  const small = openSmallMemory()
  for (const text of ['Ana knows Bea.', 'Cleo knows Bea.']) await small.ingest(text)
  const traversal = await walk(small, 'ana', 2)
  assert.ok(traversal.steps.some(({ fact, from }) => from === fact.object))
  assert.deepEqual(
    reasoningChain(traversal, []).map(({ hop, from, relation, to, fact }) => [hop, from, relation, to, fact]),
    [
      [1, 'Ana', 'knows', 'Bea', 'Ana knows Bea'],
      [2, 'Cleo', 'knows', 'Bea', 'Cleo knows Bea'],
    ],
  )
})

for (const [question, keys] of [
  ['Where does Maria Silva work?', ['maria', 'maria silva', 'silva']],
  ["What is my sister's name?", ['user', "user's sister"]],
  ['Who founded Siemens AG?', ['siemens']],
] as const) {
  test(`${question} names ${keys.join(', ')}`, () => {
    const named = namedKeys(question)
    for (const key of keys) assert.ok(named.includes(key), `${key} in ${named.join(', ')}`)
  })
}
