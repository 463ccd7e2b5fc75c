import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { type Archive, tallyOf } from '../../src/archive/archive.ts'
import { migrate, type Position } from '../../src/archive/migrate.ts'
import { asNamespace, randomId } from '../../src/core/ids.ts'
import { documentKey } from '../../src/memory/keys.ts'
import type { LinkDraft, MemoryStores } from '../../src/memory/ports.ts'
import { anyFilter, aRun, chunkId, factId, item, unit } from '../../src/stores/contracts/journal-drafts.ts'
import { createEmbeddedAccountStores } from '../../src/stores/embedded/account-stores.ts'
import { createEmbeddedArchive } from '../../src/stores/embedded/archive/archive.ts'
import { openEngine } from '../../src/stores/embedded/engine/engine.ts'
import { createEmbeddedMemoryStores } from '../../src/stores/embedded/memory/stores.ts'
import { openTestStores } from './support.ts'

const server = await openTestStores()
const folder = await mkdtemp(path.join(tmpdir(), 'memoryd-migrate-'))
after(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})
before(() => server.empty())

async function openEmbedded(name: string) {
  const engine = await openEngine({ directory: path.join(folder, name) })
  const accounts = createEmbeddedAccountStores(engine, { newId: randomId, report: assert.ifError })
  return {
    engine,
    accounts,
    memory: createEmbeddedMemoryStores(engine),
    archive: createEmbeddedArchive(engine),
  }
}

const other = asNamespace('other')

const replacing = (newer: number, older: number): LinkDraft => ({
  ...{
    newer: chunkId(`item ${newer}`),
    older: chunkId(`item ${older}`),
    kind: newer % 4 ? 'replaces' : 'ends',
  },
  ...{ probability: 1 - older / 1_000, closes: [factId(`likes ${older}`)] },
})

/** Two accounts' worth of everything that is kept: supersession, denials, repeats, long texts, decay, keys, spending. */
async function fill({ accounts, memory }: Awaited<ReturnType<typeof openEmbedded>>) {
  await memory.vectors.setIdentity({ model: 'm', weights: 'w', scale: 's', dimensions: 384 })
  const { namespace } = await accounts.accounts.saveAccount(
    { name: 'acme', tier: 'pro', monthlyOps: 77 },
    1000.5,
  )
  const key = { id: 'k', account: 'acme', hash: 'h'.repeat(64), lastFour: 'abcd', family: 'f' }
  await accounts.accounts.addKey({ ...key, createdAt: 1000.25, expiresAt: null })
  await accounts.ledger.reserve({ id: 'r', account: 'acme', month: '2026-11', ops: 5, limit: 100 })
  await accounts.ledger.settle('r')
  for (const owner of [namespace, other]) {
    for (let at = 0; at < 230; at++) {
      const more = at % 10 === 0 ? [{ name: `piece ${at}`, text: `more of ${at}`, vector: unit(at, 1) }] : []
      await memory.journal.remember(
        owner,
        item(`I live in city ${at % 7} and like thing ${at}`, {
          ...{ name: `item ${at}`, session: at % 3 ? `s${at % 5}` : null, at: 1000 + at * 1.25, more },
          ...{ source: at % 4 ? 'user' : 'assistant', metadata: at % 2 ? { id: at, list: [3, 1, 2] } : null },
          vector: unit(Math.sin(at), Math.cos(at), at / 100),
          facts: [
            { name: `lives ${at}`, relation: 'lives_in', object: `city ${at % 7}` },
            { name: `likes ${at}`, relation: 'likes', object: `thing ${at % 50}`, negated: at % 11 === 0 },
          ],
          links: at % 6 === 5 ? [replacing(at, at - 3), replacing(at, at - 4)] : [],
        }),
      )
    }
    const document = {
      ...{
        path: 'a/b.md',
        content: '# A\r\n',
        contentType: 'text/plain',
        metadata: { list: [2, 1] },
        bytes: 5,
      },
      ...{ etag: 'e', createdAt: 1000.5, updatedAt: 1001.25 },
    }
    await memory.journal.remember(owner, { ...item('filed'), key: documentKey('a/b.md'), document })
    await memory.episodic.touch(owner, [chunkId('item 9')], 2000, 1900.5)
    await memory.episodic.pin(owner, chunkId('item 7'), true)
    await memory.graph.pin(owner, factId('likes 8'), true)
    await memory.graph.decay(owner, { persona: null, halfLifeDays: 7, now: 90_000 })
    await memory.lifecycle.recordRun(owner, null, aRun(90_000))
  }
  return namespace
}

