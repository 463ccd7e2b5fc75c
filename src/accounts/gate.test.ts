import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createManualClock } from '../core/clock.ts'
import { ServiceError } from '../core/errors.ts'
import { randomId } from '../core/ids.ts'
import { createEmbeddedAccountStores } from '../stores/embedded/account-stores.ts'
import { openInlineEngine } from '../stores/embedded/engine/inline.ts'
import { createAccounts } from './accounts.ts'
import { cacheKeys } from './cached-keys.ts'
import { createGate } from './gate.ts'
import { newKey } from './keys.ts'
import { tierNames, tiersWith } from './tiers.ts'

const start = Date.UTC(2026, 10, 30, 23, 59, 0) / 1000
const upgradeUrl = 'https://example.org/plans'

function setUp(monthlyOps: Parameters<typeof tiersWith>[0] = {}) {
  const engine = openInlineEngine()
  const clock = createManualClock(start)
  const reported: unknown[] = []
  const report = (error: unknown) => reported.push(error)
  const embedded = createEmbeddedAccountStores(engine, { newId: randomId, report })
  const stores = { ...embedded, accounts: cacheKeys(embedded.accounts) }
  const tiers = tiersWith(monthlyOps)
  const accounts = createAccounts({ stores, tiers, clock, newId: randomId, random: randomBytes })
  const gate = createGate({ ...stores, tiers, clock, newId: randomId, upgradeUrl, report })
  return { accounts, gate, clock, engine, reported }
}

const failsWith = (code: string) => (error: unknown) => error instanceof ServiceError && error.code === code

