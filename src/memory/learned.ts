import type { Seconds } from '../core/clock.ts'
import type { StatementLink } from './model.ts'

/** What somebody said in a conversation. */
export interface Message {
  readonly role: 'user' | 'assistant' | 'system'
  readonly content: string
  readonly name: string | null
  readonly occurredAt: Seconds | null
}

/** A fact that was read from a text. */
export interface LearnedFact {
  readonly id: string
  readonly fact: string
  readonly triple: {
    readonly subject: string
    readonly relation: string
    readonly object: string
    readonly negated: boolean
  }
  /** How sure the extractor is. */
  readonly certainty: number
}

/** A fact, or a text without facts, that a newer text made out of date. */
export interface ReplacedMemory {
  readonly id: string
  readonly fact: string
  readonly kind: StatementLink['kind']
  readonly probability: number
}
