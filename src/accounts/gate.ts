import { timingSafeEqual } from 'node:crypto'
import type { Clock } from '../core/clock.ts'
import { type RateState, ServiceError } from '../core/errors.ts'
import type { Namespace, NewId } from '../core/ids.ts'
import { hashOfKey, isWellFormedKey } from './keys.ts'
import { monthOf } from './month.ts'
import type { AccountStore, Ledger, RateWindow } from './ports.ts'
import type { Tier, TierName } from './tiers.ts'

/** Who is asking, as far as the key tells. */
export interface Caller {
  readonly account: string
  readonly namespace: Namespace
  readonly tier: TierName
  readonly keyId: string
  readonly family: string
  /** Replaces the tier's monthly budget; null: the tier's own. */
  readonly monthlyOps: number | null
}

/** Ops taken before the work: settled when it succeeded, refunded when the server failed. Neither ever throws. */
export interface Reservation {
  /** The ops stay spent. Written in the background. */
  settle(): void
  /** The ops come back: now, or at the next start when the store fails. */
  refund(): Promise<void>
}

/** The checks between a request and the work, each one call: key, rate, plan, budget. Each throws its ServiceError. */
export interface Gate {
  /** From the keys as they were sent: none, several, malformed, unknown or expired ones are all `key_rejected`. */
  authenticate(keys: readonly string[]): Promise<Caller>
  /** Null for callers without a limit. */
  admit(caller: Caller): Promise<RateState | null>
  requirePlan(caller: Caller, required: TierName): void
  reserve(caller: Caller, ops: number): Promise<Reservation>
}

export interface GateParts {
  readonly accounts: AccountStore
  readonly ledger: Ledger
  readonly rates: RateWindow
  readonly tiers: Readonly<Record<TierName, Tier>>
  readonly clock: Clock
  readonly newId: NewId
  /** Where a caller finds a larger plan: the `upgrade` field of refusals. */
  readonly upgradeUrl: string
  /** Told when bookkeeping after the work failed; the caller has its answer already. */
  readonly report: (error: unknown) => void
}

/** The gate over the stores. Tier names in refusals are the lower-case ones, as everywhere on the wire. */
export function createGate(parts: GateParts): Gate {
  const { rates, tiers, clock, upgradeUrl: upgrade } = parts
  return {
    authenticate: (keys) => authenticate(parts, keys),

    admit: async ({ family, tier }) => {
      const limit = tiers[tier].requestsPerMinute
      if (limit === null) return null
      const verdict = await rates.admit(family, limit, clock.now())
      if (verdict.admitted) return { limit, remaining: verdict.remaining, resetSeconds: verdict.resetSeconds }
      const { retryAfterSeconds } = verdict
      throw new ServiceError('rate_limit_exceeded', {
        detail: `Over the limit of ${limit} requests per minute of tier ${tier}. Retry in ${retryAfterSeconds} s.`,
        retryAfterSeconds,
        rate: { limit, remaining: 0, resetSeconds: retryAfterSeconds },
        extra: { error: 'rate_limit_exceeded', limit, tier, retry_after_seconds: retryAfterSeconds, upgrade },
      })
    },

    requirePlan: ({ tier }, required) => {
      if (tiers[tier].level >= tiers[required].level) return
      throw new ServiceError('plan_required', {
        detail: `This needs tier ${required} or above; the account has tier ${tier}.`,
        extra: { error: 'plan_required', required_tier: required, tier, upgrade },
      })
    },

    reserve: (caller, ops) => reserve(parts, caller, ops),
  }
}

async function authenticate({ accounts, clock }: GateParts, keys: readonly string[]): Promise<Caller> {
  const [key] = keys
  if (keys.length !== 1 || key === undefined || !isWellFormedKey(key)) throw new ServiceError('key_rejected')
  const hash = hashOfKey(key)
  const found = await accounts.keyByHash(hash).catch((cause) => {
    // Never "rejected": clients throw their key away on 401.
    throw cause instanceof ServiceError ? cause : new ServiceError('store_unavailable', { cause })
  })
  if (found === null || !sameHash(found.key.hash, hash)) throw new ServiceError('key_rejected')
  const { key: record, account } = found
  if (record.expiresAt !== null && record.expiresAt <= clock.now()) throw new ServiceError('key_rejected')
  return {
    account: account.name,
    namespace: account.namespace,
    tier: account.tier,
    keyId: record.id,
    family: record.family,
    monthlyOps: account.monthlyOps,
  }
}

function sameHash(stored: string, given: string): boolean {
  return stored.length === given.length && timingSafeEqual(Buffer.from(stored), Buffer.from(given))
}

const nothingReserved: Reservation = { settle: () => {}, refund: async () => {} }

async function reserve(parts: GateParts, caller: Caller, ops: number): Promise<Reservation> {
  if (ops === 0) return nothingReserved
  const { ledger, tiers, clock, newId, report, upgradeUrl: upgrade } = parts
  const { account, tier } = caller
  const limit = caller.monthlyOps ?? tiers[tier].monthlyOps
  const id = newId()
  if (!(await ledger.reserve({ id, account, month: monthOf(clock.now()), ops, limit }))) {
    throw new ServiceError('monthly_limit_exceeded', {
      detail: `What is left of the monthly budget of ${limit} operations does not cover the ${ops} that this call costs.`,
      extra: { error: 'monthly_limit_exceeded', tier, upgrade },
    })
  }
  return {
    settle: () => void ledger.settle(id).catch(report),
    refund: () => ledger.refund(id).catch(report),
  }
}
