import { createHash, randomUUID } from 'node:crypto'
import type { AccountStores } from '../../accounts/ports.ts'
import { asChunkId, asItemId, asNamespace, asRelationshipId, type Namespace } from '../../core/ids.ts'
import type { Vector } from '../../core/vectors.ts'
import type { ItemWrite, MemoryStores } from '../../memory/ports.ts'

/**
 * Neo4j plans and compiles a query when it first sees it, which takes seconds on a cold engine. One item is written,
 * found and removed in a namespace of its own before the stores report themselves ready, so that no caller pays.
 */
export async function warmUp(stores: MemoryStores, dimensions: number): Promise<void> {
  const { journal, graph, episodic, lifecycle } = stores
  const namespace = asNamespace('memoryd:warm-up')
  const vector = new Float32Array(dimensions)
  vector[0] = 1
  await journal.remember(namespace, sampleItem(vector))
  const query = { vector, terms: ['boat'], personas: null }
  const { hits } = await episodic.search(namespace, { ...query, nearest: 1, lexical: 1 })
  const chunks = hits.map(({ chunk }) => chunk.id)
  const [found] = await graph.searchFacts(namespace, { ...query, limit: 1 })
  await graph.nearestEntities(namespace, vector, 1)
  await graph.entitiesNamed(namespace, ['user'])
  await graph.factsOf(namespace, chunks)
  await episodic.touch(namespace, chunks, 1, 1)
  if (found !== undefined) {
    await graph.expand(namespace, { entities: [found.fact.subject], personas: null, limit: 10 })
    await graph.touch(namespace, [found.fact.id], 1, 1)
    await graph.slotHistory(namespace, found.fact.id)
    await graph.dropEvidence(namespace, [found.fact.id])
    const place = { persona: 'shared', subject: 'user', slot: 'likes', limit: 1 }
    await graph.rivals(namespace, place)
    await graph.rivals(namespace, { ...place, at: 0, later: true })
  }
  await warmUpLinks(stores, namespace, vector)
  await warmUpCounts(stores, namespace)
  await lifecycle.lastRun(namespace, null)
  await graph.remove(namespace, everything)
  await episodic.remove(namespace, everything)
  await graph.removeOrphans(namespace)
}

const everything = { ids: null, persona: null, sessionId: null }

/** A correction, its removal, and pins. */
async function warmUpLinks(
  { journal, graph, episodic }: MemoryStores,
  namespace: Namespace,
  vector: Vector,
): Promise<void> {
  const known = sampleItem(vector)
  const [newer, older, fact] = [asChunkId('warm-up 2'), asChunkId('warm-up'), asRelationshipId('warm-up')]
  await journal.remember(namespace, {
    ...{ ...known, itemId: asItemId('warm-up 2'), textHash: 'warm-up 2', facts: [] },
    chunks: known.chunks.map((chunk) => ({ ...chunk, id: newer, itemId: asItemId('warm-up 2') })),
    links: [{ newer, older, kind: 'replaces', probability: 1, closes: [fact] }],
  })
  await episodic.links(namespace, newer)
  await episodic.remove(namespace, { ...everything, ids: [newer] })
  await episodic.pin(namespace, older, false)
  await graph.pin(namespace, fact, false)
}

/** Counting, listing and aging: what stats, lists, prune and consolidate ask. */
async function warmUpCounts({ graph, episodic }: MemoryStores, namespace: Namespace): Promise<void> {
  const page = { after: null, limit: 1 }
  const all = { persona: null, sessionId: null, source: null, since: null, until: null }
  const faded = { persona: null, threshold: 0, halfLifeDays: 7, now: 0 }
  await graph.list(namespace, all, page)
  await episodic.list(namespace, all, page)
  await graph.countRelationships(namespace, 'shared')
  await graph.countEntities(namespace, 'shared')
  await graph.countEntities(namespace, null)
  await episodic.count(namespace, everything)
  await graph.countFaded(namespace, faded)
  await episodic.countFaded(namespace, faded)
  await graph.countOrphans(namespace)
  await graph.countOrphans(namespace, everything)
  await graph.linkedTo(namespace, 'user')
  await graph.count(namespace, everything)
  await graph.decay(namespace, faded)
  await graph.removeFaded(namespace, faded)
  await episodic.removeFaded(namespace, faded)
}

/** The checks in front of every request: key, budget and idempotency key. */
export async function warmUpAccounts({
  accounts,
  ledger,
  idempotency,
}: Omit<AccountStores, 'rates' | 'clients'>): Promise<void> {
  const account = 'memoryd:warm-up'
  await accounts.keyByHash(account)
  await accounts.account(account)
  const reservation = { account, month: 'warm-up', ops: 1, limit: null }
  const [settled, refunded] = [randomUUID(), randomUUID()]
  await ledger.reserve({ ...reservation, id: settled })
  await ledger.settle(settled)
  await ledger.reserve({ ...reservation, id: refunded })
  await ledger.refund(refunded)
  await idempotency.begin({ account, key: account, bodyHash: '', now: 0 })
  await idempotency.finish({ account, key: 'none', status: 200, body: '' })
  await idempotency.abandon({ account, key: account })
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
        pinned: false,
        vector,
      },
    ],
    links: [],
  }
}
