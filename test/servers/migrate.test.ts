import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { type Archive, tallyOf } from '../../src/archive/archive.ts'
import { migrate, type Position } from '../../src/archive/migrate.ts'
import { asNamespace, randomId } from '../../src/core/ids.ts'
import type { MemoryStores } from '../../src/memory/ports.ts'
import { item, unit } from '../../src/stores/contracts/journal-drafts.ts'
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
        }),
      )
    }
    await memory.graph.decay(owner, { persona: null, halfLifeDays: 7, now: 90_000 })
    await memory.lifecycle.recordRun(owner, null, 90_000)
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

  // What was migrated goes on living: a repeat is known, a newer value closes the older one.
  const again = await server.stores.memory.journal.remember(
    other,
    item('I live in city 1 and like thing 1', { name: 'again' }),
  )
  assert.equal(again.outcome, 'stored', 'its facts were closed since, so it is news')

  // A side that holds something else is told, not overwritten.
  const different = await migrate({ from: source.archive, to: server.stores.archive, position: null, keep })
  assert.equal(different.outcome, 'different')
  await Promise.all([source.engine.close(), target.engine.close()])
})
