import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AccountStore, KeyRecord } from '../../accounts/ports.ts'
import { type OpenAccountStores, withAccountStores } from './accounts-setting.ts'

const start = 1_790_000_000.25

function keyOf(account: string, id: string, changes: Partial<KeyRecord> = {}): KeyRecord {
  const rest = {
    hash: `hash-${id}`,
    lastFour: 'wxyz',
    family: `family-${id}`,
    createdAt: start,
    expiresAt: null,
  }
  return { id, account, ...rest, ...changes }
}

/** Rules AS1 to AS8 of docs/ports/accounts.md. */
export function accountStoreContract(backend: string, open: OpenAccountStores): void {
  const check = (title: string, run: (store: AccountStore) => Promise<void>) =>
    test(title, () => withAccountStores(open, ({ accounts }) => run(accounts)))

  describe(`account store: ${backend}`, () => {
    accountRules(check)
    keyRules(check)
    removalRules(open)
  })
}

type Check = (title: string, run: (store: AccountStore) => Promise<void>) => void

function accountRules(check: Check): void {
  check('[AS1] gives every account a namespace of its own, for good', async (store) => {
    const first = await store.saveAccount({ name: 'first', tier: 'free' }, start)
    const second = await store.saveAccount({ name: 'second', tier: 'free' }, start)
    assert.notEqual(first.namespace, second.namespace)
    assert.ok(first.namespace.length >= 16)
    const again = await store.saveAccount({ name: 'first', tier: 'free' }, start + 5)
    assert.deepEqual(again, first)
    assert.deepEqual(await store.account('first'), first)
  })

  check('[AS2] sets the tier on saving again and keeps the override unless one is given', async (store) => {
    await store.saveAccount({ name: 'acme', tier: 'free', monthlyOps: 70 }, start)
    const kept = await store.saveAccount({ name: 'acme', tier: 'pro' }, start)
    assert.deepEqual([kept.tier, kept.monthlyOps], ['pro', 70])
    const zero = await store.saveAccount({ name: 'acme', tier: 'pro', monthlyOps: 0 }, start)
    assert.equal(zero.monthlyOps, 0)
    const removed = await store.saveAccount({ name: 'acme', tier: 'pro', monthlyOps: null }, start)
    assert.equal(removed.monthlyOps, null)
  })

  check('[AS3] patches what is named and nothing else', async (store) => {
    const saved = await store.saveAccount({ name: 'acme', tier: 'free' }, start)
    assert.deepEqual(await store.patchAccount('acme', { monthlyOps: 9 }), { ...saved, monthlyOps: 9 })
    const scaled = { ...saved, monthlyOps: 9, tier: 'scale' }
    assert.deepEqual(await store.patchAccount('acme', { tier: 'scale' }), scaled)
    assert.deepEqual(await store.patchAccount('acme', {}), scaled)
    assert.deepEqual(await store.account('acme'), scaled)
    assert.equal(await store.patchAccount('nobody', { tier: 'pro' }), null)
    assert.equal(await store.account('nobody'), null)
  })

  check('[AS7] takes names as they are and lists in the order of creation', async (store) => {
    const names = ["o'neil", 'ACME', 'acme', '%', '"; DROP TABLE accounts; --', 'zoë']
    for (const [index, name] of names.entries()) {
      await store.saveAccount({ name, tier: 'free' }, start + index)
      await store.addKey(keyOf(name, `key-${9 - index}`, { createdAt: start + index }))
    }
    const listed = await store.accounts()
    assert.deepEqual(
      listed.map(({ name }) => name),
      names,
    )
    assert.equal(new Set(listed.map(({ namespace }) => namespace)).size, names.length)
    assert.deepEqual(
      (await store.keys()).map(({ account }) => account),
      names,
    )
    assert.equal(await store.account('Acme'), null)
    assert.equal(await store.account('_'), null)
  })
}