async function refusal(run: () => unknown): Promise<ServiceError> {
  try {
    await run()
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
  throw new Error('nothing was refused')
}

test('knows the holder of a key', async () => {
  const { accounts, gate } = setUp()
  const issued = await accounts.issue({ account: 'acme', tier: 'pro', monthlyOps: 7 })
  const caller = await gate.authenticate([issued.key])
  assert.deepEqual(
    [caller.account, caller.tier, caller.keyId, caller.monthlyOps],
    ['acme', 'pro', issued.id, 7],
  )
  const second = await accounts.issue({ account: 'acme', tier: 'pro' })
  const again = await gate.authenticate([second.key])
  assert.equal(again.namespace, caller.namespace)
  assert.notEqual(again.family, caller.family)
})

test('rejects missing, repeated, malformed, unknown, revoked and ended keys alike', async () => {
  const { accounts, gate, clock } = setUp()
  const { key } = await accounts.issue({ account: 'acme', tier: 'pro' })
  const revoked = await accounts.issue({ account: 'acme', tier: 'pro' })
  const rotated = await accounts.issue({ account: 'acme', tier: 'pro' })
  await gate.authenticate([revoked.key])
  await accounts.revoke(revoked.id)
  await accounts.rotate(rotated.id, 10)
  clock.advance(10)
  const refused = [[], [key, key], [''], [`${key}x`], [newKey(randomBytes)], [revoked.key], [rotated.key]]
  for (const keys of refused) {
    const error = await refusal(() => gate.authenticate(keys))
    assert.deepEqual([error.code, error.facts], ['key_rejected', {}])
  }
  await gate.authenticate([key])
})

test('says that the store is unavailable, not that the key is wrong, when it cannot look', async () => {
  const { accounts, gate, engine } = setUp()
  const { key } = await accounts.issue({ account: 'acme', tier: 'pro' })
  await engine.close()
  await assert.rejects(gate.authenticate([key]), failsWith('store_unavailable'))
})

test('sees a changed tier at once', async () => {
  const { accounts, gate } = setUp()
  const { key } = await accounts.issue({ account: 'acme', tier: 'free' })
  assert.equal((await gate.authenticate([key])).tier, 'free')
  await accounts.patch('acme', { tier: 'scale' })
  assert.equal((await gate.authenticate([key])).tier, 'scale')
})

test('a rotated pair shares one rate window, another key of the account has its own', async () => {
  const { accounts, gate } = setUp()
  const old = await accounts.issue({ account: 'acme', tier: 'free' })
  const next = await accounts.rotate(old.id, 3_600)
  const other = await accounts.issue({ account: 'acme', tier: 'free' })
  const callers = await Promise.all(
    [old.key, next?.key ?? '', other.key].map((key) => gate.authenticate([key])),
  )
  const [first, second, third] = callers
  assert.ok(first && second && third)
  for (let call = 0; call < 5; call++) {
    await gate.admit(first)
    await gate.admit(second)
  }
  await assert.rejects(gate.admit(first), failsWith('rate_limit_exceeded'))
  await assert.rejects(gate.admit(second), failsWith('rate_limit_exceeded'))
  await gate.admit(third)
})

test('tells a caller over the rate limit everything the specification lists', async () => {
  const { accounts, gate, clock } = setUp()
  const caller = await gate.authenticate([(await accounts.issue({ account: 'acme', tier: 'free' })).key])
  for (let call = 0; call < 10; call++) await gate.admit(caller)
  clock.advance(17.5)
  const { facts } = await refusal(() => gate.admit(caller))
  assert.equal(facts.retryAfterSeconds, 43)
  assert.deepEqual(facts.extra, {
    error: 'rate_limit_exceeded',
    limit: 10,
    tier: 'free',
    retry_after_seconds: 43,
    upgrade: upgradeUrl,
  })
  clock.advance(43)
  await gate.admit(caller)
})

test('admits tier enterprise without a limit', async () => {
  const { accounts, gate } = setUp()
  const caller = await gate.authenticate([
    (await accounts.issue({ account: 'acme', tier: 'enterprise' })).key,
  ])
  for (let call = 0; call < 2_000; call++) await gate.admit(caller)
})

for (const tier of tierNames) {
  test(`tier ${tier} ${tier === 'free' ? 'lacks' : 'has'} what needs tier starter`, async () => {
    const { accounts, gate } = setUp()
    const caller = await gate.authenticate([(await accounts.issue({ account: 'acme', tier })).key])
    if (tier !== 'free') return gate.requirePlan(caller, 'starter')
    const { code, facts } = await refusal(() => gate.requirePlan(caller, 'starter'))
    assert.equal(code, 'plan_required')
    const expected = { error: 'plan_required', required_tier: 'starter', tier: 'free', upgrade: upgradeUrl }
    assert.deepEqual(facts.extra, expected)
  })
}

test('refuses beyond the monthly budget, gives back what failed, and starts anew with the month', async () => {
  const { accounts, gate, clock } = setUp({ free: 12 })
  const caller = await gate.authenticate([(await accounts.issue({ account: 'acme', tier: 'free' })).key])
  const failed = await gate.reserve(caller, 5)
  const done = await gate.reserve(caller, 5)
  const { code, facts } = await refusal(() => gate.reserve(caller, 5))
  assert.equal(code, 'monthly_limit_exceeded')
  assert.deepEqual(facts.extra, { error: 'monthly_limit_exceeded', tier: 'free', upgrade: upgradeUrl })
  done.settle()
  await failed.refund()
  await failed.refund()
  assert.equal((await accounts.usage('acme'))?.used, 5)
  await gate.reserve(caller, 5)
  await gate.reserve(caller, 2)
  await gate.reserve(caller, 0)
  await assert.rejects(gate.reserve(caller, 1), failsWith('monthly_limit_exceeded'))
  clock.advance(60)
  await gate.reserve(caller, 12)
  assert.deepEqual(await accounts.usage('acme'), {
    account: 'acme',
    tier: 'free',
    monthlyOps: null,
    month: '2026-12',
    used: 12,
    limit: 12,
    resetsAt: Date.UTC(2027, 0, 1) / 1000,
  })
})

test("an account's own budget replaces the tier's, in both directions", async () => {
  const { accounts, gate } = setUp()
  const { key } = await accounts.issue({ account: 'acme', tier: 'enterprise', monthlyOps: 5 })
  await gate.reserve(await gate.authenticate([key]), 5)
  await assert.rejects(gate.reserve(await gate.authenticate([key]), 1), failsWith('monthly_limit_exceeded'))
  await accounts.patch('acme', { monthlyOps: null })
  await gate.reserve(await gate.authenticate([key]), 1_000_000)
})

test('reports bookkeeping that fails after the work instead of failing the answer', async () => {
  const { accounts, gate, engine, reported } = setUp()
  const caller = await gate.authenticate([(await accounts.issue({ account: 'acme', tier: 'pro' })).key])
  const reservation = await gate.reserve(caller, 5)
  await engine.close()
  await reservation.refund()
  assert.equal(reported.length, 1)
})
