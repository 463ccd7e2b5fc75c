import type { EntityId, RelationshipId } from '../../core/ids.ts'
import type { Traversal, TraversedFact } from './traverse.ts'

/** What is carried over an edge: this much of the score before it, and more for a fact that the question speaks of. */
const leastShare = 0.3
const closeShare = 0.65
/** On the common scale a fact this near to the question is about it. */
const closeCosine = 0.5
/** What the steps of a narrow chain are worth by themselves: above the floor of 0.2 for five hops, and hardly more. */
const chainScore = 0.3
const chainShare = 0.93
/** Beyond a few edges an entity leads anywhere. */
const narrow = 0.5

/**
 * Scores that facts owe to the way to them: what the best way carries, less where a crowded entity was passed,
 * more for facts that the question itself speaks of.
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
    const { fact, from, to, hop } = step
    const close = Math.min(1, Math.max(0, closeness(step) / closeCosine))
    const spread = 1 / (1 + Math.log10(crowd.get(from) ?? 1))
    const before = (carried.get(from) ?? 0) * (leastShare + closeShare * close) * spread
    const score = Math.max(ownScore(fact.id), before, spread > narrow ? chainScore * chainShare ** hop : 0)
    scores.set(fact.id, score)
    if (!carried.has(to)) carried.set(to, score)
  }
  return scores
}
