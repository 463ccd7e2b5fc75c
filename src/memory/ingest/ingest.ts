import type { Clock } from '../../core/clock.ts'
import type { Namespace, NewId } from '../../core/ids.ts'
import type { Vector } from '../../core/vectors.ts'
import { type EntityResolver, newNames, type ResolvedEntity } from '../entities.ts'
import type { IngestItem, IngestReply } from '../memory.ts'
import type { Embedder, Extraction, MemoryStores } from '../ports.ts'
import { trust } from '../slots.ts'
import { withChanges } from './changes.ts'
import { findTwin, type Twin } from './dedupe/find-twin.ts'
import type { Comparison } from './dedupe/same-statement.ts'
import { draftItem, entitiesOf } from './draft.ts'
import { type ExtractParts, extractAll } from './extract.ts'
import { type ReadText, readTexts } from './read-text.ts'
import { repeatedReply, storedReply } from './reply.ts'
import type { TimeStamps } from './time-stamps.ts'
import { upgrade } from './upgrade.ts'
import { coolDown, updateSession } from './working.ts'

export interface IngestParts extends ExtractParts {
  readonly stores: MemoryStores
  readonly embedder: Embedder
  readonly resolver: EntityResolver
  /** Tells repetitions from news. */
  readonly compare: Comparison
  readonly clock: Clock
  readonly stamps: TimeStamps
  readonly newId: NewId
  /** Monotonic, for latencies. */
  readonly milliseconds: () => number
}

/** A text with its vectors, and ways to what the steps need of it. A batch answers them from work done for all. */
export interface Passage {
  readonly item: IngestItem
  readonly read: ReadText
  readonly twin: () => Promise<Twin | null>
  readonly extraction: () => Promise<Extraction>
  /** Vectors of entity names that are made already. */
  readonly names: ReadonlyMap<string, Vector>
}

const noNames: ReadonlyMap<string, Vector> = new Map()

/** Embeds one text and leaves the rest to the steps, so that a repeated text costs no extraction. */
export async function readPassage(
  parts: IngestParts,
  namespace: Namespace,
  item: IngestItem,
  signal?: AbortSignal,
): Promise<Passage> {
  const [read] = await readTexts(parts.embedder, [item.text], signal)
  if (read === undefined) throw new Error('the embedder gave no vector for a text')
  return passageOf(parts, namespace, { item, read }, signal)
}

/** A text whose steps do their own work when their turn comes. */
export function passageOf(
  parts: IngestParts,
  namespace: Namespace,
  { item, read }: Pick<Passage, 'item' | 'read'>,
  signal?: AbortSignal,
): Passage {
  const { stores, compare, clock } = parts
  return {
    item,
    read,
    twin: () => findTwin({ episodic: stores.episodic, graph: stores.graph, compare }, namespace, item, read),
    extraction: async () => {
      const [extraction] = await extractAll(parts, [item], clock.now(), signal)
      return extraction ?? { facts: [], entities: [], notice: null }
    },
    names: noNames,
  }
}

/** What became of a text, and what the caller should know beside it. */
export interface Ingested {
  readonly reply: IngestReply
  readonly notice: string | null
}

/**
 * The five steps of ingest, in the specification's order. Steps 3 and 4 are one write of the journal: graph and vectors
 * together or not at all, vectors visible last.
 */
