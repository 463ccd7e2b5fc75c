/** A fact before its confidence is computed. */
export interface FactDraft {
  readonly subject: string
  readonly relation: string
  readonly object: string
  /** How often the pattern is right when the parse is. */
  readonly base: number
  readonly negated: boolean
  readonly ended: boolean
  readonly hypothetical: boolean
  readonly when: string | null
  /** The words whose parse it rests on. */
  readonly support: readonly number[]
}
