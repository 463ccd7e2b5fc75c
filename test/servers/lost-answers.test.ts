import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { asNamespace, randomId } from '../../src/core/ids.ts'
import { item } from '../../src/stores/contracts/journal-drafts.ts'
import type { RetryQueue } from '../../src/stores/server/engine/retry-queue.ts'
import type { Follower } from '../../src/stores/server/follow.ts'
import { createServerJournal } from '../../src/stores/server/journal.ts'
import { createNeo4jAccountStore } from '../../src/stores/server/neo4j/accounts.ts'
import type { Neo4j } from '../../src/stores/server/neo4j/connection.ts'
import { createNeo4jIdempotencyStore } from '../../src/stores/server/neo4j/idempotency.ts'
import { createNeo4jLedger } from '../../src/stores/server/neo4j/ledger.ts'
import { applySchema } from '../../src/stores/server/neo4j/schema.ts'
import { openEngines } from './support.ts'

let engines: Awaited<ReturnType<typeof openEngines>>
let neo4j: Neo4j

/** As the driver does when the answer to a commit is lost on its way: what was written is written once more. */
const losingAnswers = (whole: Neo4j): Neo4j => ({
  ...whole,
  async write(query, parameters) {
    await whole.write(query, parameters)
    return whole.write(query, parameters)
  },
  async transaction(work) {
    await whole.transaction(work)
    return whole.transaction(work)
  },
})

before(async () => {
  engines = await openEngines()
  await engines.wipe()
  await applySchema(engines.raw.neo4j)
  neo4j = losingAnswers(engines.raw.neo4j)
})
after(() => engines.close())

const atOnce: RetryQueue = { attempt: (work) => work(), retry: async () => undefined }

test('a reservation whose answer was lost is granted, and charged once', async () => {
  const ledger = createNeo4jLedger(neo4j, atOnce)
  const take = (id: string) => ledger.reserve({ id, account: 'acme', month: '2026-11', ops: 5, limit: 12 })
  assert.deepEqual(await Promise.all([take('a'), take('b'), take('c')]), [true, true, false])
  assert.equal(await ledger.used('acme', '2026-11'), 10)
  await ledger.refund('a')
  assert.equal(await ledger.used('acme', '2026-11'), 5)
})

test('a request whose first sign was lost may begin, and no other may', async () => {
  const store = createNeo4jIdempotencyStore(neo4j, atOnce)
  const entry = { account: 'acme', key: 'order 7', bodyHash: 'hash', now: 1_790_000_000 }
  assert.deepEqual(await store.begin(entry), { state: 'new' })
  assert.deepEqual(await store.begin(entry), { state: 'running' })
})

test('a key whose answer was lost is added, and another with its id is not', async () => {
  const accounts = createNeo4jAccountStore(neo4j, randomId)
  await accounts.saveAccount({ name: 'acme', tier: 'free' }, 1)
  const key = {
    id: 'k',
    account: 'acme',
    hash: 'h',
    lastFour: '1234',
    family: 'k',
    createdAt: 1,
    expiresAt: null,
  }
  await accounts.addKey(key)
  await assert.rejects(accounts.addKey(key))
  assert.deepEqual(await accounts.keys(), [key])
})

/** Notes what would be placed. */
const followerInto = (placed: string[]): Follower => ({
  place: async ({ chunks }) => void placed.push(...chunks.map(({ text }) => text)),
  finish: async () => undefined,
  change: () => assert.fail('nothing is changed'),
  repair: async () => 0,
})

test('items that wait for each other are written together, once each though the answers were lost', async () => {
  const placed: string[] = []
  let transactions = 0
  const counting: Neo4j = {
    ...neo4j,
    transaction: (work) => {
      transactions++
      return neo4j.transaction(work)
    },
  }
  const journal = createServerJournal(counting, followerInto(placed), async () => undefined)
  const texts = ['Rome is a town', 'Oslo is a town', 'Lima is a town', 'Bonn is a town']
  const receipts = await Promise.all(
    texts.map((text) => journal.remember(asNamespace('together'), item(text, { name: text }))),
  )
  assert.deepEqual(new Set(receipts.map(({ outcome }) => outcome)), new Set(['stored']))
  assert.deepEqual(placed.sort(), texts.toSorted())
  assert.equal(transactions, 2)
})

test('an item whose answer was lost is stored once, and said to be stored', async () => {
  const placed: string[] = []
  const follower = followerInto(placed)
  const journal = createServerJournal(neo4j, follower, async () => undefined)
  const receipt = await journal.remember(
    asNamespace('lost-answers'),
    item('I live in Lisbon.', { facts: [{ object: 'lisbon' }] }),
  )
  assert.deepEqual(receipt, { outcome: 'stored', entities: 2, facts: 1, closed: [] })
  assert.deepEqual(placed, ['I live in Lisbon.'])
  const again = await journal.remember(
    asNamespace('lost-answers'),
    item('I live in Lisbon.', { name: 'again' }),
  )
  assert.equal(again.outcome, 'duplicate')
})
