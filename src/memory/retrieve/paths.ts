import type { EntityId, RelationshipId } from '../../core/ids.ts'
import { userKey } from '../entities.ts'
import type { ReasoningStep } from '../memory.ts'
import type { FoundFact } from '../ports.ts'
import type { Traversal, TraversedFact } from './traverse.ts'

/** The best way over the graph that a fact lies on. */
export interface Path {
  /** How near the steps of the way are to the question, in the mean. */
  readonly closeness: number
  /** 1 where every entity on the way has one edge; falls with the crowd of edges at the most crowded. */
  readonly narrowness: number
  /** How many steps it is away from what the question names, 1 is next to it. */
  readonly hop: number
  /** The step before it on the way; null next to what the question names, and where the way went through the user. */
  readonly after: RelationshipId | null
}

interface Way {
  readonly sum: number
  readonly steps: number
  readonly crowd: number
}

const start: Way = { sum: 0, steps: 0, crowd: 1 }
const closenessOf = ({ sum, steps }: Way) => (steps === 0 ? 0 : sum / steps)

/**
 * Scores whole ways, not steps: a first step that leads on to what the question speaks of is worth as much as that way.
 * Ways through the user connect everything, so none goes on from there.
 */
export function pathsOf({ steps }: Traversal): ReadonlyMap<RelationshipId, Path> {
  const arrivals = new Map<EntityId, { readonly way: Way; readonly last: TraversedFact }>()
  const ways = new Map<TraversedFact, Way>()
  const before = new Map<TraversedFact, TraversedFact>()
  for (const step of steps) {
    const arrival = step.hop > 1 && !isUser(step.fact, step.from) ? arrivals.get(step.from) : undefined
    const { sum, steps: length, crowd } = arrival?.way ?? start
    const way = {
      sum: sum + Math.max(0, step.cosine),
      steps: length + 1,
      crowd: Math.max(crowd, step.crowd),
    }
    ways.set(step, way)
    if (arrival !== undefined) before.set(step, arrival.last)
    const known = arrivals.get(step.to)
    if (known === undefined || (known.last.hop === step.hop && closenessOf(known.way) < closenessOf(way))) {
      arrivals.set(step.to, { way, last: step })
    }
  }
  const best = new Map<TraversedFact, Way>(ways)
  // From the far ends back, so that every step knows the best way that goes over it.
  for (const step of steps.toReversed()) {
    const previous = before.get(step)
    const way = best.get(step)
    if (previous === undefined || way === undefined) continue
    const known = best.get(previous)
    if (known === undefined || closenessOf(known) < closenessOf(way)) best.set(previous, way)
  }
  return new Map(
    steps.map((step) => {
      const way = best.get(step) ?? start
      const narrowness = 1 / (1 + Math.log10(way.crowd))
      const after = before.get(step)?.fact.id ?? null
      return [step.fact.id, { closeness: closenessOf(way), narrowness, hop: step.hop, after }]
    }),
  )
}

function isUser({ subject, subjectName, objectName }: FoundFact, entity: EntityId): boolean {
  return (entity === subject ? subjectName : objectName) === userKey
}

/** A chain longer than this explains nothing. */
const longestChain = 50

/**
 * The steps that lead to what is returned, each with the way to it from a seed, in the order of the traversal. Where
 * nothing returned was reached by walking, the first steps show what was looked at.
 */
export function reasoningChain(
  { steps }: Traversal,
  returned: readonly { readonly id: string }[],
): readonly ReasoningStep[] {
  const ids = new Set(returned.map(({ id }) => id))
  const wanted = steps.filter(({ fact }) => ids.has(fact.id))
  const texts = steps.filter(({ fact }) => !ids.has(fact.id) && ids.has(fact.chunkId))
  const ways = waysOf(steps)
  const useful = new Set<TraversedFact>()
  for (const step of [
    ...wanted,
    ...texts,
    ...(wanted.length + texts.length === 0 ? steps.slice(0, 5) : []),
  ]) {
    const way = ways(step).filter((part) => !useful.has(part))
    if (useful.size + way.length > longestChain) break
    for (const part of way) useful.add(part)
  }
  return steps.filter((step) => useful.has(step)).map(shownStep)
}

/** The steps from a seed to this one, itself last. */
function waysOf(steps: readonly TraversedFact[]): (step: TraversedFact) => readonly TraversedFact[] {
  const arrivals = new Map<EntityId, TraversedFact>()
  for (const step of steps) if (!arrivals.has(step.to)) arrivals.set(step.to, step)
  return (step) => {
    const way = [step]
    for (let hop = step.hop - 1; hop >= 1; hop--) {
      const before = arrivals.get(way[0]?.from ?? step.from)
      if (before === undefined || before.hop !== hop) break
      way.unshift(before)
    }
    return way
  }
}

/** As it is stored, subject first, in whichever direction it was walked: `Ana works_at Acme`, never the reverse. */
function shownStep({ fact, hop }: TraversedFact): ReasoningStep {
  const { subjectName, relation, objectName } = fact
  return { hop, from: subjectName, relation, to: objectName, fact: fact.fact, confidence: fact.base }
}
