import type { Clock } from '../../core/clock.ts'
import type { Namespace } from '../../core/ids.ts'
import type { PruneReply, PruneRequest } from '../memory.ts'
import type { EpisodicStore, FadedQuery, GraphStore, Lease } from '../ports.ts'

export interface PruneParts {
  readonly graph: GraphStore
  readonly episodic: EpisodicStore
  readonly clock: Clock
  readonly halfLifeDays: number
}

/**
 * Removes the relationships and chunks whose confidence now is strictly below the threshold, and the entities that
 * nothing touches any more; or counts them. No decay is written and nothing is compressed. A run that has lost its
 * lease is refused.
 */
export async function prune(
  parts: PruneParts,
  namespace: Namespace,
  request: PruneRequest,
  lease?: Lease,
): Promise<PruneReply> {
  const { graph, episodic, clock, halfLifeDays } = parts
  const { threshold, dryRun, persona } = request
  const query: FadedQuery = { persona, threshold, halfLifeDays, now: clock.now(), ...(lease && { lease }) }
  const faded = await countFaded(parts, namespace, query)
  const candidates = faded.relations + faded.chunks
  const reply = { candidates, threshold, dryRun }
  if (dryRun)
    return { ...reply, ...faded, pruned: 0, orphanedEntities: await graph.countOrphans(namespace, query) }
  const relations = await graph.removeFaded(namespace, query)
  const chunks = await episodic.removeFaded(namespace, query)
  const orphanedEntities = await graph.removeOrphans(namespace)
  return { ...reply, relations, chunks, pruned: relations + chunks, orphanedEntities }
}

/** How many memories a prune would remove. */
export async function countFaded(
  { graph, episodic }: Pick<PruneParts, 'graph' | 'episodic'>,
  namespace: Namespace,
  query: FadedQuery,
): Promise<{ readonly relations: number; readonly chunks: number }> {
  const relations = await graph.countFaded(namespace, query)
  return { relations, chunks: await episodic.countFaded(namespace, query) }
}
