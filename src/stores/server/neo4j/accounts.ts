import { randomUUID } from 'node:crypto'
import type { Account, AccountStore, KeyRecord } from '../../../accounts/ports.ts'
import { type TierName, tiers } from '../../../accounts/tiers.ts'
import { asNamespace, type NewId } from '../../../core/ids.ts'
import type { Neo4j, Row } from './connection.ts'
import { plannedOnce } from './schema.ts'
import { number, numberOrNull, text } from './values.ts'

export const accountColumns = `a.name AS name, a.namespace AS namespace, a.tier AS tier, a.monthly_ops AS monthlyOps,
  a.created_at AS accountCreatedAt`
export const keyColumns = `k.id AS id, k.account AS account, k.hash AS hash, k.last_four AS lastFour, k.family AS family,
  k.created_at AS createdAt, k.expires_at AS expiresAt`

const queries = {
  saveAccount: `
    MERGE (a:Account {name: $name})
    ON CREATE SET a.namespace = $namespace, a.created_at = $now, a.created_order = $order
    SET a.tier = $tier, a.monthly_ops = CASE WHEN $overrides THEN $monthlyOps ELSE a.monthly_ops END
    RETURN ${accountColumns}`,
  account: `MATCH (a:Account {name: $name}) RETURN ${accountColumns}`,
  patchAccount: `
    MATCH (a:Account {name: $name})
    SET a.tier = coalesce($tier, a.tier),
        a.monthly_ops = CASE WHEN $overrides THEN $monthlyOps ELSE a.monthly_ops END
    RETURN ${accountColumns}`,
  accounts: `MATCH (a:Account) RETURN ${accountColumns} ORDER BY a.created_at, a.created_order`,
  addKey: `
    MATCH (a:Account {name: $account})
    MERGE (k:Key {id: $id})
    ON CREATE SET k.account = $account, k.hash = $hash, k.last_four = $lastFour, k.family = $family,
      k.created_at = $createdAt, k.expires_at = $expiresAt, k.attempt = $attempt
    WITH k WHERE k.attempt = $attempt
    RETURN k.id AS id`,
  keyByHash: `${plannedOnce}
    MATCH (k:Key {hash: $hash}) MATCH (a:Account {name: k.account}) RETURN ${keyColumns}, ${accountColumns}`,
  key: `MATCH (k:Key {id: $id}) RETURN ${keyColumns}`,
  keys: `MATCH (k:Key) RETURN ${keyColumns} ORDER BY k.created_at, k.id`,
  expireKey: `
    MATCH (k:Key {id: $id})
    SET k.expires_at = CASE WHEN k.expires_at IS NULL OR k.expires_at > $at THEN $at ELSE k.expires_at END
    RETURN k.id AS id`,
  // Usage and replies of the account, under ids that begin with its name or namespace.
  removeAccount: `
    MATCH (a:Account {name: $name})
    WITH a, a.namespace AS namespace
    OPTIONAL MATCH (k:Key {account: $name})
    WITH a, namespace, collect(k) AS keys
    OPTIONAL MATCH (b:Budget {account: $name})
    WITH a, namespace, keys, collect(b) AS budgets
    OPTIONAL MATCH (r:Reservation) WHERE r.budget IN [b IN budgets | b.id]
    WITH a, namespace, keys, budgets, collect(r) AS reservations
    OPTIONAL MATCH (i:Idempotency) WHERE i.id STARTS WITH $replies
    WITH a, namespace, keys, budgets, reservations, collect(i) AS replies
    OPTIONAL MATCH (c:ClientLog {account: $name})
    WITH a, namespace, keys, budgets, reservations, replies, collect(c) AS clients
    OPTIONAL MATCH (l:LifecycleRun) WHERE l.id STARTS WITH '["' + namespace + '",'
    WITH a, keys, budgets, reservations, replies, clients, collect(l) AS runs
    WITH a, keys + budgets + reservations + replies + clients + runs AS nodes
    FOREACH (node IN nodes | DETACH DELETE node)
    DETACH DELETE a
    RETURN size(nodes) AS removed`,
} as const

/** Keys and accounts in Neo4j, shared by every process. */
export function createNeo4jAccountStore(neo4j: Neo4j, newId: NewId): AccountStore {
  return {
    async saveAccount({ name, tier, monthlyOps }, now) {
      const parameters = {
        name,
        tier,
        now,
        namespace: newId(),
        order: preciseTime(),
        ...override(monthlyOps),
      }
      const [row] = await neo4j.write(queries.saveAccount, parameters)
      if (row === undefined) throw new Error('Neo4j did not return the saved account.')
      return accountOf(row)
    },
    async account(name) {
      const [row] = await neo4j.read(queries.account, { name })
      return row === undefined ? null : accountOf(row)
    },
    async patchAccount(name, { tier, monthlyOps }) {
      const [row] = await neo4j.write(queries.patchAccount, {
        name,
        tier: tier ?? null,
        ...override(monthlyOps),
      })
      return row === undefined ? null : accountOf(row)
    },
    accounts: async () => (await neo4j.read(queries.accounts, {})).map(accountOf),
    async addKey(key) {
      // A try whose answer was lost is made again by the driver, and finds its own key.
      const added = await neo4j.write(queries.addKey, { ...key, attempt: randomUUID() })
      if (added.length === 0) throw new Error('A key needs an account that exists, and an id of its own.')
    },
    async keyByHash(hash) {
      const [row] = await neo4j.readShared(queries.keyByHash, { hash })
      return row === undefined ? null : { key: keyOf(row), account: accountOf(row) }
    },
    async key(id) {
      const [row] = await neo4j.read(queries.key, { id })
      return row === undefined ? null : keyOf(row)
    },
    keys: async () => (await neo4j.read(queries.keys, {})).map(keyOf),
    removeAccount: async (name) =>
      (await neo4j.write(queries.removeAccount, { name, replies: `${JSON.stringify([name]).slice(0, -1)},` }))
        .length > 0,
    expireKey: async (id, at) => (await neo4j.write(queries.expireKey, { id, at })).length > 0,
  }
}

/** Orders accounts of the same second. */
const preciseTime = () => performance.timeOrigin + performance.now()

const override = (monthlyOps: number | null | undefined) => ({
  overrides: monthlyOps !== undefined,
  monthlyOps: monthlyOps ?? null,
})

export function accountOf(row: Row): Account {
  return {
    name: text(row, 'name'),
    namespace: asNamespace(text(row, 'namespace')),
    tier: asTier(text(row, 'tier')),
    monthlyOps: numberOrNull(row, 'monthlyOps'),
    createdAt: number(row, 'accountCreatedAt'),
  }
}

function asTier(value: string): TierName {
  if (!(value in tiers)) throw new TypeError(`Neo4j holds an account with the unknown tier ${value}.`)
  return value as TierName
}

export function keyOf(row: Row): KeyRecord {
  return {
    id: text(row, 'id'),
    account: text(row, 'account'),
    hash: text(row, 'hash'),
    lastFour: text(row, 'lastFour'),
    family: text(row, 'family'),
    createdAt: number(row, 'createdAt'),
    expiresAt: numberOrNull(row, 'expiresAt'),
  }
}
