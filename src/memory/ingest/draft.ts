import { createHash } from 'node:crypto'
import type { Seconds } from '../../core/clock.ts'
import { asChunkId, asItemId, asRelationshipId, type ChunkId, type NewId } from '../../core/ids.ts'
import type { Vector } from '../../core/vectors.ts'
import { canonicalKey, type ResolvedEntity } from '../entities.ts'
import { documentKey, externalKey } from '../keys.ts'
import type { IngestItem } from '../memory.ts'
import type { Chunk, Source } from '../model.ts'
import type {
  ChunkDraft,
  Document,
  EntityDraft,
  ExtractedEntity,
  ExtractedFact,
  Extraction,
  FactDraft,
  ItemWrite,
} from '../ports.ts'
import { besideSlot, slotOf, trust } from '../slots.ts'
import { factText } from './fact-text.ts'
import type { ReadText } from './read-text.ts'

/** From here on more than four of five facts are right (bench facts); what stands in a document has to be surer. */
const leastCertainty: Record<Source, number> = { user: 0.61, assistant: 0.61, document: 0.66 }

/** Whether ingest stores a fact of such a source. */
export const isStored = ({ hypothetical, confidence }: ExtractedFact, source: Source) =>
  !hypothetical && confidence >= leastCertainty[source]

/** More facts than this from one text are noise. */
const factsPerText = 256

