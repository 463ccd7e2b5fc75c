import type { Seconds } from '../core/clock.ts'
import type { StoredLink } from './ports.ts'
import { type SlotFact, settle } from './slots.ts'

/** A fact with what decides its standing among those of its slot. */
export interface StandingFact extends SlotFact {
  /** Facts of one place compete: the same persona, subject and slot. */
  readonly place: string
  readonly createdAt: Seconds
}

/** A fact that is closed, by which other one and when. */
export interface Closing {
  readonly id: string
  readonly by: string
  readonly at: Seconds
}

export interface Reopening {
  readonly opened: readonly string[]
  readonly closings: readonly Closing[]
}

/** What a correction undid of the memory that was wrong: put back when the correction itself goes. */
export interface SetAside {
  readonly links: readonly StoredLink[]
  readonly closings: readonly (Omit<Closing, 'by'> & {
    readonly by: string | null
    readonly closer: string
  })[]
}

/** What goes with a memory: all that it closed, or what a judge said; that it corrected something stays then. */
export type Undone = 'all' | 'judged'

/** With what an earlier correction had set aside. */
export const withEarlier = (later: SetAside | null, { links, closings }: SetAside): SetAside => ({
  links: [...(later?.links ?? []), ...links],
  closings: [...(later?.closings ?? []), ...closings],
})

/**
 * What becomes of facts whose closer is gone: as if it had never been told. They hold again, unless a current fact of
 * their place excludes them; of two that exclude each other the one that `settle` prefers holds.
 */
export function reopen(current: readonly StandingFact[], freed: readonly StandingFact[]): Reopening {
  const holding = new Map(current.map((fact) => [fact.id, fact]))
  const opened = new Set<string>()
  const closings = new Map<string, Closing>()
  const close = (fact: StandingFact, by: StandingFact) => {
    opened.delete(fact.id)
    holding.delete(fact.id)
    closings.set(fact.id, { id: fact.id, by: by.id, at: Math.max(fact.createdAt, by.createdAt) })
  }
  for (const fact of freed.toSorted((a, b) => a.createdAt - b.createdAt)) {
    const rivals = [...holding.values()].filter(({ place }) => place === fact.place)
    const winner = rivals.find((rival) => preferred(rival, fact) === rival)
    if (winner !== undefined) {
      close(fact, winner)
      continue
    }
    for (const rival of rivals) if (preferred(rival, fact) === fact) close(rival, fact)
    holding.set(fact.id, fact)
    opened.add(fact.id)
  }
  return { opened: [...opened], closings: [...closings.values()] }
}

/** The one that holds when both were told; null: they stand beside each other. */
function preferred(held: StandingFact, freed: StandingFact): StandingFact | null {
  const [older, newer] = held.createdAt <= freed.createdAt ? [held, freed] : [freed, held]
  const settlement = settle([older], { ...newer, ended: false })
  if (settlement.kind === 'confirm') return held
  if (settlement.kind === 'history') return older
  return settlement.closes.length > 0 ? newer : null
}
