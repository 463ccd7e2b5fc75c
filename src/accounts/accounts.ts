import type { Clock, Seconds } from '../core/clock.ts'
import { invalidField } from '../core/errors.ts'
import type { NewId } from '../core/ids.ts'
import { hashOfKey, newKey, type RandomBytes } from './keys.ts'
import { monthEnd, monthOf } from './month.ts'
import type { Account, AccountStores, KeyRecord } from './ports.ts'
import type { Tier, TierName } from './tiers.ts'

/** A key as it is shown, this once. */
export interface IssuedKey {
  readonly key: string
  readonly id: string
  readonly account: string
  readonly tier: TierName
}

/** A key as it may be listed: nothing that opens a door. */
export interface KeyInfo {
  readonly id: string
  readonly account: string
  readonly tier: TierName
  readonly lastFour: string
  readonly createdAt: Seconds
  readonly expiresAt: Seconds | null
  readonly active: boolean
}

export interface AccountInfo {
  readonly account: string
  readonly tier: TierName
  /** Replaces the tier's monthly budget; null: the tier's own. */
  readonly monthlyOps: number | null
}

export interface Usage extends AccountInfo {
  readonly month: string
  readonly used: number
  /** The budget in force; null: unlimited. */
  readonly limit: number | null
  /** When the month ends. */
  readonly resetsAt: Seconds
}

export interface NewKey {
  readonly account: string
  /** Absent: the account keeps its own; a new one gets the tier without limits. */
  readonly tier?: TierName | null | undefined
  /** Absent: an override stays as it is; null removes it. */
  readonly monthlyOps?: number | null | undefined
}

/** What the key commands do: on the running server, or on the store itself. */
export interface KeyAdministration {
  /** A new key; makes the account when it is new, otherwise sets what is given. */
  issue(request: NewKey): Promise<IssuedKey>
  keys(): Promise<readonly KeyInfo[]>
  accounts(): Promise<readonly AccountInfo[]>
  /** A new key of the same family; the old one ends after the grace. Null when no active key has this id. */
  rotate(id: string, graceSeconds: number): Promise<IssuedKey | null>
  /** The key is not valid from now on. False when it is unknown. */
  revoke(id: string): Promise<boolean>
  /** Null when the account is unknown. A tier of null or undefined stays as it is. */
  patch(
    account: string,
    change: { readonly tier?: TierName | null | undefined; readonly monthlyOps?: number | null | undefined },
  ): Promise<AccountInfo | null>
}

/** Who may use the service: what the admin API and the command line can do. */
export interface Accounts extends KeyAdministration {
  /** This UTC month; null when the account is unknown. */
  usage(account: string): Promise<Usage | null>
  /**
   * In a store without keys: account `default`, tier enterprise, and its key. Null when there is a key. `keep`
   * gets the key before it is valid, so that a crash between the two cannot lose it.
   */
  ensureFirstAccount(keep?: (key: string) => Promise<void>): Promise<IssuedKey | null>
  /** Once at start: undoes what a crashed process left half done. Says how much. */
  recover(): Promise<{ readonly refunded: number; readonly abandoned: number }>
}

export interface AccountsParts {
  readonly stores: AccountStores
  readonly tiers: Readonly<Record<TierName, Tier>>
  readonly clock: Clock
  readonly newId: NewId
  readonly random: RandomBytes
}

/** Who runs the server himself has nothing to sell: limits are there for those who set them. */
const unlimitedTier: TierName = 'enterprise'

export function createAccounts(parts: AccountsParts): Accounts {
  const { stores, tiers, clock, newId, random } = parts
  const store = stores.accounts

  const makeKey = (account: string, family: string): { key: string; record: KeyRecord } => {
    const key = newKey(random)
    const record = {
      id: newId(),
      account,
      hash: hashOfKey(key),
      lastFour: key.slice(-4),
      family,
      createdAt: clock.now(),
      expiresAt: null,
    }
    return { key, record }
  }
  const issue = async (
    { account: name, tier, monthlyOps }: NewKey,
    keep?: (key: string) => Promise<void>,
  ) => {
    requireName(name)
    const { key, record } = makeKey(name, newId())
    await keep?.(key)
    const override = monthlyOps === undefined ? {} : { monthlyOps }
    const kept = tier == null ? await store.patchAccount(name, override) : null
    const saved =
      kept ?? (await store.saveAccount({ name, tier: tier ?? unlimitedTier, ...override }, clock.now()))
    await store.addKey(record)
    return { key, id: record.id, account: name, tier: saved.tier }
  }

  return {
    issue: (request) => issue(request),
    keys: async () => {
      const [keys, accounts] = await Promise.all([store.keys(), store.accounts()])
      const tierOf = new Map(accounts.map(({ name, tier }) => [name, tier]))
      return keys.flatMap((key) => {
        const tier = tierOf.get(key.account)
        return tier === undefined ? [] : [keyInfo(key, tier, clock.now())]
      })
    },
    accounts: async () => (await store.accounts()).map(accountInfo),
    rotate: async (id, graceSeconds) => {
      const old = await store.key(id)
      if (old === null || !isActive(old, clock.now())) return null
      const account = await store.account(old.account)
      if (account === null) return null
      const { key, record } = makeKey(old.account, old.family)
      // The new one first: a crash between the two leaves the old key valid, never none.
      await store.addKey(record)
      await store.expireKey(id, clock.now() + graceSeconds)
      return { key, id: record.id, account: account.name, tier: account.tier }
    },
    revoke: (id) => store.expireKey(id, clock.now()),
    patch: async (name, { tier, monthlyOps }) => {
      const account = await store.patchAccount(name, {
        ...(tier == null ? {} : { tier }),
        ...(monthlyOps === undefined ? {} : { monthlyOps }),
      })
      return account && accountInfo(account)
    },
    usage: async (name) => {
      const account = await store.account(name)
      if (account === null) return null
      const month = monthOf(clock.now())
      const used = await stores.ledger.used(name, month)
      return {
        ...accountInfo(account),
        month,
        used,
        limit: account.monthlyOps ?? tiers[account.tier].monthlyOps,
        resetsAt: monthEnd(clock.now()),
      }
    },
    ensureFirstAccount: async (keep) => {
      if ((await store.keys()).length > 0) return null
      return issue({ account: 'default' }, keep)
    },
    recover: async () => ({
      refunded: await stores.ledger.refundUnsettled(),
      abandoned: await stores.idempotency.abandonUnfinished(),
    }),
  }
}

function isActive({ expiresAt }: KeyRecord, now: Seconds): boolean {
  return expiresAt === null || expiresAt > now
}

function keyInfo(key: KeyRecord, tier: TierName, now: Seconds): KeyInfo {
  const { id, account, lastFour, createdAt, expiresAt } = key
  return { id, account, tier, lastFour, createdAt, expiresAt, active: isActive(key, now) }
}

function accountInfo({ name, tier, monthlyOps }: Account): AccountInfo {
  return { account: name, tier, monthlyOps }
}

/** The HTTP surface has its own, finer message; this guards every other way in. */
function requireName(name: string): void {
  if (/^[^\p{Cc}\p{Cf}\p{Cs}]{1,128}$/u.test(name)) return
  throw invalidField('account', 'account must be 1 to 128 characters without control characters')
}
