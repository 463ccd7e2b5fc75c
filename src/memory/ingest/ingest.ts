import type { Clock } from '../../core/clock.ts'
import { ServiceError } from '../../core/errors.ts'
import type { ChunkId, Namespace, NewId } from '../../core/ids.ts'
import { dot, type Vector } from '../../core/vectors.ts'
import { embedTexts } from '../embed.ts'
import { type EntityResolver, newNames } from '../entities.ts'
import { documentKey } from '../keys.ts'
import { forgetAbstractions } from '../lifecycle/abstractions.ts'
import type { IngestItem, IngestReply } from '../memory.ts'
import type { Document, Embedder, Extraction, ItemWrite, MemoryStores, StatementRelation } from '../ports.ts'
import { relate } from '../relation/relate.ts'
import { trust } from '../slots.ts'
import { type Duplicate, findDuplicate } from './dedupe/find-duplicate.ts'
import { draftItem, entitiesOf, keyOf, textHash, textsToEmbed } from './draft.ts'
import { type ExtractParts, extractAll } from './extract.ts'
import { knownOf, learnedOf } from './learned.ts'
import { type ReadText, readTexts } from './read-text.ts'
import { repeatedReply, storedReply } from './reply.ts'
import type { TimeStamps } from './time-stamps.ts'
import { upgrade } from './upgrade.ts'
import { coolDown, toldLast, updateSession } from './working.ts'

export interface IngestParts extends ExtractParts {
  readonly stores: MemoryStores
  readonly embedder: Embedder
  readonly relation: StatementRelation
  readonly resolver: EntityResolver
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
  readonly duplicate: () => Promise<Duplicate | null>
  readonly extraction: () => Promise<Extraction>
  /** Vectors of entity names that are made already. */
  readonly names: ReadonlyMap<string, Vector>
  /** The document whose text it is: it takes the place of the one at its path. */
  readonly document?: Document
  /** In the place of how a text is related to what is known. */
  readonly relate?: (draft: ItemWrite) => Promise<ItemWrite>
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
  const { stores, clock } = parts
  return {
    item,
    read,
    duplicate: () =>
      keyOf(item) === null
        ? findDuplicate(stores, namespace, item, read)
        : unchangedItem(stores, namespace, item),
    extraction: async () => {
      const before = await toldLast(stores, namespace, item, clock.now())
      const [extraction] = await extractAll(parts, [item], clock.now(), [before], signal)
      if (extraction === undefined) throw new Error('the extractor gave nothing for a text')
      return extraction
    },
    names: noNames,
  }
}

/** The item of the same key when nothing about it has changed; null when there is none, or another one. */
async function unchangedItem(
  { episodic }: MemoryStores,
  namespace: Namespace,
  item: IngestItem,
): Promise<Duplicate | null> {
  const known = await episodic.keyed(namespace, item.persona, keyOf(item) ?? '')
  if (known === null || known.textHash !== textHash(item)) return null
  const chunks = await episodic.get(namespace, known.chunks)
  return { chunks: chunks.toSorted((a, b) => a.start - b.start), similarity: 1 }
}

/** What became of a text, and what the caller should know beside it. */
export interface Ingested {
  readonly reply: IngestReply
  readonly notice: string | null
  /** The chunk that holds it, or its first one; null for a document without a word. */
  readonly id: ChunkId | null
}

/**
 * The five steps of ingest, in the specification's order. Steps 3 and 4 are one write of the journal: graph and vectors
 * together or not at all, vectors visible last. An abort is heard up to that write; once it has begun, all is done.
 */
export async function ingestPassage(
  parts: IngestParts,
  namespace: Namespace,
  passage: Passage,
  signal?: AbortSignal,
): Promise<Ingested> {
  const started = parts.milliseconds()
  // 1. Deduplication
  const duplicate = await passage.duplicate()
  if (duplicate !== null) return repeat(parts, namespace, passage, { duplicate, started, signal })
  // 2. Graph extraction
  const extraction = await passage.extraction()
  const { item, read } = passage
  // 3. Semantic storage and 4. episodic storage
  const { write, names } = await draftPassage(parts, namespace, passage, extraction, signal)
  signal?.throwIfAborted()
  const receipt = await parts.stores.journal.remember(namespace, write)
  if (receipt.outcome === 'duplicate') {
    const duplicate = await storedMeanwhile(parts, namespace, passage, receipt.chunkId)
    return repeat(parts, namespace, passage, { duplicate, started, signal })
  }
  parts.resolver.invalidate(namespace, names)
  const { closed, removed = [] } = receipt
  if (removed.length > 0) await clearUp(parts, namespace)
  // 5. Working memory
  await coolDown(parts.stores.working, namespace, [...closed, ...removed])
  const { sessionId } = item
  const now = write.storedAt ?? write.createdAt
  const session = { sessionId, topic: read.topic, chunks: write.chunks, now }
  const { notice } = extraction
  const [workingMemoryUpdated, learned] = await Promise.all([
    updateSession(parts.stores, namespace, session),
    learnedOf(parts.stores, namespace, write, receipt),
  ])
  const reply = storedReply(
    { facts: receipt.facts, chunks: write.chunks.length, entities: receipt.entities },
    { notice, workingMemoryUpdated, latencyMs: parts.milliseconds() - started },
  )
  return { reply: { ...reply, ...learned }, notice, id: write.chunks[0]?.id ?? null }
}

