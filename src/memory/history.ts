import { asChunkId, asRelationshipId, type ChunkId, type Namespace } from '../core/ids.ts'
import type { HistoryEntry, HistoryLink, HistoryReply } from './memory.ts'
import type { EpisodicStore, Fact, GraphStore, StoredLink } from './ports.ts'
import { likely } from './relation/certainty.ts'

export interface HistoryParts {
  readonly graph: GraphStore
  readonly episodic: EpisodicStore
}

/**
 * What the slot of a fact has held, oldest first: what it replaced, what replaced it, when, from which sentence. For a
 * chunk: the histories of all facts read from it. Beside it which statements replaced the text, and which it replaced.
 * Null when there is no such memory.
 */
export async function history(
  parts: HistoryParts,
  namespace: Namespace,
  id: string,
): Promise<HistoryReply | null> {
  const { graph, episodic } = parts
  const [fact] = await graph.get(namespace, [asRelationshipId(id)])
  if (fact !== undefined) {
    const facts = await graph.slotHistory(namespace, fact.id)
    return { id, history: entries(facts), links: await linksOf(parts, namespace, fact.chunkId, facts) }
  }
  const [chunk] = await episodic.get(namespace, [asChunkId(id)])
  if (chunk === undefined) return null
  const read = await graph.factsOf(namespace, [chunk.id])
  const histories = await Promise.all(read.map((one) => graph.slotHistory(namespace, one.id)))
  const facts = histories.flat()
  return { id, history: entries(facts), links: await linksOf(parts, namespace, chunk.id, facts) }
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

/** The links of a text, and those that closed facts of this history, with what both sides said. */
async function linksOf(
  { episodic }: HistoryParts,
  namespace: Namespace,
  chunk: ChunkId,
  facts: readonly Fact[],
): Promise<readonly HistoryLink[]> {
  const linked = await episodic.links(namespace, chunk)
  const own = linked.filter(({ probability }) => probability >= likely)
  const ids = own.flatMap(({ newer, older }) => [newer, older])
  const known = new Set(ids.map((id) => id as string))
  const factIds = new Set(facts.map(({ id }) => id as string))
  // A fact that was corrected alone was closed by a text, without a link between texts.
  const alone = facts.flatMap((fact): readonly Told[] => {
    const { closer, closedBy, closedAt } = fact
    if (closer === null || closedBy !== null || closedAt === null) return []
    if (known.has(closer) || factIds.has(closer)) return []
    const link = { kind: 'replaces', probability: 1, at: closedAt } as const
    return [{ ...link, newer: asChunkId(closer), older: fact.id, olderText: fact.fact }]
  })
  const texts = await episodic.get(namespace, [...new Set([...ids, ...alone.map(({ newer }) => newer)])])
  const textOf = new Map(texts.map(({ id, text }) => [id as string, text]))
  const told = alone.filter(({ newer }) => textOf.has(newer))
  return [...own, ...told].map((link: StoredLink | Told) => ({
    newer: { id: link.newer, fact: textOf.get(link.newer) ?? null },
    older: { id: link.older, fact: 'olderText' in link ? link.olderText : (textOf.get(link.older) ?? null) },
    ...{ kind: link.kind, probability: link.probability, at: link.at },
  }))
}

interface Told extends Omit<StoredLink, 'older'> {
  readonly older: string
  readonly olderText: string
}
