import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Ledger } from '../../accounts/ports.ts'
import { type OpenAccountStores, withAccountStores } from './accounts-setting.ts'

const month = '2026-11'

/** Rules LE1 to LE7 of docs/ports/accounts.md. */
export function ledgerContract(backend: string, open: OpenAccountStores): void {
  const check = (title: string, run: (ledger: Ledger) => Promise<void>) =>
    test(title, () => withAccountStores(open, ({ ledger }) => run(ledger)))

  describe(`ledger: ${backend}`, () => {
    takingRules(check)
    givingBackRules(check)
  })
}

type Check = (title: string, run: (ledger: Ledger) => Promise<void>) => void

function takingRules(check: Check): void {
  check('[LE1] grants up to the limit exactly and takes nothing when it refuses', async (ledger) => {
    const take = (id: string, ops: number) => ledger.reserve({ id, account: 'acme', month, ops, limit: 10 })
    assert.equal(await ledger.used('acme', month), 0)
    assert.equal(await take('too much', 11), false)
    assert.equal(await take('a', 7), true)
    assert.equal(await take('b', 4), false)
    assert.equal(await ledger.used('acme', month), 7)
    assert.equal(await take('c', 3), true)
    assert.equal(await take('d', 1), false)
    assert.equal(await ledger.used('acme', month), 10)
  })

  check('[LE2] grants exactly as many parallel reservations as fit', async (ledger) => {
    const granted = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        ledger.reserve({ id: `${index}`, account: 'acme', month, ops: 5, limit: 137 * 5 + 4 }),
      ),
    )
    assert.equal(granted.filter(Boolean).length, 137)
    assert.equal(await ledger.used('acme', month), 137 * 5)
  })

  check('[LE4] keeps accounts and months apart', async (ledger) => {
    const take = (id: string, account: string, inMonth: string) =>
      ledger.reserve({ id, account, month: inMonth, ops: 5, limit: 5 })
    assert.equal(await take('a', 'acme', '2026-11'), true)
    assert.equal(await take('b', 'Acme', '2026-11'), true)
    assert.equal(await take('c', 'acme', '2026-12'), true)
    await ledger.refund('b')
    assert.equal(await ledger.used('acme', '2026-11'), 5)
    assert.equal(await ledger.used('Acme', '2026-11'), 0)
    assert.equal(await ledger.used('acme', '2026-12'), 5)
  })

  check('[LE5] counts without a limit and refuses nothing', async (ledger) => {
    const take = (id: string) => ledger.reserve({ id, account: 'acme', month, ops: 1_000_000, limit: null })
    const granted = await Promise.all(Array.from({ length: 20 }, (_, index) => take(`${index}`)))
    assert.ok(granted.every(Boolean))
    assert.equal(await ledger.used('acme', month), 20_000_000)
    await ledger.refund('3')
    await ledger.refund('3')
    await ledger.settle('4')
    await ledger.refund('4')
    assert.equal(await ledger.used('acme', month), 19_000_000)
  })

  check('[LE7] follows the limit of each call and ignores unknown ids', async (ledger) => {
    const take = (id: string, limit: number) => ledger.reserve({ id, account: 'acme', month, ops: 5, limit })
    assert.equal(await take('a', 10), true)
    assert.equal(await take('b', 4), false)
    assert.equal(await take('c', 9), false)
    assert.equal(await take('d', 10), true)
    await ledger.settle('unknown')
    await ledger.refund('unknown')
    assert.equal(await ledger.used('acme', month), 10)
  })
}

function givingBackRules(check: Check): void {
  check('[LE3] refunds once, and never what was settled', async (ledger) => {
    const take = (id: string) => ledger.reserve({ id, account: 'acme', month, ops: 5, limit: 15 })
    assert.deepEqual(await Promise.all([take('a'), take('b'), take('c')]), [true, true, true])
    await Promise.all([ledger.refund('a'), ledger.refund('a'), ledger.refund('a')])
    assert.equal(await ledger.used('acme', month), 10)
    await ledger.settle('b')
    await ledger.refund('b')
    assert.equal(await ledger.used('acme', month), 10)
    assert.equal(await take('d'), true)
    assert.equal(await take('e'), false)
  })

  check('[LE6] gives back at start what was not settled, once', async (ledger) => {
    const take = (id: string, account: string) => ledger.reserve({ id, account, month, ops: 5, limit: 100 })
    for (const id of ['a', 'b', 'c']) await take(id, 'acme')
    await take('d', 'other')
    await ledger.settle('a')
    assert.equal(await ledger.refundUnsettled(), 3)
    assert.equal(await ledger.used('acme', month), 5)
    assert.equal(await ledger.used('other', month), 0)
    assert.equal(await ledger.refundUnsettled(), 0)
    await ledger.refund('b')
    assert.equal(await ledger.used('acme', month), 5)
  })
}
