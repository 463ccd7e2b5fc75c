import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { IdempotencyStore } from '../../accounts/ports.ts'
import { type OpenAccountStores, withAccountStores } from './accounts-setting.ts'

const now = 1_790_000_000.5
const day = 86_400
const entry = { account: 'acme', key: 'order 7', bodyHash: 'hash', now }
const reply = { account: 'acme', key: 'order 7', status: 200, body: '{"msg":"é ✓"}' }
const done = { state: 'done', status: reply.status, body: reply.body }

/** Rules ID1 to ID6 of docs/ports/accounts.md. */
export function idempotencyStoreContract(backend: string, open: OpenAccountStores): void {
  const check = (title: string, run: (store: IdempotencyStore) => Promise<void>) =>
    test(title, () => withAccountStores(open, ({ idempotency }) => run(idempotency)))

  describe(`idempotency store: ${backend}`, () => {
    check('[ID1] lets exactly one of parallel requests begin', async (store) => {
      const states = await Promise.all(Array.from({ length: 20 }, () => store.begin(entry)))
      assert.equal(states.filter(({ state }) => state === 'new').length, 1)
      assert.equal(states.filter(({ state }) => state === 'running').length, 19)
    })

    check('[ID2] answers a finished request with the kept reply', async (store) => {
      await store.begin(entry)
      await store.finish(reply)
      assert.deepEqual(await store.begin({ ...entry, now: now + 5 }), done)
      assert.deepEqual(await store.begin({ ...entry, now: now + 6 }), done)
    })

    check('[ID3] tells another body under the same key', async (store) => {
      await store.begin(entry)
      assert.deepEqual(await store.begin({ ...entry, bodyHash: 'other' }), { state: 'mismatch' })
      await store.finish(reply)
      assert.deepEqual(await store.begin({ ...entry, bodyHash: 'other' }), { state: 'mismatch' })
      assert.deepEqual(await store.begin(entry), done)
    })

    check('[ID4] starts anew what was abandoned, and keeps what was finished', async (store) => {
      await store.begin(entry)
      await store.abandon(entry)
      assert.deepEqual(await store.begin({ ...entry, bodyHash: 'other' }), { state: 'new' })
      await store.finish(reply)
      await store.abandon(entry)
      assert.deepEqual(await store.begin({ ...entry, bodyHash: 'other' }), done)
    })

    check('[ID5] keeps an entry for 24 hours', async (store) => {
      await store.begin(entry)
      await store.finish(reply)
      assert.deepEqual(await store.begin({ ...entry, now: now + day - 0.5 }), done)
      assert.deepEqual(await store.begin({ ...entry, now: now + day, bodyHash: 'other' }), { state: 'new' })
    })

    check('[ID6] keeps accounts apart and forgets at start what was left running', async (store) => {
      await store.begin(entry)
      await store.finish(reply)
      assert.deepEqual(await store.begin({ ...entry, account: 'other' }), { state: 'new' })
      assert.equal(await store.abandonUnfinished(), 1)
      assert.deepEqual(await store.begin({ ...entry, account: 'other' }), { state: 'new' })
      assert.deepEqual(await store.begin(entry), done)
    })
  })
}