export async function ingestPassage(
  parts: IngestParts,
  namespace: Namespace,
  passage: Passage,
): Promise<Ingested> {
  const started = parts.milliseconds()
  // 1. Deduplication
  const twin = await passage.twin()
  if (twin !== null) return repeat(parts, namespace, passage, twin, started)
  // 2. Graph extraction
  const extracted = await passage.extraction()
  const { item, read } = passage
  const extraction = await withChanges(parts.stores.graph, namespace, {
    item,
    extraction: extracted,
    vector: read.topic,
  })
  // 3. Semantic storage and 4. episodic storage
  const { write, names } = await draftPassage(parts, namespace, passage, extraction)
  const receipt = await parts.stores.journal.remember(namespace, write)
  if (receipt.outcome === 'duplicate') {
    const chunks = await parts.stores.episodic.get(namespace, [receipt.chunkId])
    return repeat(parts, namespace, passage, { chunks, similarity: 1 }, started)
  }
  parts.resolver.invalidate(namespace, names)
  // 5. Working memory
  await coolDown(parts.stores.working, namespace, receipt.closed)
  const { sessionId } = item
  const session = { sessionId, topic: read.topic, chunks: write.chunks, now: write.createdAt }
  const { notice } = extraction
  const reply = storedReply(
    { facts: receipt.facts, chunks: write.chunks.length, entities: receipt.entities },
    {
      notice,
      workingMemoryUpdated: await updateSession(parts.stores, namespace, session),
      latencyMs: parts.milliseconds() - started,
    },
  )
  return { reply, notice }
}

/** The item to write, and the names that it makes known. */
async function draftPassage(
  parts: IngestParts,
  namespace: Namespace,
  passage: Passage,
  extraction: Extraction,
) {
  const { item, read } = passage
  const entities = await parts.resolver.resolve(namespace, entitiesOf(extraction), {
    ...{ speaker: read.speaker, persona: item.persona },
  })
  const nameVector = await nameVectors(parts.embedder, entities, passage.names)
  const { facts } = extraction
  const { newId } = parts
  const write = draftItem({ item, read, facts, entities, nameVector, createdAt: parts.stamps(), newId })
  return { write, names: newNames(entities) }
}

/** Embeds the names of entities that are new, in one call; the others have their vectors. */
export async function nameVectors(
  embedder: Embedder,
  entities: readonly ResolvedEntity[],
  made: ReadonlyMap<string, Vector>,
  signal?: AbortSignal,
): Promise<(name: string) => Vector> {
  const names = new Set(entities.filter(({ known }) => known === null).map(({ name }) => name))
  const missing = [...names].filter((name) => !made.has(name))
  const vectors = missing.length === 0 ? [] : await embedder.embed(missing, signal)
  const found = new Map(missing.map((name, at) => [name, vectors[at]]))
  return (name) => made.get(name) ?? found.get(name) ?? new Float32Array(embedder.identity.dimensions)
}

/** The text is known: it counts as accessed, or is upgraded when the new source is more trusted. The session moves on. */
async function repeat(
  parts: IngestParts,
  namespace: Namespace,
  passage: Passage,
  twin: Twin,
  started: number,
): Promise<Ingested> {
  const { item, read } = passage
  const now = parts.clock.now()
  const isUpgrade = twin.chunks.some(({ source }) => trust[item.source] > trust[source])
  if (isUpgrade) {
    const extraction = await passage.extraction()
    const { write, names } = await draftPassage(parts, namespace, passage, extraction)
    await upgrade(parts.stores, namespace, { draft: write, twin, now })
    parts.resolver.invalidate(namespace, names)
  } else {
    const ids = twin.chunks.map(({ id }) => id)
    await parts.stores.episodic.touch(namespace, ids, now)
    const facts = await parts.stores.graph.factsOf(namespace, ids)
    await parts.stores.graph.touch(
      namespace,
      facts.filter(({ closedAt }) => closedAt === null).map(({ id }) => id),
      now,
    )
  }
  // The new text's vectors are as good: its chunks are the twins' in the same order.
  const chunks = twin.chunks.map((chunk, at) => ({ ...chunk, vector: read.chunks[at]?.vector ?? read.topic }))
  const session = { sessionId: item.sessionId, topic: read.topic, chunks, now }
  const reply = repeatedReply(twin.similarity, isUpgrade, {
    notice: null,
    workingMemoryUpdated: await updateSession(parts.stores, namespace, session),
    latencyMs: parts.milliseconds() - started,
  })
  return { reply, notice: null }
}
