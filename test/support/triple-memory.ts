import { analyze } from '../../src/core/analyze.ts'
import { asChunkId, asItemId, asNamespace, asRelationshipId, type Namespace } from '../../src/core/ids.ts'
import { normalize, type Vector } from '../../src/core/vectors.ts'
import { canonicalKey } from '../../src/memory/entities.ts'
import { factText } from '../../src/memory/ingest/fact-text.ts'
import type { Source } from '../../src/memory/model.ts'
import type { Embedder, FactDraft, ItemWrite, MemoryStores } from '../../src/memory/ports.ts'
import { slotOf, trust } from '../../src/memory/slots.ts'
import { openInlineEngine } from '../../src/stores/embedded/engine/inline.ts'
import { createEmbeddedMemoryStores } from '../../src/stores/embedded/memory/stores.ts'
import { vectorsOnly } from './vectors-only.ts'

const dimensions = 256

/** A small real embedder: the analysed words of a text, hashed. Texts that share words are near. */
export const wordEmbedder: Embedder = {
  identity: { model: 'words', weights: 'none', scale: '1', dimensions },
  ...vectorsOnly(async (texts) => texts.map(vectorOf)),
}

function vectorOf(text: string): Vector {
  const vector = new Float32Array(dimensions)
  for (const term of analyze(text)) {
    let hash = 2_166_136_261
    for (const character of term) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619)
    const at = (hash >>> 0) % dimensions
    vector[at] = (vector[at] ?? 0) + (hash & 0x10000 ? 1 : -1)
  }
  return normalize(vector)
}

export type Triple = readonly [subject: string, relation: string, object: string]

export interface Said {
  readonly persona?: string
  readonly source?: Source
  readonly at?: number
  /** The sentence that it was read from; the fact itself when absent. */
  readonly evidence?: string
}

export interface TripleMemory {
  readonly stores: MemoryStores
  /** Stores one triple and gives its id. */
  say(namespace: Namespace, triple: Triple, said?: Said): Promise<string>
}

/** The embedded stores in memory, and a way to put facts into them without an extractor. */
export function openTripleMemory(): TripleMemory {
  const stores = createEmbeddedMemoryStores(openInlineEngine())
  let count = 0
  return {
    stores,
    say: async (namespace, triple, said = {}) => {
      const id = `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`
      await stores.journal.remember(namespace, itemOf(id, triple, said))
      return id
    },
  }
}

function itemOf(id: string, [subject, relation, object]: Triple, said: Said): ItemWrite {
  const source = said.source ?? 'user'
  const fact = factText({ subject, relation, object, negated: false, ended: false, when: null })
  const objectKey = canonicalKey(object)
  const draft: FactDraft = {
    ...{ id: asRelationshipId(id), chunkId: asChunkId(`chunk-${id}`), relation, objectKey, fact },
    ...{ subjectKey: canonicalKey(subject), slot: slotOf(relation, objectKey), negated: false, ended: false },
    ...{ evidence: said.evidence ?? `${fact}.`, extraction: 0.9, base: trust[source], when: null },
    vector: vectorOf(fact),
  }
  const entity = (name: string) => ({
    ...{ key: canonicalKey(name), name, type: 'thing' as const, aliases: [], vector: vectorOf(name) },
  })
  return {
    ...{ itemId: asItemId(`item-${id}`), persona: said.persona ?? 'shared', sessionId: null, source },
    ...{ metadata: null, createdAt: said.at ?? 1_000, textHash: id, chunks: [], links: [] },
    ...{ entities: [entity(subject), entity(object)], facts: [draft] },
  }
}

export const someNamespace = asNamespace('small')
