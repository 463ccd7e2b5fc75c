import type { Clock } from '../../core/clock.ts'
import type { Namespace } from '../../core/ids.ts'
import type { MemoryRecord, PruneReply, PruneRequest } from '../memory.ts'
import type { EpisodicStore, FadedQuery, GraphStore, Lease } from '../ports.ts'
import { chunkRecord, factRecord } from '../record.ts'

export interface PruneParts {
  readonly graph: GraphStore
  readonly episodic: EpisodicStore
  readonly clock: Clock
  readonly halfLifeDays: number
  /** Hears what was deleted. */
  readonly countPruned?: (removed: RemovedCounts) => void
}

/** What a prune removes by kind. */
export interface FadedCounts {
  readonly relations: number
  readonly chunks: number
}

export interface RemovedCounts extends FadedCounts {
  readonly orphanedEntities: number
}

export interface PruneOptions {
  /** A run that has lost it is refused. */
  readonly lease?: Lease
  /** At most so many go, the most faded first. */
  readonly most?: FadedCounts | null
}

/**
 * Removes the relationships and chunks whose confidence now is strictly below the threshold, and the entities that
 * nothing touches any more; or counts them. No decay is written and nothing is compressed.
 */
export async function prune(
  parts: PruneParts,
  namespace: Namespace,
  request: PruneRequest,
  { lease, most }: PruneOptions = {},
): Promise<PruneReply> {
  const { graph, episodic, clock, halfLifeDays } = parts
  const { threshold, dryRun, persona, inDays = 0, limit = 0 } = request
  const now = clock.now() + inDays * secondsPerDay
  const query: FadedQuery = { persona, threshold, halfLifeDays, now, ...(lease && { lease }) }
  const faded = await countFaded(parts, namespace, query)
  const candidates = faded.relations + faded.chunks
  const reply = { candidates, threshold, dryRun, memories: [] }
  if (dryRun) {
    const memories = limit === 0 ? [] : await mostFaded(parts, namespace, { ...query, limit })
    const orphanedEntities = await graph.countOrphans(namespace, query)
    return { ...reply, ...faded, memories, pruned: 0, orphanedEntities }
  }
  const relations = await graph.removeFaded(namespace, { ...query, ...(most && { limit: most.relations }) })
  const chunks = await episodic.removeFaded(namespace, { ...query, ...(most && { limit: most.chunks }) })
  const orphanedEntities = await graph.removeOrphans(namespace)
  parts.countPruned?.({ relations, chunks, orphanedEntities })
  return { ...reply, relations, chunks, pruned: relations + chunks, orphanedEntities }
}

const secondsPerDay = 86_400

/** What would go, the most faded first, with the confidence it has now. */
async function mostFaded(
  { graph, episodic, clock, halfLifeDays }: PruneParts,
  namespace: Namespace,
  query: FadedQuery,
): Promise<readonly MemoryRecord[]> {
  const [chunkIds, factIds] = await Promise.all([
    episodic.faded(namespace, query),
    graph.faded(namespace, query),
  ])
  const [chunks, facts] = await Promise.all([
    episodic.get(namespace, chunkIds),
    graph.get(namespace, factIds),
  ])
  const now = clock.now()
  return [
    ...chunks.map((chunk) => chunkRecord(chunk, now, halfLifeDays)),
    ...facts.map((fact) => factRecord(fact, now, halfLifeDays)),
  ]
    .toSorted((a, b) => a.retention - b.retention || (a.id < b.id ? -1 : 1))
    .slice(0, query.limit)
}

/** How many memories a prune would remove. */
export async function countFaded(
  { graph, episodic }: Pick<PruneParts, 'graph' | 'episodic'>,
  namespace: Namespace,
  query: FadedQuery,
): Promise<FadedCounts> {
  const relations = await graph.countFaded(namespace, query)
  return { relations, chunks: await episodic.countFaded(namespace, query) }
}
