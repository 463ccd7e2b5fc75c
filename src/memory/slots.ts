import type { Source } from './model.ts'

/** Trust of a source, higher wins: decides which of two contradicting facts is current. */
export const trust: Record<Source, number> = { user: 1, document: 0.8, assistant: 0.6 }

/**
 * Relations that hold one value at a time; a newer value closes the older one. The value is the slot's name, so
 * that relations which mean the same compete. When in doubt a relation is left out: side by side loses nothing.
 */
const functional: Readonly<Record<string, string>> = {
  has_name: 'has_name',
  lives_in: 'lives_in',
  works_at: 'works_at',
  works_as: 'works_as',
  born_in: 'born_in',
  born_on: 'born_on',
  has_birthday: 'born_on',
  has_age: 'has_age',
  has_email: 'has_email',
  has_phone: 'has_phone',
  married_to: 'spouse',
  has_wife: 'spouse',
  has_husband: 'spouse',
  has_spouse: 'spouse',
  has_boss: 'boss',
  located_in: 'located_in',
}

/** Relations of taste: likes and dislikes of the same thing cannot both hold. */
const taste = new Set(['likes', 'loves', 'enjoys', 'prefers', 'dislikes', 'hates'])

/** The slot of a fact: facts of one subject and persona with the same slot compete. */
export function slotOf(relation: string, objectKey: string): string {
  if (relation.startsWith('favourite_')) return relation
  const single = functional[relation]
  if (single !== undefined) return single
  return `${taste.has(relation) ? 'taste' : relation}|${objectKey}`
}

/** A fact as far as its slot is concerned. */
export interface SlotFact {
  readonly id: string
  readonly relation: string
  readonly objectKey: string
  readonly negated: boolean
  readonly source: Source
}

export interface IncomingFact extends SlotFact {
  /** It says that this no longer holds. */
  readonly ended: boolean
}

export type Settlement =
  /** It becomes current; those named are closed by it. */
  | { readonly kind: 'store'; readonly closes: readonly string[] }
  /** The same fact is current already: its clock is reset, and its trust raised if the new source is more trusted. */
  | { readonly kind: 'confirm'; readonly id: string }
  /** It is kept as history only: a more trusted fact holds the slot (`closedBy`), or it states an end. */
  | { readonly kind: 'history'; readonly closes: readonly string[]; readonly closedBy: string | null }

/** What a new fact does to the current facts of its slot. A less trusted source never closes a more trusted fact. */
export function settle(current: readonly SlotFact[], incoming: IncomingFact): Settlement {
  const mayClose = (fact: SlotFact) => trust[incoming.source] >= trust[fact.source]
  if (incoming.ended) {
    const ended = current.filter((fact) => fact.objectKey === incoming.objectKey && !fact.negated)
    return { kind: 'history', closes: ended.filter(mayClose).map(({ id }) => id), closedBy: null }
  }
  const same = current.find((fact) => isSame(fact, incoming))
  if (same) return { kind: 'confirm', id: same.id }
  const rivals = current.filter((fact) => contradicts(fact, incoming))
  const stronger = rivals.find((fact) => !mayClose(fact))
  if (stronger) return { kind: 'history', closes: [], closedBy: stronger.id }
  return { kind: 'store', closes: rivals.map(({ id }) => id) }
}

function isSame(a: SlotFact, b: SlotFact): boolean {
  return a.relation === b.relation && a.objectKey === b.objectKey && a.negated === b.negated
}

/** Two values of one slot exclude each other; a denial excludes only the value that it denies. */
export function contradicts(a: SlotFact, b: SlotFact): boolean {
  if (a.negated && b.negated) return false
  if (a.negated !== b.negated) return a.objectKey === b.objectKey
  return true
}
