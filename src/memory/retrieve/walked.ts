import type { EntityId, RelationshipId } from '../../core/ids.ts'
import { userKey } from '../entities.ts'
import type { FoundFact } from '../ports.ts'
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
/** A way whose first step has nothing to do with the question is worth this much of one whose first step fits best. */
const strayShare = 0.6

/**
 * Scores that facts owe to the way to them: what the best way carries, less where a crowded entity was passed,
 * more for facts that the question itself speaks of. The steps of a narrow chain are worth something by themselves; a
 * fact that hangs on a starting point and leads nowhere is no chain.
 */
export function walkedScores(
  { steps }: Traversal,
  ownScore: (id: RelationshipId) => number,
  closeness: (step: TraversedFact) => number,
): ReadonlyMap<RelationshipId, number> {
  const crowd = new Map<EntityId, number>()
  for (const { from } of steps) crowd.set(from, (crowd.get(from) ?? 0) + 1)
  const closeOf = (step: TraversedFact) => Math.min(1, Math.max(0, closeness(step) / closeCosine))
  const closest = steps.reduce((best, step) => (step.hop === 1 ? Math.max(best, closeOf(step)) : best), 0)
  const carried = new Map<EntityId, number>()
  /** What the way to an entity is worth by its first step. */
  const ways = new Map<EntityId, number>()
  const scores = new Map<RelationshipId, number>()
  for (const step of steps) {
    const { fact, from, to, hop } = step
    const close = closeOf(step)
    const way =
      hop === 1 && closest > 0 ? strayShare + (1 - strayShare) * (close / closest) : (ways.get(from) ?? 1)
    const leadsOn = hop > 1 || crowd.has(to)
    const spread = 1 / (1 + Math.log10(crowd.get(from) ?? 1))
    const before = (carried.get(from) ?? 0) * (leastShare + closeShare * close) * spread
    // Somebody's sister leads to the user, and the user to everything.
    const isThroughUser = hop > 1 && nameOf(fact, from) === userKey
    const isNarrow = spread > narrow && !isThroughUser
    const chain = isNarrow && leadsOn ? chainScore * chainShare ** hop * way : 0
    const score = Math.max(ownScore(fact.id), before, chain)
    scores.set(fact.id, score)
    if (!carried.has(to)) carried.set(to, score)
    ways.set(to, Math.max(ways.get(to) ?? 0, isThroughUser ? 0 : way))
  }
  return scores
}

function nameOf({ subject, subjectName, objectName }: FoundFact, entity: EntityId): string {
  return entity === subject ? subjectName : objectName
}
