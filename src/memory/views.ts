import type { Seconds } from '../core/clock.ts'
import type { EntityType, Source, StatementLink } from './model.ts'

/** A fact that a newer one makes out of date. */
export interface PreviewedReplacement {
  readonly id: string
  readonly fact: string
  readonly kind: StatementLink['kind']
  readonly probability: number
}

/** A fact as ingest would store it. */
export interface PreviewedFact {
  readonly fact: string
  readonly subject: string
  readonly relation: string
  readonly object: string
  readonly negated: boolean
  readonly ended: boolean
  readonly when: string | null
  readonly certainty: number
  readonly confidence: number
  /** The words it was read from, and where they stand. */
  readonly evidence: { readonly text: string; readonly start: number; readonly end: number }
  /** It would hold; it holds already; or it is kept as history alone. */
  readonly outcome: 'new' | 'known' | 'history'
  readonly replaces: readonly PreviewedReplacement[]
}

/** What ingest would make of a text. */
export interface ExtractReply {
  /** The stored text that it repeats, and whether that would take the more trusted source. */
  readonly duplicate: {
    readonly id: string
    readonly similarity: number
    readonly upgrades: boolean
  } | null
  readonly chunks: readonly { readonly text: string; readonly start: number; readonly end: number }[]
  readonly entities: readonly {
    /** Null: it would be a new one. */
    readonly id: string | null
    readonly name: string
    readonly type: EntityType
    readonly aliases: readonly string[]
  }[]
  readonly facts: readonly PreviewedFact[]
  /** Stored texts that it is likely to make out of date, with the facts that are closed with them. */
  readonly replaces: readonly (PreviewedReplacement & {
    readonly closes: readonly { readonly id: string; readonly fact: string }[]
  })[]
  readonly notice: string | null
  readonly latencyMs: number
}

export interface EntitiesRequest {
  /** How a name begins, and what stands in one; null: any. */
  readonly prefix: string | null
  readonly text: string | null
  readonly type: EntityType | null
  readonly limit: number
  /** Opaque, from the page before. */
  readonly cursor: string | null
}

export interface EntitiesReply {
  readonly entities: readonly {
    readonly id: string
    readonly name: string
    readonly type: EntityType
    readonly aliases: readonly string[]
    /** Current facts that touch it. */
    readonly facts: number
    readonly createdAt: Seconds
  }[]
  /** Null on the last page. */
  readonly nextCursor: string | null
}

/** Around an entity, by name or id, or around a question. */
export interface GraphRequest {
  readonly entity: string | null
  readonly query: string | null
  readonly hops: number
  /** Entities that are shown at most. */
  readonly limit: number
  readonly includeSuperseded: boolean
  readonly persona: string | null
}

export interface GraphReply {
  /** Those it was asked around first, then by degree. */
  readonly nodes: readonly {
    readonly id: string
    readonly name: string
    readonly type: EntityType
    /** Facts that touch it. */
    readonly degree: number
    /** Of these, not shown. */
    readonly more: number
    /** It was asked around this one. */
    readonly seed: boolean
  }[]
  readonly edges: readonly {
    readonly id: string
    readonly from: string
    readonly to: string
    readonly relation: string
    readonly negated: boolean
    readonly fact: string
    readonly since: Seconds
    /** Null while it holds. */
    readonly until: Seconds | null
  }[]
  /** There is more than is shown. */
  readonly truncated: boolean
}

export interface ProfileRequest {
  /** Null: every persona. */
  readonly persona: string | null
  readonly maxTokens: number
}

export interface ProfileEntry {
  readonly id: string
  /** Pinned; something that there is one of; or the newest of the rest. */
  readonly section: 'pinned' | 'lasting' | 'recent'
  readonly type: 'episodic' | 'semantic'
  readonly fact: string
  readonly persona: string
  readonly source: Source
  readonly createdAt: Seconds
}

export interface ProfileReply {
  /** For the start of a prompt. */
  readonly text: string
  /** What it is made of, in its order. */
  readonly memories: readonly ProfileEntry[]
  /** Something did not fit. */
  readonly truncated: boolean
}
