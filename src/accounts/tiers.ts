/** Plans, from least to most. */
export type TierName = 'free' | 'starter' | 'pro' | 'scale' | 'enterprise'

export interface Tier {
  /** Position among the plans: a feature needs at least one. */
  readonly level: number
  readonly title: string
  /** Null: unlimited. */
  readonly requestsPerMinute: number | null
  readonly monthlyOps: number | null
  readonly batchItems: number
}

/** Every limit that depends on the plan. */
export const tiers: Record<TierName, Tier> = {
  free: { level: 0, title: 'Free', requestsPerMinute: 10, monthlyOps: 5_000, batchItems: 5 },
  starter: { level: 1, title: 'Starter', requestsPerMinute: 60, monthlyOps: 100_000, batchItems: 20 },
  pro: { level: 2, title: 'Pro', requestsPerMinute: 300, monthlyOps: 1_000_000, batchItems: 50 },
  scale: { level: 3, title: 'Scale', requestsPerMinute: 1_000, monthlyOps: 10_000_000, batchItems: 100 },
  enterprise: { level: 4, title: 'Enterprise', requestsPerMinute: null, monthlyOps: null, batchItems: 100 },
}

export const tierNames = Object.keys(tiers) as readonly TierName[]

/** The tiers with the monthly budgets that the configuration replaces. */
export function tiersWith(monthlyOps: Readonly<Partial<Record<TierName, number>>>): Record<TierName, Tier> {
  const changed = Object.entries(monthlyOps) as [TierName, number][]
  const result = { ...tiers }
  for (const [name, ops] of changed) result[name] = { ...tiers[name], monthlyOps: ops }
  return result
}
