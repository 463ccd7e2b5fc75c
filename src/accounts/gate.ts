import type { Namespace } from '../core/ids.ts'
import type { TierName } from './tiers.ts'

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

/** Ops taken before the work: settled when it succeeded, refunded when the server failed. */
export interface Reservation {
  settle(): void
  refund(): Promise<void>
}

/** The checks between a request and the work, each one call: key, rate, plan, budget. Each throws its ServiceError. */
export interface Gate {
  /** From the raw `x-api-key` header values: none, several, malformed, unknown or expired ones are all `key_rejected`. */
  authenticate(keys: readonly string[]): Promise<Caller>
  admit(caller: Caller): Promise<void>
  requirePlan(caller: Caller, required: TierName): void
  reserve(caller: Caller, ops: number): Promise<Reservation>
}
