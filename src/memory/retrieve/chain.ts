import type { EntityId } from '../../core/ids.ts'
import type { ReasoningStep } from '../memory.ts'
import type { Candidate } from './candidate.ts'
import type { Traversal, TraversedFact } from './traverse.ts'

/** A chain longer than this explains nothing. */
const longestChain = 50

/**
 * The steps that lead to what is returned, each with the way to it from a seed, in the order of the traversal. Where
 * nothing returned was reached by walking, the first steps show what was looked at.
 */
export function reasoningChain(
  { steps }: Traversal,
  returned: readonly Candidate[],
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
