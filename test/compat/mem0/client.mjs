// mem0's own npm client against memoryd: what an application does with it. Ends with 1 at the first broken promise.
import assert from 'node:assert/strict'
import { MemoryClient } from 'mem0ai'

const { MEM0_HOST: host, MEM0_API_KEY: apiKey } = process.env
const client = new MemoryClient({ apiKey, host })
await client.ping()

const userId = 'alice'
const filters = { user_id: userId }
const textsOf = ({ results }) => results.map(({ memory }) => memory)

const added = await client.add(
  [
    { role: 'user', content: 'I live in Lisbon and I am allergic to peanuts.' },
    { role: 'assistant', content: 'I will keep peanuts out of your recipes.' },
  ],
  { userId, agentId: 'cook', runId: 'monday', metadata: { topic: 'food' } },
)
assert.equal(added.status, 'SUCCEEDED')
assert.deepEqual(
  added.results.map(({ event }) => event),
  ['ADD', 'ADD'],
)
const [{ id }] = added.results
await client.add([{ role: 'user', content: 'My sister Maria plays the violin.' }], { userId })
await client.add([{ role: 'user', content: 'I keep a parrot called Kiko.' }], { userId: 'bob', infer: false })
const then = 1_700_000_000
const past = await client.add([{ role: 'user', content: 'I bought a kayak.' }], {
  userId: 'carl',
  timestamp: then,
})
assert.equal(Date.parse((await client.get(past.results[0].id)).createdAt), then * 1_000)
await client.deleteAll({ userId: 'carl' })

const found = await client.search('What must I not eat?', { filters, topK: 3 })
assert.equal(found.results[0].id, id)
assert.ok(found.results[0].score > 0)
assert.equal(found.results[0].userId, userId)
assert.ok(!textsOf(found).some((text) => text.includes('Kiko')))
assert.deepEqual(
  textsOf(
    await client.search('Which instrument?', {
      filters: { AND: [filters, { agent_id: 'cook' }] },
      threshold: 0,
    }),
  ).filter((text) => text.includes('violin')),
  [],
)

const all = await client.getAll({ filters, page: 1, pageSize: 2 })
assert.equal(all.count, 3)
assert.equal(all.results.length, 2)
assert.ok(all.next)

const got = await client.get(id)
assert.equal(got.memory, 'I live in Lisbon and I am allergic to peanuts.')
assert.deepEqual([got.agentId, got.runId, got.metadata], ['cook', 'monday', { topic: 'food' }])

await client.update(id, { text: 'I live in Porto and I am allergic to peanuts.' })
assert.equal((await client.get(id)).memory, 'I live in Porto and I am allergic to peanuts.')
assert.ok(!textsOf(await client.getAll({ filters })).some((text) => text.includes('Lisbon')))
assert.deepEqual(
  (await client.history(id)).map(({ event, oldMemory }) => [event, oldMemory]),
  [
    ['ADD', null],
    ['UPDATE', 'I live in Lisbon and I am allergic to peanuts.'],
  ],
)

await client.delete(id)
await assert.rejects(client.get(id), { name: 'MemoryNotFoundError' })
await assert.rejects(client.search('x', { filters: { OR: [filters] } }), /equality/)
await assert.rejects(client.batchDelete([id]), /does not have this call of mem0/)

assert.deepEqual(
  (await client.users()).results
    .filter(({ type }) => type === 'user')
    .map(({ name }) => name)
    .sort(),
  ['alice', 'bob'],
)
await client.deleteAll({ userId })
assert.equal((await client.getAll({ filters })).count, 0)
await client.deleteUsers({ userId: 'bob' })
assert.equal((await client.getAll()).count, 0)

await assert.rejects(new MemoryClient({ apiKey: `${apiKey}x`, host }).ping(), /key/)
console.log('npm client: done')