/** The same text, stored since duplicates were looked for. Fails where it is gone again: a retry stores the text then. */
async function storedMeanwhile(
  { stores }: IngestParts,
  namespace: Namespace,
  { read }: Passage,
  id: ChunkId,
): Promise<Duplicate> {
  const [chunk] = await stores.episodic.get(namespace, [id])
  const [first] = read.chunks
  if (chunk === undefined || first === undefined) throw new ServiceError('store_unavailable')
  return { chunks: [chunk], similarity: dot(chunk.vector, first.vector) }
}

/** The item to write, related to what is known, the entities in it, and the names that it makes known. */
export async function draftPassage(
  parts: IngestParts,
  namespace: Namespace,
  passage: Passage,
  extraction: Extraction,
  signal?: AbortSignal,
) {
  const { item, read } = passage
  const entities = await parts.resolver.resolve(namespace, entitiesOf(extraction, item.source), {
    ...{ speaker: item.speaker ?? read.speaker, persona: item.persona },
  })
  const { newId, embedder, stamps } = parts
  const { document } = passage
  const draft = {
    ...{ item, read, facts: extraction.facts, entities, newId },
    ...(document === undefined ? {} : { document }),
  }
  const vectorOf = await embedTexts(embedder, textsToEmbed(draft), { made: passage.names, signal })
  const related = passage.relate ?? (await relation(parts, namespace, passage, signal))
  const write = await related(draftItem({ ...draft, vectorOf, storedAt: stamps() }))
  return { write, entities, names: newNames(entities) }
}

/** Relates an item; one that takes the place of another as if that had never been told. */
async function relation(
  parts: IngestParts,
  namespace: Namespace,
  { item, document }: Passage,
  signal: AbortSignal | undefined,
): Promise<NonNullable<Passage['relate']>> {
  const { episodic, graph } = parts.stores
  const key = document === undefined ? keyOf(item) : documentKey(document.path)
  const known = key === null ? null : await episodic.keyed(namespace, item.persona, key)
  const facts = known === null ? [] : await graph.factsOf(namespace, known.chunks)
  const without = new Set<string>([...(known?.chunks ?? []), ...facts.map(({ id }) => id)])
  const asIf = without.size === 0 ? {} : { without }
  return (draft) => relate({ episodic, graph, relation: parts.relation, ...asIf }, namespace, draft, signal)
}

/** What hung on removed memories alone goes with them. */
export async function clearUp(
  { stores: { graph }, resolver }: Pick<IngestParts, 'stores' | 'resolver'>,
  namespace: Namespace,
): Promise<void> {
  await forgetAbstractions(graph, namespace)
  await graph.removeOrphans(namespace)
  await graph.dropRoles(namespace)
  resolver.invalidate(namespace)
}

interface Repetition {
  readonly duplicate: Duplicate
  /** When the work on the text began. */
  readonly started: number
  readonly signal: AbortSignal | undefined
}

/** A time for what is told now: after the text that it repeats, whatever the clock says. */
const stampAfter = ({ stamps }: IngestParts, { chunks }: Duplicate) =>
  Math.max(stamps(), ...chunks.map(({ createdAt, replaced }) => Math.max(createdAt, replaced?.at ?? 0)))

/** The text is known: it counts as accessed, or is upgraded when the new source is more trusted. The session moves on. */
async function repeat(
  parts: IngestParts,
  namespace: Namespace,
  passage: Passage,
  { duplicate, started, signal }: Repetition,
): Promise<Ingested> {
  const { item, read } = passage
  const now = parts.clock.now()
  const isUpgrade = duplicate.chunks.some(({ source }) => trust[item.source] > trust[source])
  if (isUpgrade) {
    const extraction = await passage.extraction()
    const { write, names } = await draftPassage(parts, namespace, passage, extraction, signal)
    signal?.throwIfAborted()
    await upgrade(parts.stores, namespace, { draft: write, duplicate, now })
    parts.resolver.invalidate(namespace, names)
  } else {
    signal?.throwIfAborted()
    const ids = duplicate.chunks.map(({ id }) => id)
    // The same under the same key again is no new telling.
    const isNamed = keyOf(item) !== null || passage.document !== undefined
    const { occurredAt = null } = item
    const said = occurredAt === null ? stampAfter(parts, duplicate) : Math.min(occurredAt, now)
    const told = isNamed ? undefined : said
    await parts.stores.episodic.touch(namespace, ids, now, told)
    const facts = await parts.stores.graph.factsOf(namespace, ids)
    await parts.stores.graph.touch(
      namespace,
      facts.filter(({ closedAt }) => closedAt === null).map(({ id }) => id),
      now,
      told,
    )
  }
  // The new text's vectors are as good: its chunks repeat the stored ones in the same order.
  const chunks = duplicate.chunks.map((chunk, at) => ({
    ...chunk,
    vector: read.chunks[at]?.vector ?? read.topic,
  }))
  const session = { sessionId: item.sessionId, topic: read.topic, chunks, now }
  const reply = repeatedReply(duplicate.similarity, isUpgrade, {
    notice: null,
    workingMemoryUpdated: await updateSession(parts.stores, namespace, session),
    latencyMs: parts.milliseconds() - started,
  })
  const known = await knownOf(
    parts.stores,
    namespace,
    duplicate.chunks.map(({ id }) => id),
  )
  return { reply: { ...reply, ...known }, notice: null, id: duplicate.chunks[0]?.id ?? null }
}
