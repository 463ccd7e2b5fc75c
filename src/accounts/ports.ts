import type { Seconds } from '../core/clock.ts'
import type { Namespace } from '../core/ids.ts'
import type { TierName } from './tiers.ts'

/** An account owns one namespace, one plan and one monthly budget; its keys share them. */
export interface Account {
  readonly name: string
  readonly namespace: Namespace
  readonly tier: TierName
  /** Replaces the tier's monthly budget; null: the tier's own. */
  readonly monthlyOps: number | null
  readonly createdAt: Seconds
}

export interface KeyRecord {
  readonly id: string
  readonly account: string
  /** sha256 of the key, hex. The key itself is never stored. */
  readonly hash: string
  readonly lastFour: string
  /** Shared by a rotated pair: they have one rate window. */
  readonly family: string
  readonly createdAt: Seconds
  /** Invalid from then on: revoked, or the grace of a rotation is over. Null: valid. */
  readonly expiresAt: Seconds | null
}

/** Keys and accounts. Rules AS1 to AS8 in docs/ports/accounts.md. */
export interface AccountStore {
  /** Creates the account when it is new; otherwise sets tier, and the override when one is given. */
  saveAccount(
    account: { name: string; tier: TierName; monthlyOps?: number | null },
    now: Seconds,
  ): Promise<Account>
  account(name: string): Promise<Account | null>
  /** Null when the account is unknown. */
  patchAccount(name: string, patch: { tier?: TierName; monthlyOps?: number | null }): Promise<Account | null>
  accounts(): Promise<readonly Account[]>
  addKey(key: KeyRecord): Promise<void>
  /** With its account, expired ones too; null when the hash is unknown. */
  keyByHash(hash: string): Promise<{ key: KeyRecord; account: Account } | null>
  key(id: string): Promise<KeyRecord | null>
  keys(): Promise<readonly KeyRecord[]>
  /** False when the key is unknown. The earlier of two ends stays. */
  expireKey(id: string, at: Seconds): Promise<boolean>
  /** With all that is kept of it beside its memories. False when it is unknown. */
  removeAccount(name: string): Promise<boolean>
}

/** Operations used in a UTC calendar month. Rules LE1 to LE7 in docs/ports/accounts.md. */
export interface Ledger {
  /** Takes `ops` from the month's budget in one conditional step; false when they are not there. Null limit: unlimited. */
  reserve(reservation: {
    id: string
    account: string
    month: string
    ops: number
    limit: number | null
  }): Promise<boolean>
  /** The work is done: the ops stay spent. */
  settle(id: string): Promise<void>
  /** The server failed: the ops come back, once, however often it is asked. */
  refund(id: string): Promise<void>
  used(account: string, month: string): Promise<number>
  /** Gives back what a crashed process had reserved and not settled; called at start. Says how many. */
  refundUnsettled(): Promise<number>
}

export type RateVerdict =
  | {
      readonly admitted: true
      /** Calls that would be admitted now, after this one. */
      readonly remaining: number
      /** Whole seconds until it is more. */
      readonly resetSeconds: number
    }
  | { readonly admitted: false; readonly retryAfterSeconds: number }

/** An exact sliding 60 s window per key family; rejected calls do not count. Rules RW1 to RW8 in docs/ports/accounts.md. */
export interface RateWindow {
  admit(family: string, limit: number, now: Seconds): Promise<RateVerdict>
}

export type IdempotencyState =
  | { readonly state: 'new' }
  | { readonly state: 'running' }
  | { readonly state: 'mismatch' }
  | { readonly state: 'done'; readonly status: number; readonly body: string }

/** Replies kept for 24 h under the caller's own key. Rules ID1 to ID6 in docs/ports/accounts.md. */
export interface IdempotencyStore {
  begin(entry: { account: string; key: string; bodyHash: string; now: Seconds }): Promise<IdempotencyState>
  finish(entry: { account: string; key: string; status: number; body: string }): Promise<void>
  /** The work failed on our side: the next try starts anew. */
  abandon(entry: { account: string; key: string }): Promise<void>
  /** Forgets what a crashed process had begun and not finished; called at start. Says how many. */
  abandonUnfinished(): Promise<number>
}

/** A program that calls for an account, by the name it gives itself. */
export interface ClientCalls {
  readonly client: string
  readonly calls: number
  readonly lastAt: Seconds
}

/** Which programs have called. Rules CL1 to CL4 in docs/ports/accounts.md. */
export interface ClientLog {
  add(account: string, calls: readonly ClientCalls[]): Promise<void>
  /** The last caller first. */
  of(account: string): Promise<readonly ClientCalls[]>
}

/** Everything accounts need to keep; one backend provides all of it. */
export interface AccountStores {
  readonly accounts: AccountStore
  readonly ledger: Ledger
  readonly rates: RateWindow
  readonly idempotency: IdempotencyStore
  readonly clients: ClientLog
}