/** What one text adds, ready for the journal. */
export interface DraftParts {
  readonly item: IngestItem
  /** The document whose text it is. */
  readonly document?: Document
  readonly read: ReadText
  readonly facts: readonly ExtractedFact[]
  readonly entities: readonly ResolvedEntity[]
  /** Vectors of the names of new entities and of the sentences that `textsToEmbed` names. */
  readonly vectorOf: (text: string) => Vector
  /** When it is stored; it was told then, too, unless the item says when. */
  readonly storedAt: Seconds
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
  const { item, read, storedAt, newId, document } = parts
  const itemId = asItemId(newId())
  const createdAt = Math.min(item.occurredAt ?? storedAt, storedAt)
  const key = document === undefined ? keyOf(item) : documentKey(document.path)
  const chunks = read.chunks.map(
    ({ span, vector, tokens, text = item.text.slice(span.start, span.end) }): ChunkDraft => ({
      id: asChunkId(newId()),
      itemId,
      persona: item.persona,
      sessionId: item.sessionId,
      source: item.source,
      speaker: item.speaker ?? read.speaker,
      text,
      start: span.start,
      end: span.end,
      metadata: item.metadata,
      vector,
      tokens: tokens === null ? null : { count: tokens.count, codes: tokens.codes },
      base: chunkConfidence(item.source),
      createdAt,
      lastAccessAt: storedAt,
      accessCount: 0,
      // A document is kept until it is deleted.
      pinned: document !== undefined,
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
    ...(createdAt < storedAt ? { storedAt } : {}),
    textHash: document?.etag ?? textHash(item),
    ...(key === null ? {} : { key }),
    ...(document === undefined ? {} : { document }),
    entities: draftEntities(parts),
    facts,
    chunks,
    links: [],
  }
}

/** The same text of another time is another telling; under a key all that the item says counts. */
export function textHash(item: IngestItem): string {
  const { text, occurredAt = null } = item
  const hash = createHash('sha256').update(text).digest('hex')
  if (keyOf(item) !== null) {
    const { source, sessionId, metadata, speaker = null } = item
    const told = JSON.stringify([source, sessionId, metadata, speaker, occurredAt])
    return createHash('sha256').update(hash).update(told).digest('hex')
  }
  return occurredAt === null ? hash : `${hash} at ${occurredAt}`
}

/** The name under which an item takes the place of another one; null: it has none. */
export const keyOf = ({ externalId = null }: IngestItem) =>
  externalId === null ? null : externalKey(externalId)

/** The chunk that a fact's sentence begins in. */
function chunkAt(chunks: readonly Chunk[], at: number): ChunkId {
  const chunk = chunks.findLast(({ start }) => start <= at) ?? chunks[0]
  return chunk?.id ?? asChunkId('')
}

/** The sentence that a fact was read from. */
function evidenceOf({ text }: IngestItem, { start, end }: ExtractedFact): string {
  return text.slice(start, end)
}

/**
 * What has to be embedded beside the chunks: the names of new entities, and for a text of several chunks the sentences of
 * its facts. Of a text that is one chunk, facts have its vector: a sentence in its context says more than alone.
 */
export function textsToEmbed({
  item,
  read,
  facts,
  entities,
}: Pick<DraftParts, 'item' | 'read' | 'facts' | 'entities'>): ReadonlySet<string> {
  const names = entities.filter(({ known }) => known === null).map(({ name }) => name)
  const told = read.chunks.length === 1 ? [] : facts.filter(({ hypothetical }) => !hypothetical)
  return new Set([...names, ...told.map((fact) => evidenceOf(item, fact))])
}

/** The facts of a text, each once. */
function draftFacts(parts: DraftParts, chunkOf: (at: number) => ChunkId): readonly FactDraft[] {
  const names = nameTable(parts.entities)
  const drafts = new Map<string, FactDraft>()
  for (const fact of parts.facts) {
    if (!isStored(fact, parts.item.source) || drafts.size >= factsPerText) continue
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
  { item, read, newId, vectorOf }: DraftParts,
  fact: ExtractedFact,
  nodeOf: (name: string) => NamedNode | null,
  chunkId: ChunkId,
): FactDraft | null {
  const subject = nodeOf(fact.subject)
  const object = nodeOf(fact.object)
  if (subject === null || object === null || subject.key === object.key || fact.relation === '') return null
  const slot = slotOf(fact.relation, object.key)
  const evidence = evidenceOf(item, fact)
  const [whole, ...others] = read.chunks
  return {
    id: asRelationshipId(newId()),
    chunkId,
    subjectKey: subject.key,
    relation: fact.relation,
    objectKey: object.key,
    slot: fact.future === true ? besideSlot({ slot, objectKey: object.key }) : slot,
    negated: fact.negated,
    ended: fact.ended,
    fact: factText({ ...fact, subject: subject.name, object: object.name }),
    evidence,
    extraction: fact.confidence,
    base: factConfidence(item.source, fact.confidence),
    when: fact.when,
    vector: whole !== undefined && others.length === 0 ? whole.vector : vectorOf(evidence),
  }
}

/** One draft a node; two names of one node are merged. */
function draftEntities({ entities, vectorOf }: DraftParts): readonly EntityDraft[] {
  const drafts = new Map<string, EntityDraft>()
  for (const { key, name, type, aliases, known } of entities) {
    const before = drafts.get(key)
    drafts.set(key, {
      key,
      name: before?.name ?? name,
      type: before === undefined || before.type === 'concept' ? type : before.type,
      aliases: [...new Set([...(before?.aliases ?? []), ...aliases])],
      vector: before?.vector ?? known?.vector ?? vectorOf(name),
    })
  }
  return [...drafts.values()]
}

/** The entities that the facts to store speak of; a name that the extractor did not list is a concept. */
export function entitiesOf({ facts, entities }: Extraction, source: Source): readonly ExtractedEntity[] {
  const listed = new Map(entities.map((entity) => [canonicalKey(entity.name), entity]))
  const names = new Map<string, ExtractedEntity>()
  for (const fact of facts) {
    const { subject, object } = fact
    if (!isStored(fact, source)) continue
    for (const name of [subject, object]) {
      const key = canonicalKey(name)
      if (key !== '')
        names.set(key, names.get(key) ?? listed.get(key) ?? { name, type: 'concept', aliases: [] })
    }
    const named = names.get(canonicalKey(subject))
    if (named !== undefined && fact.relation === 'has_name' && !fact.negated && !fact.ended)
      names.set(canonicalKey(subject), { ...named, called: [...(named.called ?? []), object] })
  }
  return [...names.values()]
}
