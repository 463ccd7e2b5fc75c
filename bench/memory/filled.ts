import { asChunkId, asItemId, asRelationshipId, type Namespace } from '../../src/core/ids.ts'
import type { Vector } from '../../src/core/vectors.ts'
import type { FactDraft, ItemWrite, MemoryStores } from '../../src/memory/ports.ts'

/** Texts in one group: they share one fsync. */
const together = 250

export interface Filling {
  readonly chunks: number
  readonly factsPerChunk: number
  nextVector(): Vector
  /** Key of a fact's subject, by chunk and fact. */
  subjectOf(chunk: number, fact: number): string
}

/** Fills a namespace through the journal, with made-up vectors: the embedding model would take an hour. */
export async function fill(stores: MemoryStores, namespace: Namespace, filling: Filling): Promise<void> {
  for (let first = 0; first < filling.chunks; first += together) {
    const count = Math.min(together, filling.chunks - first)
    const items = Array.from({ length: count }, (_, at) => itemOf(first + at, filling))
    await Promise.all(items.map((item) => stores.journal.remember(namespace, item)))
  }
}

function itemOf(at: number, { factsPerChunk, nextVector, subjectOf }: Filling): ItemWrite {
  const now = Date.now() / 1_000
  const id = `${at}`.padStart(32, '0')
  const vector = nextVector()
  const text = `On day ${at % 365} person${at % 499} told us about topic${at % 997}, word${at % 4_001} and place${at % 211}.`
  const shared = {
    ...{ itemId: asItemId(id), persona: 'shared', sessionId: `session ${at % 500}` },
    ...{ source: 'user' as const, metadata: null, createdAt: now },
  }
  const chunkId = asChunkId(id)
  const retained = { base: 1, lastAccessAt: now, accessCount: 0, pinned: false }
  const chunk = { id: chunkId, speaker: null, text, start: 0, end: text.length, vector }
  const facts = Array.from({ length: factsPerChunk }, (_, fact): FactDraft => {
    const [subjectKey, objectKey] = [subjectOf(at, fact), `thing ${(at * 7 + fact) % 9_973}`]
    return {
      ...{ id: asRelationshipId(`${fact}-${id}`), chunkId, subjectKey, relation: 'knows', objectKey },
      ...{
        slot: `knows|${at}|${fact}`,
        negated: false,
        ended: false,
        fact: `${subjectKey} knows ${objectKey}`,
      },
      ...{ evidence: text, extraction: 1, base: 1, when: null, vector },
    }
  })
  const chunks = [{ ...shared, ...retained, ...chunk }]
  return { ...shared, textHash: id, entities: [], facts, chunks, links: [] }
}
