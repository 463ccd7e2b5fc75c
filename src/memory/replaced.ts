import type { Namespace, RelationshipId } from '../core/ids.ts'
import type { Fact, GraphStore } from './ports.ts'

/** Replacements are followed this far: from Lisbon over Berlin to Rome. */
const longestChain = 5

/**
 * The facts that hold now in the place of closed ones, by the id of the closed one. What was ended, or replaced by
 * something that is gone, has none.
 */
export async function followReplacements(
  graph: Pick<GraphStore, 'get'>,
  namespace: Namespace,
  closed: readonly Fact[],
): Promise<ReadonlyMap<RelationshipId, Fact>> {
  const known = new Map<RelationshipId, Fact>()
  let asked = new Set(closed.flatMap(({ closedBy }) => closedBy ?? []))
  for (let step = 0; step < longestChain && asked.size > 0; step++) {
    const found = await graph.get(namespace, [...asked])
    for (const fact of found) known.set(fact.id, fact)
    asked = new Set(
      found.flatMap(({ closedBy }) => (closedBy === null || known.has(closedBy) ? [] : closedBy)),
    )
  }
  const current = new Map<RelationshipId, Fact>()
  for (const fact of closed) {
    const last = lastOf(fact, known)
    if (last !== null) current.set(fact.id, last)
  }
  return current
}

function lastOf(fact: Fact, known: ReadonlyMap<RelationshipId, Fact>): Fact | null {
  let last: Fact | undefined = fact
  for (let step = 0; step <= longestChain && last !== undefined; step++) {
    if (last.closedAt === null) return last
    last = last.closedBy === null ? undefined : known.get(last.closedBy)
  }
  return null
}
