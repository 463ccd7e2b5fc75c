import { createHash } from 'node:crypto'
import { asChunkId, asItemId, asNamespace, asRelationshipId } from '../../core/ids.ts'
import type { Vector } from '../../core/vectors.ts'
import type { ItemWrite, MemoryStores } from '../../memory/ports.ts'

/**
 * Neo4j plans and compiles a query when it first sees it, which takes seconds on a cold engine. One item is written,
 * found and removed in a namespace of its own before the stores report themselves ready, so that no caller pays.
 */
export async function warmUp({ journal, graph, episodic }: MemoryStores, dimensions: number): Promise<void> {
  const namespace = asNamespace('memoryd:warm-up')
  const vector = new Float32Array(dimensions)
  vector[0] = 1
  await journal.remember(namespace, sampleItem(vector))
  const query = { vector, terms: ['boat'], personas: null }
  await episodic.search(namespace, { ...query, nearest: 1, lexical: 1 })
  const [hit] = await graph.searchFacts(namespace, { ...query, limit: 1 })
  await graph.nearestEntities(namespace, vector, 1)
  await graph.entitiesNamed(namespace, ['user'])
  if (hit !== undefined) {
    await graph.expand(namespace, { entities: [hit.fact.subject], personas: null, limit: 10 })
    await graph.touch(namespace, [hit.fact.id], 1)
  }
  const everything = { ids: null, persona: null, sessionId: null }
  await graph.remove(namespace, everything)
  await episodic.remove(namespace, everything)
  await graph.removeOrphans(namespace)
}

function sampleItem(vector: Vector): ItemWrite {
  const chunkId = asChunkId('warm-up')
  const shared = {
    itemId: asItemId('warm-up'),
    persona: 'shared',
    sessionId: null,
    source: 'user' as const,
    metadata: null,
    createdAt: 0,
  }
  const text = 'user has a boat'
  return {
    ...shared,
    textHash: createHash('sha256').update(text).digest('hex'),
    entities: [],
    facts: [
      {
        id: asRelationshipId('warm-up'),
        chunkId,
        subjectKey: 'user',
        relation: 'has',
        objectKey: 'boat',
        slot: 'has|boat',
        negated: false,
        ended: false,
        fact: text,
        evidence: text,
        extraction: 1,
        base: 1,
        when: null,
        vector,
      },
    ],
    chunks: [
      {
        ...shared,
        id: chunkId,
        speaker: null,
        text,
        start: 0,
        end: text.length,
        base: 1,
        lastAccessAt: 0,
        accessCount: 0,
        vector,
      },
    ],
  }
}
