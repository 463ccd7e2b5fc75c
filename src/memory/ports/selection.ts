import type { Seconds } from '../../core/clock.ts'
import type { Source } from '../model.ts'
import type { Lease } from './lifecycle-store.ts'

/** What metadata must say. Rules of the language in memory/within.ts. */
export type MetadataFilter =
  | { readonly and: readonly MetadataFilter[] }
  | { readonly or: readonly MetadataFilter[] }
  | { readonly not: MetadataFilter }
  /** One of these values; equality is a list of one. */
  | { readonly field: string; readonly in: readonly MetadataValue[] }
  | { readonly field: string; readonly exists: boolean }

export type MetadataValue = string | number | boolean | null

/** The memories that a question may see. Null narrows nothing. */
export interface Within {
  /** Told at or after, and before. */
  readonly since: Seconds | null
  readonly until: Seconds | null
  /** Nothing that was told later; what was closed later is still open. */
  readonly asOf: Seconds | null
  readonly filter: MetadataFilter | null
}

export interface ListFilter {
  readonly persona: string | null
  readonly sessionId: string | null
  readonly source: Source | null
  /** Facts of this relation alone; chunks have none and ignore it. Absent: every relation. */
  readonly relation?: string
  /** Created at or after, and before. */
  readonly since: Seconds | null
  readonly until: Seconds | null
  /** Absent or null: whatever the metadata. */
  readonly filter?: MetadataFilter | null
  /** These words stand in it, in any case of letters. */
  readonly text?: string | null
  readonly pinned?: boolean | null
  /** True: what no longer holds; false: what does. Absent or null: every chunk, and the facts that hold. */
  readonly superseded?: boolean | null
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
  /** Absent or null: whatever the metadata. */
  readonly filter?: MetadataFilter | null
}

/** Which memories count as faded: those whose retained confidence now is strictly below the threshold. */
export interface FadedQuery {
  readonly persona: string | null
  readonly threshold: number
  readonly halfLifeDays: number
  readonly now: Seconds
  /** A removal or list takes at most so many, the most faded first; counts ignore it. Absent: all. */
  readonly limit?: number
  /** Of the run that asks. A write is refused, nothing changed, once somebody else has acquired it since. */
  readonly lease?: Lease
}
