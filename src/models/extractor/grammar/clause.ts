import type { Phrase } from './phrase.ts'

/** Something that a clause says beside its subject: `in Porto`, `last year`. */
export interface Oblique {
  /** Null for bare ones: `last year`. */
  readonly preposition: string | null
  readonly phrase: Phrase
}

/** What a copula says of its subject. */
export type Predicate =
  | { readonly kind: 'phrase'; readonly phrase: Phrase; readonly preposition: string | null }
  | { readonly kind: 'adjective'; readonly text: string; readonly at: number }
  | { readonly kind: 'age'; readonly value: string }

export type Tense = 'present' | 'past' | 'future'

/** A predicate with everything it takes, as the rules need it. */
export interface Clause {
  readonly at: number
  readonly lemma: string
  /** As it stands, in lower case. */
  readonly verb: string
  readonly tag: string
  /** `up` in `grew up`; `married` in `got married`. */
  readonly particle: string | null
  readonly passive: boolean
  /** The first auxiliary's lemma: `be` in `was married`, `get` in `got married`; null without one. */
  readonly helper: string | null
  readonly tense: Tense
  /** `have lived`: holds until now when it is a state. */
  readonly perfect: boolean
  readonly progressive: boolean
  readonly subjects: readonly Phrase[]
  readonly objects: readonly Phrase[]
  readonly obliques: readonly Oblique[]
  /** Null for a full verb. */
  readonly predicate: Predicate | null
  /** Verbs above it that share its subject: `want to`, `love`. */
  readonly chain: readonly string[]
  readonly negated: boolean
  readonly ended: boolean
  readonly hypothetical: boolean
  /** `can`, `must`, `should` … in front of it; null without one. */
  readonly modal: string | null
  /** Told by somebody (`she says that …`), or only said in passing (`to see …`). */
  readonly standing: 'stated' | 'reported' | 'passing'
  /** It asserts nothing: a question, a condition, a command. Kept because others lean on it. */
  readonly silent: boolean
  /** A verb below carries the fact (`love` in `love playing the guitar`). */
  readonly absorbed: boolean
}
