import type { Account, KeyRecord } from '../../../accounts/ports.ts'
import type { TierName } from '../../../accounts/tiers.ts'
import { asNamespace } from '../../../core/ids.ts'
import type { EngineContext } from '../engine/context.ts'

interface AccountRow {
  name: string
  namespace: string
  tier: string
  monthly_ops: number | null
  created_at: number
}

interface KeyRow {
  id: string
  account: string
  hash: string
  last_four: string
  family: string
  created_at: number
  expires_at: number | null
}

type Row = ReturnType<ReturnType<EngineContext['prepare']>['get']>

function toAccount(row: Row): Account | null {
  if (row === undefined) return null
  // The columns are STRICT and written by this file alone.
  const { name, namespace, tier, monthly_ops, created_at } = row as unknown as AccountRow
  return {
    name,
    namespace: asNamespace(namespace),
    tier: tier as TierName,
    monthlyOps: monthly_ops,
    createdAt: created_at,
  }
}

function toKey(row: Row): KeyRecord | null {
  if (row === undefined) return null
  const { id, account, hash, last_four, family, created_at, expires_at } = row as unknown as KeyRow
  return { id, account, hash, lastFour: last_four, family, createdAt: created_at, expiresAt: expires_at }
}

const present = <T>(value: T | null): value is T => value !== null

function accountNamed({ prepare }: EngineContext, name: string): Account | null {
  return toAccount(prepare('SELECT * FROM accounts WHERE name = ?').get(name))
}

function patch(context: EngineContext, args: AccountPatch): Account | null {
  if (args.tier !== undefined) {
    context.prepare('UPDATE accounts SET tier = ? WHERE name = ?').run(args.tier, args.name)
  }
  if (args.monthlyOps !== undefined) {
    context.prepare('UPDATE accounts SET monthly_ops = ? WHERE name = ?').run(args.monthlyOps, args.name)
  }
  return accountNamed(context, args.name)
}

interface AccountPatch {
  readonly name: string
  readonly tier?: TierName | undefined
  readonly monthlyOps?: number | null | undefined
}

export const accountWrites = {
  /** The namespace and the time count only when the account is new. */
  'accounts.save': (
    context: EngineContext,
    args: AccountPatch & Pick<Account, 'namespace' | 'tier' | 'createdAt'>,
  ) => {
    context
      .prepare(
        'INSERT INTO accounts (name, namespace, tier, created_at) VALUES (?, ?, ?, ?) ON CONFLICT (name) DO NOTHING',
      )
      .run(args.name, args.namespace, args.tier, args.createdAt)
    return patch(context, args)
  },
  'accounts.patch': patch,
  'accounts.addKey': ({ prepare }: EngineContext, key: KeyRecord): void => {
    prepare(
      'INSERT INTO keys (id, account, hash, last_four, family, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
    ).run(key.id, key.account, key.hash, key.lastFour, key.family, key.createdAt, key.expiresAt)
  },
  'accounts.remove': (context: EngineContext, name: string): boolean => {
    const account = accountNamed(context, name)
    if (account === null) return false
    for (const table of ['keys', 'reservations', 'usage', 'idempotency', 'client_log'])
      context.prepare(`DELETE FROM ${table} WHERE account = ?`).run(name)
    context.prepare('DELETE FROM lifecycle_run WHERE namespace = ?').run(account.namespace)
    context.prepare('DELETE FROM accounts WHERE name = ?').run(name)
    return true
  },
  'accounts.expireKey': ({ prepare }: EngineContext, { id, at }: { id: string; at: number }): boolean =>
    prepare('UPDATE keys SET expires_at = min(?, coalesce(expires_at, ?)) WHERE id = ?').run(at, at, id)
      .changes === 1,
}

export const accountReads = {
  'accounts.named': accountNamed,
  'accounts.all': ({ prepare }: EngineContext): Account[] =>
    prepare('SELECT * FROM accounts ORDER BY created_at, name').all().map(toAccount).filter(present),
  'accounts.keyByHash': (context: EngineContext, hash: string) => {
    const key = toKey(context.prepare('SELECT * FROM keys WHERE hash = ?').get(hash))
    const account = key && accountNamed(context, key.account)
    return key && account && { key, account }
  },
  'accounts.key': ({ prepare }: EngineContext, id: string): KeyRecord | null =>
    toKey(prepare('SELECT * FROM keys WHERE id = ?').get(id)),
  'accounts.keys': ({ prepare }: EngineContext): KeyRecord[] =>
    prepare('SELECT * FROM keys ORDER BY created_at, id').all().map(toKey).filter(present),
}
