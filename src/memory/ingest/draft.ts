import type { Seconds } from '../../core/clock.ts'
import { asChunkId, asItemId, asRelationshipId, type ChunkId, type NewId } from '../../core/ids.ts'
import type { Vector } from '../../core/vectors.ts'
import { canonicalKey, type ResolvedEntity } from '../entities.ts'
import type { IngestItem } from '../memory.ts'
import type { Chunk, Source } from '../model.ts'
import type {
  EntityDraft,
  ExtractedEntity,
  ExtractedFact,
  Extraction,
  FactDraft,
  ItemWrite,
} from '../ports.ts'
import { slotOf, trust } from '../slots.ts'
import { factText } from './fact-text.ts'
import type { ReadText } from './read-text.ts'
import { textHash } from './text-hash.ts'

/** More facts than this from one text are noise; the extractor keeps to the same bound per piece. */
const factsPerText = 256

/** What one text adds, ready for the journal. */
export interface DraftParts {
  readonly item: IngestItem
  readonly read: ReadText
  readonly facts: readonly ExtractedFact[]
  readonly entities: readonly ResolvedEntity[]
  readonly nameVector: (name: string) => Vector
  readonly createdAt: Seconds
  readonly newId: NewId
}

/** How far a chunk is trusted: nothing was extracted, so the source alone decides. */
export function chunkConfidence(source: Source): number {
  return trust[source]
}

/** A user's fact counts fully; for the others the extractor's own confidence lowers the trust of the source. */
function factConfidence(source: Source, extraction: number): number {
  return source === 'user' ? 1 : trust[source] * Math.min(1, Math.max(0, extraction))
}

/** Builds the item: chunks, entities and facts with their ids and vectors. Hypothetical facts are left out. */
export function draftItem(parts: DraftParts): ItemWrite {
  const { item, read, createdAt, newId } = parts
  const itemId = asItemId(newId())
  const chunks = read.chunks.map(
    ({ span, vector }): Chunk => ({
      id: asChunkId(newId()),
      itemId,
      persona: item.persona,
      sessionId: item.sessionId,
      source: item.source,
      speaker: read.speaker,
      text: item.text.slice(span.start, span.end),
      start: span.start,
      end: span.end,
      metadata: item.metadata,
      vector,
      base: chunkConfidence(item.source),
      createdAt,
      lastAccessAt: createdAt,
      accessCount: 0,
    }),
  )
  const facts = draftFacts(parts, (at) => chunkAt(chunks, at))
  return {
    itemId,
    persona: item.persona,
    sessionId: item.sessionId,
    source: item.source,
    metadata: item.metadata,
    createdAt,
    textHash: textHash(item.text),
    entities: draftEntities(parts),
    facts,
    chunks,
  }
}

/** The chunk that a fact's sentence begins in. */
function chunkAt(chunks: readonly Chunk[], at: number): ChunkId {
  const chunk = chunks.findLast(({ start }) => start <= at) ?? chunks[0]
  return chunk?.id ?? asChunkId('')
}

/** The facts of a text, each once, with the vector of the sentence they were read from. */
function draftFacts(parts: DraftParts, chunkOf: (at: number) => ChunkId): readonly FactDraft[] {
  const names = nameTable(parts.entities)
  const drafts = new Map<string, FactDraft>()
  for (const fact of parts.facts) {
    if (fact.hypothetical || drafts.size >= factsPerText) continue
    const draft = draftFact(parts, fact, names, chunkOf(fact.start))
    if (draft === null) continue
    const same = [draft.subjectKey, draft.relation, draft.objectKey, draft.negated, draft.ended].join(
      '\u0000',
    )
    if (!drafts.has(same)) drafts.set(same, draft)
  }
  return [...drafts.values()]
}

interface NamedNode {
  readonly key: string
  readonly name: string
}

function nameTable(entities: readonly ResolvedEntity[]): (name: string) => NamedNode | null {
  const nodes = new Map<string, NamedNode>()
  for (const { key, name, aliases, said } of entities) {
    for (const alias of aliases) if (!nodes.has(alias)) nodes.set(alias, { key, name })
    nodes.set(said, { key, name })
  }
  return (name) => {
    const key = canonicalKey(name)
    return key === '' ? null : (nodes.get(key) ?? { key, name })
  }
}

function draftFact(
  { item, read, newId }: DraftParts,
  fact: ExtractedFact,
  nodeOf: (name: string) => NamedNode | null,
  chunkId: ChunkId,
): FactDraft | null {
  const subject = nodeOf(fact.subject)
  const object = nodeOf(fact.object)
  if (subject === null || object === null || subject.key === object.key || fact.relation === '') return null
  return {
    id: asRelationshipId(newId()),
    chunkId,
    subjectKey: subject.key,
    relation: fact.relation,
    objectKey: object.key,
    slot: slotOf(fact.relation, object.key),
    negated: fact.negated,
    ended: fact.ended,
    fact: factText({ ...fact, subject: subject.name, object: object.name }),
    evidence: item.text.slice(fact.start, fact.end),
    extraction: fact.confidence,
    base: factConfidence(item.source, fact.confidence),
    when: fact.when,
    vector: read.vectorAt(fact.start),
  }
}

/** One draft a node; two names of one node are merged. */
function draftEntities({ entities, nameVector }: DraftParts): readonly EntityDraft[] {
  const drafts = new Map<string, EntityDraft>()
  for (const { key, name, type, aliases, known } of entities) {
    const before = drafts.get(key)
    drafts.set(key, {
      key,
      name: before?.name ?? name,
      type: before === undefined || before.type === 'concept' ? type : before.type,
      aliases: [...new Set([...(before?.aliases ?? []), ...aliases])],
      vector: known?.vector ?? nameVector(name),
    })
  }
  return [...drafts.values()]
}

/** The entities that the facts to store speak of; a name that the extractor did not list is a concept. */
export function entitiesOf({ facts, entities }: Extraction): readonly ExtractedEntity[] {
  const listed = new Map(entities.map((entity) => [canonicalKey(entity.name), entity]))
  const names = new Map<string, ExtractedEntity>()
  for (const { subject, object, hypothetical } of facts) {
    if (hypothetical) continue
    for (const name of [subject, object]) {
      const key = canonicalKey(name)
      if (key !== '') names.set(key, listed.get(key) ?? { name, type: 'concept', aliases: [] })
    }
  }
  return [...names.values()]
}
