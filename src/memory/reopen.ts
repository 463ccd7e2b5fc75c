import type { Seconds } from '../core/clock.ts'
import type { StoredLink } from './ports.ts'
import { type SlotFact, settle } from './slots.ts'

/** A fact with what decides its standing among those of its slot. */
export interface StandingFact extends SlotFact {
  /** Facts of one place compete: the same persona, subject and slot. */
  readonly place: string
  readonly createdAt: Seconds
  /** It never held: it says that something no longer does. */
  readonly ended?: boolean
}

/** A fact that is closed: by what, which other one holds in its place, if one does, and when. */
export interface Closing {
  readonly id: string
  readonly closer: string
  readonly by: string | null
  readonly at: Seconds
}

export interface Reopening {
  readonly opened: readonly string[]
  readonly closings: readonly Closing[]
}

/** What a correction undid of the memory that was wrong: put back when the correction itself goes. */
export interface SetAside {
  readonly links: readonly StoredLink[]
  readonly closings: readonly Closing[]
}

/** What goes with a memory: all that it closed, or what a judge said; that it corrected something stays then. */
export type Undone = 'all' | 'judged'

/** With what an earlier correction had set aside. */
export const withEarlier = (later: SetAside | null, { links, closings }: SetAside): SetAside => ({
  links: [...(later?.links ?? []), ...links],
  closings: [...(later?.closings ?? []), ...closings],
})

/**
 * What becomes of facts whose closer is gone: as if it had never been told. They hold again, unless their end was told
 * otherwise, too, or a current fact of their place excludes them; of two that exclude each other the one that `settle`
 * prefers holds. `known`: the facts of their places that hold, and those that tell an end.
 */
export function reopen(known: readonly StandingFact[], freed: readonly StandingFact[]): Reopening {
  const holding = new Map(known.filter(({ ended }) => !ended).map((fact) => [fact.id, fact]))
  const ends = known.filter(({ ended }) => ended).toSorted((a, b) => a.createdAt - b.createdAt)
  const opened = new Set<string>()
  const closings = new Map<string, Closing>()
  const close = (fact: StandingFact, by: StandingFact) => {
    opened.delete(fact.id)
    holding.delete(fact.id)
    const at = Math.max(fact.createdAt, by.createdAt)
    closings.set(fact.id, { id: fact.id, closer: by.id, by: by.id, at })
  }
  for (const fact of freed.toSorted((a, b) => a.createdAt - b.createdAt)) {
    const end = ends.find((one) => one.createdAt >= fact.createdAt && isEndOf(one, fact))
    if (end !== undefined) {
      closings.set(fact.id, { id: fact.id, closer: end.id, by: null, at: end.createdAt })
      continue
    }
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

function isEndOf(end: StandingFact, fact: StandingFact): boolean {
  const settlement = settle([fact], { ...end, ended: true })
  return end.place === fact.place && settlement.kind !== 'confirm' && settlement.closes.includes(fact.id)
}

/** The one that holds when both were told; null: they stand beside each other. */
function preferred(held: StandingFact, freed: StandingFact): StandingFact | null {
  const [older, newer] = held.createdAt <= freed.createdAt ? [held, freed] : [freed, held]
  const settlement = settle([older], { ...newer, ended: false })
  if (settlement.kind === 'confirm') return held
  if (settlement.kind === 'history') return older
  return settlement.closes.length > 0 ? newer : null
}