function keyRules(check: Check): void {
  check('[AS4] finds a key by its hash, with its account as it is now', async (store) => {
    await store.saveAccount({ name: 'acme', tier: 'free' }, start)
    const key = keyOf('acme', 'one')
    await store.addKey(key)
    await store.patchAccount('acme', { tier: 'pro' })
    assert.deepEqual(await store.keyByHash('hash-one'), { key, account: await store.account('acme') })
    assert.equal((await store.keyByHash('hash-one'))?.account.tier, 'pro')
    assert.deepEqual(await store.key('one'), key)
    await store.expireKey('one', start - 1)
    assert.equal((await store.keyByHash('hash-one'))?.key.expiresAt, start - 1)
    assert.equal(await store.keyByHash('hash-two'), null)
    assert.equal(await store.key('two'), null)
  })

  check('[AS5] keeps the earlier of two ends', async (store) => {
    await store.saveAccount({ name: 'acme', tier: 'free' }, start)
    await store.addKey(keyOf('acme', 'one'))
    for (const [at, expected] of [
      [start + 100, start + 100],
      [start + 200, start + 100],
      [start + 0.5, start + 0.5],
    ] as const) {
      assert.equal(await store.expireKey('one', at), true)
      assert.equal((await store.key('one'))?.expiresAt, expected)
    }
    assert.equal(await store.expireKey('unknown', start), false)
  })

  check('[AS6] refuses a key without its account, and a second one with its id or hash', async (store) => {
    await store.saveAccount({ name: 'acme', tier: 'free' }, start)
    await store.addKey(keyOf('acme', 'one'))
    await assert.rejects(store.addKey(keyOf('nobody', 'two')))
    await assert.rejects(store.addKey(keyOf('acme', 'one', { hash: 'other' })))
    await assert.rejects(store.addKey(keyOf('acme', 'three', { hash: 'hash-one' })))
    assert.deepEqual(await store.keys(), [keyOf('acme', 'one')])
  })
}

function removalRules(open: OpenAccountStores): void {
  test('[AS8] removes an account with all that is kept of it, and nothing of another', () =>
    withAccountStores(open, async ({ accounts, ledger, clients, idempotency }) => {
      const month = '2026-11'
      const reply = { key: 'one', bodyHash: 'x', now: start }
      for (const name of ['acme', 'acme 2', 'acme"']) {
        await accounts.saveAccount({ name, tier: 'free' }, start)
        await accounts.addKey(keyOf(name, `of ${name}`))
        await ledger.reserve({ id: `spent ${name}`, account: name, month, ops: 5, limit: 9 })
        await ledger.settle(`spent ${name}`)
        await ledger.reserve({ id: `taken ${name}`, account: name, month, ops: 2, limit: 9 })
        await clients.add(name, [{ client: 'codex', calls: 1, lastAt: start }])
        await idempotency.begin({ account: name, ...reply })
      }
      const before = await accounts.account('acme')
      assert.equal(await accounts.removeAccount('acme'), true)
      assert.equal(await accounts.removeAccount('acme'), false)
      assert.equal(await accounts.account('acme'), null)
      assert.equal(await accounts.keyByHash('hash-of acme'), null)
      assert.equal(await ledger.used('acme', month), 0)
      assert.deepEqual(await clients.of('acme'), [])
      assert.equal((await idempotency.begin({ account: 'acme', ...reply })).state, 'new')
      for (const name of ['acme 2', 'acme"']) {
        assert.ok((await accounts.keyByHash(`hash-of ${name}`)) !== null)
        assert.equal(await ledger.used(name, month), 7)
        assert.equal((await clients.of(name)).length, 1)
        assert.equal((await idempotency.begin({ account: name, ...reply })).state, 'running')
      }
      const anew = await accounts.saveAccount({ name: 'acme', tier: 'free' }, start)
      assert.notEqual(anew.namespace, before?.namespace)
      assert.equal((await accounts.accounts()).length, 3)
    }))
}
