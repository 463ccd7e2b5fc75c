import type { Namespace } from '../core/ids.ts'
import type { StatsReply } from './memory.ts'
import type { EpisodicStore, GraphStore } from './ports.ts'

/** Counts of one persona exactly; null counts the whole namespace. Rejects when a store cannot count. */
export async function stats(
  { graph, episodic }: { readonly graph: GraphStore; readonly episodic: EpisodicStore },
  namespace: Namespace,
  persona: string | null,
): Promise<StatsReply> {
  const [episodicCount, semanticEntities, semanticRelations] = await Promise.all([
    episodic.count(namespace, { ids: null, persona, sessionId: null }),
    graph.countEntities(namespace, persona),
    graph.countRelationships(namespace, persona),
  ])
  return { episodicCount, semanticEntities, semanticRelations }
}