const found = async ({ episodic, graph }: MemoryStores) => {
  const query = { vector: unit(0.5, 0.5), terms: ['17'], personas: null }
  const { hits } = await episodic.search(other, { ...query, nearest: 20, lexical: 20 })
  const facts = await graph.searchFacts(other, { ...query, limit: 20 })
  return { chunks: hits.map(({ chunk }) => chunk.id).sort(), facts: facts.map(({ fact }) => fact.id).sort() }
}

test('a migration that is cut off goes on where it stopped, and both ways everything arrives', async () => {
  const source = await openEmbedded('source')
  await fill(source)
  let reached: Position | null = null
  const keep = async (position: Position) => {
    reached = position
  }
  const cutOff: Archive = {
    ...server.stores.archive,
    put: async (records) => {
      if (records.some(({ kind }) => kind === 'fact')) throw new Error('cut off')
      await server.stores.archive.put(records)
    },
  }
  await assert.rejects(migrate({ from: source.archive, to: cutOff, position: null, keep }), /cut off/)
  assert.ok(reached)

  const there = await migrate({ from: source.archive, to: server.stores.archive, position: reached, keep })
  assert.equal(there.outcome, 'done')
  assert.deepEqual(await found(server.stores.memory), await found(source.memory))

  const target = await openEmbedded('target')
  const back = await migrate({ from: server.stores.archive, to: target.archive, position: null, keep })
  assert.equal(back.outcome, 'done')
  assert.deepEqual(await tallyOf(target.archive, 100), await tallyOf(source.archive, 100))
  assert.deepEqual(await found(target.memory), await found(source.memory))

  // Both copies undo alike what a removed statement had replaced.
  const withoutIt = async ({ episodic, graph }: MemoryStores) => {
    const replaced = async () => (await episodic.get(other, [chunkId('item 8')]))[0]?.replaced?.by ?? null
    const before = await replaced()
    await episodic.remove(other, { ids: [chunkId('item 11')], persona: null, sessionId: null })
    const open = await graph.list(other, anyFilter, { after: null, limit: 999 })
    return { before, after: await replaced(), open: open.map(({ id }) => id) }
  }
  const undone = await withoutIt(target.memory)
  assert.deepEqual([undone.before, undone.after], [chunkId('item 11'), null])
  assert.deepEqual(await withoutIt(server.stores.memory), undone)

  // What was migrated goes on living: a repeat is known, a newer value closes the older one.
  const again = await server.stores.memory.journal.remember(
    other,
    item('I live in city 1 and like thing 1', { name: 'again' }),
  )
  assert.equal(again.outcome, 'stored', 'its facts were closed since, so it is news')

  await Promise.all([source.engine.close(), target.engine.close()])
})

test('a target that holds anything is refused before the first write, in both directions', async () => {
  const [one, two] = [await openEmbedded('one'), await openEmbedded('two')]
  for (const { accounts, memory } of [one, two]) {
    await accounts.accounts.saveAccount({ name: 'default', tier: 'pro' }, 1_000)
    await memory.journal.remember(other, item('I live in Rome', { name: randomId() }))
  }
  const refused = async (from: Archive, to: Archive, position: Position | null = null) => {
    const before = await tallyOf(to, 100)
    const writes: unknown[] = []
    const watched = { ...to, put: async (records: unknown) => void writes.push(records) }
    const keep = async () => assert.fail('nothing was copied')
    const { outcome, ...told } = await migrate({ from, to: watched, position, keep })
    assert.equal(outcome, 'occupied')
    assert.deepEqual(writes, [])
    assert.deepEqual(await tallyOf(to, 100), before)
    return 'holds' in told ? told.holds : null
  }
  await server.empty()
  await server.stores.accounts.accounts.saveAccount({ name: 'default', tier: 'pro' }, 1_000)
  assert.deepEqual(await refused(one.archive, server.stores.archive), { account: 1 })
  assert.deepEqual(await refused(server.stores.archive, two.archive), { account: 1, chunk: 1 })
  // Left over from a try with another target.
  const elsewhere = { kind: 'chunk', cursor: null, copied: 700 } as const
  await refused(one.archive, server.stores.archive, elsewhere)
  await Promise.all([one.engine.close(), two.engine.close()])
})
