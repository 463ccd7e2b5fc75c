import type { EntityId, RelationshipId } from '../../core/ids.ts'
import type { Traversal, TraversedFact } from './traverse.ts'

/** What a starting point is worth: facts next to it are probably relevant, not more. */
const seedScore = 0.5
/**
 * What is left of the score with each hop, for a fact that the question does not speak of and for one it does: the
 * end of a narrow chain of five hops is still above the floor of 0.2.
 */
const leastShare = 0.85
const mostShare = 1

/**
 * Scores that facts owe to the way to them: what the best way carries, less with every hop, less where a crowded
 * entity was passed, more for facts that the question itself speaks of.
 */
export function walkedScores(
  { steps }: Traversal,
  ownScore: (id: RelationshipId) => number,
  closeness: (step: TraversedFact) => number,
): ReadonlyMap<RelationshipId, number> {
  const crowd = new Map<EntityId, number>()
  for (const { from } of steps) crowd.set(from, (crowd.get(from) ?? 0) + 1)
  const carried = new Map<EntityId, number>()
  const scores = new Map<RelationshipId, number>()
  for (const step of steps) {
    const { fact, from, to } = step
    const share = leastShare + (mostShare - leastShare) * Math.min(1, Math.max(0, closeness(step)))
    const spread = 1 / (1 + Math.log10(crowd.get(from) ?? 1))
    const score = Math.max(ownScore(fact.id), (carried.get(from) ?? seedScore) * share * spread)
    scores.set(fact.id, score)
    if (!carried.has(to)) carried.set(to, score)
  }
  return scores
}
