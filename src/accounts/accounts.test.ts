import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createManualClock } from '../core/clock.ts'
import { ServiceError } from '../core/errors.ts'
import { randomId } from '../core/ids.ts'
import { createEmbeddedAccountStores } from '../stores/embedded/account-stores.ts'
import { openInlineEngine } from '../stores/embedded/engine/inline.ts'
import { createAccounts } from './accounts.ts'
import { tiers } from './tiers.ts'

function setUp() {
  const clock = createManualClock(1_790_000_000)
  const report = (error: unknown) => {
    throw error
  }
  const stores = createEmbeddedAccountStores(openInlineEngine(), { newId: randomId, report })
  const accounts = createAccounts({ stores, tiers, clock, newId: randomId, random: randomBytes })
  return { accounts, stores, clock }
}

test('lists keys without anything that opens a door', async () => {
  const { accounts, clock } = setUp()
  const issued = await accounts.issue({ account: 'acme', tier: 'pro' })
  const listed = await accounts.keys()
  assert.deepEqual(listed, [
    {
      id: issued.id,
      account: 'acme',
      tier: 'pro',
      lastFour: issued.key.slice(-4),
      createdAt: clock.now(),
      expiresAt: null,
      active: true,
    },
  ])
})

test('a rotated key ends with its grace, a revoked one at once and for good', async () => {
  const { accounts, clock } = setUp()
  const old = await accounts.issue({ account: 'acme', tier: 'pro' })
  const next = await accounts.rotate(old.id, 60)
  assert.ok(next !== null && next.key !== old.key && next.id !== old.id)
  const active = async () => (await accounts.keys()).filter((key) => key.active).map(({ id }) => id)
  assert.deepEqual(new Set(await active()), new Set([old.id, next.id]))
  clock.advance(60)
  assert.deepEqual(await active(), [next.id])
  assert.equal(await accounts.rotate(old.id, 60), null)
  assert.equal(await accounts.revoke(next.id), true)
  assert.equal(await accounts.revoke(next.id), true)
  assert.deepEqual(await active(), [])
  assert.equal(await accounts.revoke('unknown'), false)
  assert.equal(await accounts.rotate('unknown', 60), null)
})

test('changes tier and budget of an account, and knows no other', async () => {
  const { accounts } = setUp()
  await accounts.issue({ account: 'acme', tier: 'free', monthlyOps: 9 })
  await accounts.issue({ account: 'acme', tier: 'starter' })
  assert.deepEqual(await accounts.accounts(), [{ account: 'acme', tier: 'starter', monthlyOps: 9 }])
  const patched = await accounts.patch('acme', { tier: null, monthlyOps: null })
  assert.deepEqual(patched, { account: 'acme', tier: 'starter', monthlyOps: null })
  assert.equal(await accounts.patch('nobody', { tier: 'pro' }), null)
  assert.equal(await accounts.usage('nobody'), null)
})

test('a further key without a tier keeps the tier and the budget of its account; a new account has no limits', async () => {
  const { accounts } = setUp()
  await accounts.issue({ account: 'acme', tier: 'pro', monthlyOps: 9 })
  await accounts.patch('acme', { tier: 'scale' })
  assert.equal((await accounts.issue({ account: 'acme' })).tier, 'scale')
  assert.equal((await accounts.issue({ account: 'acme', tier: null })).tier, 'scale')
  assert.deepEqual(await accounts.accounts(), [{ account: 'acme', tier: 'scale', monthlyOps: 9 }])
  await accounts.issue({ account: 'acme', monthlyOps: 10 })
  assert.deepEqual(await accounts.accounts(), [{ account: 'acme', tier: 'scale', monthlyOps: 10 }])
  assert.equal((await accounts.issue({ account: 'new' })).tier, 'enterprise')
})

test('makes the first account once, and its key is kept before it is valid', async () => {
  const { accounts, stores } = setUp()
  const kept: string[] = []
  const first = await accounts.ensureFirstAccount(async (key) => {
    assert.deepEqual(await stores.accounts.keys(), [])
    kept.push(key)
  })
  assert.deepEqual(kept, [first?.key])
  assert.deepEqual([first?.account, first?.tier], ['default', 'enterprise'])
  assert.equal(await accounts.ensureFirstAccount(), null)
  assert.equal(kept.length, 1)
})

test('refuses an account name that is empty, endless or has control characters', async () => {
  const { accounts } = setUp()
  for (const account of ['', 'a'.repeat(129), 'a\nb', 'a\u202eb']) {
    const isRefusal = (error: unknown) => error instanceof ServiceError && error.code === 'invalid_request'
    await assert.rejects(accounts.issue({ account, tier: 'free' }), isRefusal)
  }
  assert.deepEqual(await accounts.accounts(), [])
})

test('gives back and forgets at start what a crashed process left', async () => {
  const { accounts, stores, clock } = setUp()
  const month = '2026-09'
  await stores.ledger.reserve({ id: 'a', account: 'acme', month, ops: 5, limit: 10 })
  await stores.idempotency.begin({ account: 'acme', key: 'k', bodyHash: 'h', now: clock.now() })
  assert.deepEqual(await accounts.recover(), { refunded: 1, abandoned: 1 })
  assert.equal(await stores.ledger.used('acme', month), 0)
})
