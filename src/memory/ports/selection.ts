import type { Seconds } from '../../core/clock.ts'
import type { Source } from '../model.ts'
import type { Lease } from './lifecycle-store.ts'

export interface ListFilter {
  readonly persona: string | null
  readonly sessionId: string | null
  readonly source: Source | null
  /** Facts of this relation alone; chunks have none and ignore it. Absent: every relation. */
  readonly relation?: string
  /** Created at or after, and before. */
  readonly since: Seconds | null
  readonly until: Seconds | null
}

/** Newest first by (createdAt, id); the page after that position. */
export interface ListPage {
  readonly after: { readonly createdAt: Seconds; readonly id: string } | null
  readonly limit: number
}

/** What to remove or to count. Several fields narrow it together; all null is everything. */
export interface Selection {
  readonly ids: readonly string[] | null
  readonly persona: string | null
  readonly sessionId: string | null
}

/** Which memories count as faded: those whose retained confidence now is strictly below the threshold. */
export interface FadedQuery {
  readonly persona: string | null
  readonly threshold: number
  readonly halfLifeDays: number
  readonly now: Seconds
  /** Of the run that asks. A write is refused, nothing changed, once somebody else has acquired it since. */
  readonly lease?: Lease
}
