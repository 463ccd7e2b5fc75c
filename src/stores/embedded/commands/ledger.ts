import type { EngineContext } from '../engine/context.ts'

export interface MonthlyOps {
  readonly account: string
  readonly month: string
  readonly ops: number
}

interface LimitedReservation extends MonthlyOps {
  readonly id: string
  readonly limit: number
}

/** One statement looks and takes: nothing can come between, in this process or another. */
const takeWithinLimit = `
INSERT INTO usage (account, month, used) SELECT :account, :month, :ops WHERE :ops <= :limit
ON CONFLICT (account, month) DO UPDATE SET used = used + :ops WHERE used + :ops <= :limit`

const takeAlways = `
INSERT INTO usage (account, month, used) VALUES (:account, :month, :ops)
ON CONFLICT (account, month) DO UPDATE SET used = used + :ops`

const giveBack = 'UPDATE usage SET used = used - ? WHERE account = ? AND month = ?'

export const ledgerWrites = {
  'ledger.reserve': ({ prepare }: EngineContext, reservation: LimitedReservation): boolean => {
    const { id, account, month, ops, limit } = reservation
    if (prepare(takeWithinLimit).run({ account, month, ops, limit }).changes !== 1) return false
    prepare('INSERT INTO reservations (id, account, month, ops) VALUES (?, ?, ?, ?)').run(
      id,
      account,
      month,
      ops,
    )
    return true
  },
  /** Counts without a limit; negative ops give back what was counted before. */
  'ledger.count': ({ prepare }: EngineContext, entries: readonly MonthlyOps[]): void => {
    for (const { account, month, ops } of entries) {
      if (ops < 0) prepare(giveBack).run(-ops, account, month)
      else prepare(takeAlways).run({ account, month, ops })
    }
  },
  'ledger.settle': ({ prepare }: EngineContext, id: string): void => {
    prepare('DELETE FROM reservations WHERE id = ?').run(id)
  },
  'ledger.refund': ({ prepare }: EngineContext, id: string): void => {
    const row = prepare('DELETE FROM reservations WHERE id = ? RETURNING ops, account, month').get(id)
    if (row !== undefined) prepare(giveBack).run(...refundValues(row))
  },
  'ledger.refundUnsettled': ({ prepare }: EngineContext): number => {
    const rows = prepare('DELETE FROM reservations RETURNING ops, account, month').all()
    for (const row of rows) prepare(giveBack).run(...refundValues(row))
    return rows.length
  },
}

export const ledgerReads = {
  'ledger.used': ({ prepare }: EngineContext, { account, month }: { account: string; month: string }) =>
    Number(prepare('SELECT used FROM usage WHERE account = ? AND month = ?').get(account, month)?.used ?? 0),
}

function refundValues(row: Record<string, unknown>): [number, string, string] {
  return [Number(row.ops), String(row.account), String(row.month)]
}
