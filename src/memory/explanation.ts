/** How one score came about. The contributions add up to `linear`. */
export interface Explanation {
  /** Those that are not 0. */
  readonly features: readonly {
    readonly name: string
    readonly value: number
    readonly weight: number
    readonly contribution: number
  }[]
  readonly linear: number
  /** The chance that the memory holds an answer at all. */
  readonly answerable: number
  /** That chance times the chance that it is this one over that of the best candidate. */
  readonly probability: number
  /** The probability on the scale of scores. */
  readonly calibrated: number
  /** What changed the score or the place afterwards, in order; mostly nothing. */
  readonly rules: readonly { readonly rule: RankingRule; readonly by: string | null }[]
  readonly score: number
}

export type RankingRule =
  /** It is out of date: it stands behind what replaced it. */
  | 'replaced'
  /** It took the place of an outdated memory, and has at least its score. */
  | 'replaces'
  /** A text has the best score of the facts in it. */
  | 'text'
  /** Another result of the same text stands before it; it is listed when there is room. */
  | 'folded'
  /** The newest of the session are appended. */
  | 'session'
  /** A traversal went on to it from another result. */
  | 'path'
  /** Left out: a fact that is preferred contradicts it, or says the same. */
  | 'contradicted'
  /** Left out: a copy of another result. */
  | 'copy'
  /** Left out: below the floor. */
  | 'floor'
  /** Left out: there are enough better ones. */
  | 'k'

/** A memory that was found and left out. */
export interface CutMemory {
  readonly id: string
  readonly fact: string
  readonly score: number
  readonly rule: RankingRule
  /** The memory that the rule is about. */
  readonly by: string | null
}

/** Why one memory came back, or did not. */
export interface MemoryExplanation {
  readonly id: string
  /** The rule that left it out; or it is of another persona, outside of what was asked for, no longer holds, is unknown, or is near to the question neither by words nor by meaning. */
  readonly outcome: 'returned' | RankingRule | 'unknown' | 'persona' | 'outside' | 'closed' | 'not_found'
  readonly by: string | null
  /** Null when it was not scored. */
  readonly explanation: Explanation | null
}

export interface RetrieveExplanation {
  readonly cut: readonly CutMemory[]
  /** Null unless one memory was asked about. */
  readonly memory: MemoryExplanation | null
}
