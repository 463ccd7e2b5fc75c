import { asChunkId, type ChunkId, type Namespace } from '../../core/ids.ts'
import type { LearnedFact, ReplacedMemory } from '../learned.ts'
import type { IngestReply } from '../memory.ts'
import type { Fact, ItemReceipt, ItemWrite, MemoryStores } from '../ports.ts'
import { isSuperseded, tripleOf } from '../record.ts'
import { certain } from '../relation/certainty.ts'

/** The part of a reply that names memories. */
export type Learned = Pick<IngestReply, 'ids' | 'facts' | 'replaced'>

type Stores = Pick<MemoryStores, 'graph' | 'episodic'>

/** What a stored item told, and what it made out of date. */
export async function learnedOf(
  stores: Stores,
  namespace: Namespace,
  write: ItemWrite,
  receipt: Extract<ItemReceipt, { outcome: 'stored' }>,
): Promise<Learned> {
  const own = new Set(write.facts.map(({ id }) => id))
  const told = [...own, ...(receipt.confirmed ?? [])]
  const closed = receipt.closed.filter((id) => !own.has(id))
  const named = [...told, ...closed]
  const facts = named.length === 0 ? [] : await stores.graph.get(namespace, named)
  const byId = new Map(facts.map((fact) => [fact.id, fact]))
  return {
    ids: write.chunks.map(({ id }) => id),
    facts: told.flatMap((id) => byId.get(id) ?? []).map(learnedFact),
    replaced: [
      ...closed.flatMap((id): ReplacedMemory[] => {
        const fact = byId.get(id)
        const link = write.links.find(({ closes }) => closes.includes(id))
        if (fact === undefined) return []
        return [{ id, fact: fact.fact, kind: link?.kind ?? 'replaces', probability: link?.probability ?? 1 }]
      }),
      ...(await replacedTexts(stores, namespace, write)),
    ],
  }
}

/** The texts that are out of date although no fact of theirs was closed. */
async function replacedTexts(
  { episodic }: Stores,
  namespace: Namespace,
  { links, chunks }: ItemWrite,
): Promise<readonly ReplacedMemory[]> {
  const own = new Set(chunks.map(({ id }) => id))
  const bare = links.filter(
    ({ older, newer, closes, probability }) =>
      older !== null && own.has(newer) && closes.length === 0 && probability >= certain,
  )
  if (bare.length === 0) return []
  const texts = await episodic.get(
    namespace,
    bare.map(({ older }) => asChunkId(older ?? '')),
  )
  // Something of it may have been told again, and holds.
  return texts.filter(isSuperseded).flatMap(({ id, text }) => {
    const link = bare.find(({ older }) => older === id)
    return link === undefined ? [] : [{ id, fact: text, kind: link.kind, probability: link.probability }]
  })
}

/** What a text that is known already tells. */
export async function knownOf(
  { graph }: Stores,
  namespace: Namespace,
  ids: readonly ChunkId[],
): Promise<Learned> {
  const facts = await graph.factsOf(namespace, ids)
  return { ids, facts: facts.filter(({ closedAt }) => closedAt === null).map(learnedFact), replaced: [] }
}

const learnedFact = (fact: Fact): LearnedFact => ({
  ...{ id: fact.id, fact: fact.fact, triple: tripleOf(fact), certainty: fact.extraction },
})
