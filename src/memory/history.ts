import { asChunkId, asRelationshipId, type Namespace } from '../core/ids.ts'
import type { HistoryEntry, HistoryReply } from './memory.ts'
import type { EpisodicStore, Fact, GraphStore } from './ports.ts'

export interface HistoryParts {
  readonly graph: GraphStore
  readonly episodic: EpisodicStore
}

/**
 * What the slot of a fact has held, oldest first: what it replaced, what replaced it, when, from which sentence. For a
 * chunk: the histories of all facts read from it. Null when there is no such memory.
 */
export async function history(
  parts: HistoryParts,
  namespace: Namespace,
  id: string,
): Promise<HistoryReply | null> {
  const { graph, episodic } = parts
  const [fact] = await graph.get(namespace, [asRelationshipId(id)])
  if (fact !== undefined) return { id, history: entries(await graph.slotHistory(namespace, fact.id)) }
  const [chunk] = await episodic.get(namespace, [asChunkId(id)])
  if (chunk === undefined) return null
  const facts = await graph.factsOf(namespace, [chunk.id])
  const histories = await Promise.all(facts.map((read) => graph.slotHistory(namespace, read.id)))
  return { id, history: entries(histories.flat()) }
}

function entries(facts: readonly Fact[]): readonly HistoryEntry[] {
  const unique = [...new Map(facts.map((fact) => [fact.id, fact])).values()]
  const byTime = unique.toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
  const known = new Set<string>(byTime.map(({ id }) => id))
  return byTime.map((fact) => ({
    id: fact.id,
    fact: fact.fact,
    source: fact.source,
    createdAt: fact.createdAt,
    closedAt: fact.closedAt,
    replaces: byTime
      .filter(({ closedBy, createdAt }) => closedBy === fact.id && createdAt <= fact.createdAt)
      .map(({ id }) => id),
    replacedBy: fact.closedBy !== null && known.has(fact.closedBy) ? fact.closedBy : null,
    evidence: fact.evidence,
    current: fact.closedAt === null,
  }))
}
