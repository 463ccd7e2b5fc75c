import { invalidField } from '../core/errors.ts'
import { asChunkId, asRelationshipId, type ChunkId, type Namespace } from '../core/ids.ts'
import { type IngestParts, ingestPassage, readPassage } from './ingest/ingest.ts'
import { coolDown } from './ingest/working.ts'
import { get, type ListParts } from './list.ts'
import type { Correction, CorrectRequest, IngestItem, MemoryRecord } from './memory.ts'
import type { Chunk } from './model.ts'
import type { Fact, ItemWrite } from './ports.ts'
import * as certainty from './relation/certainty.ts'
import { relate } from './relation/relate.ts'

export interface CorrectParts extends ListParts {
  readonly ingestion: IngestParts
}

/** What is corrected: a text with the facts read from it, or one fact alone. */
interface Target {
  readonly about: Pick<Chunk, 'persona' | 'sessionId' | 'metadata' | 'pinned' | 'createdAt'>
  readonly id: string
  /** Null of a fact. */
  readonly text: string | null
  /** The text that told it. */
  readonly from: ChunkId
  /** The text that is out of date; null: only the fact is. */
  readonly older: ChunkId | null
  readonly facts: readonly Fact[]
  /** The sentences that are corrected. */
  readonly told: ReadonlySet<string>
  /** All that was wrong: what it had closed is settled as if it had never been told. */
  readonly wrong: ReadonlySet<string>
}

/**
 * Stores a text as the user's word in the place of a memory, all or nothing, as ingest does. The corrected memory stays,
 * with what replaced it: a chunk closes with its facts, except those that the new text tells again; a fact closes alone,
 * and its text with it where it told nothing else. What the corrected memory had closed is open again unless the new text
 * closes it. Of a text that was corrected already the last correction is corrected, and told again changes nothing. Null
 * when there is no such memory.
 */
export async function correct(
  parts: CorrectParts,
  namespace: Namespace,
  { id: named, text, pinned, occurredAt = null }: CorrectRequest,
  signal?: AbortSignal,
): Promise<Correction | null> {
  const id = await lastEdition(parts, namespace, named)
  const target = await targetOf(parts, namespace, id)
  if (target === null) return null
  if (id !== named && target.text === text) {
    const memory = pinned === null ? await get(parts, namespace, id) : await pin(parts, namespace, id, pinned)
    return memory === null ? null : { id, replaced: named, memory }
  }
  if (occurredAt !== null && occurredAt < target.about.createdAt)
    throw invalidField('occurred_at', 'occurred_at must not be before the memory that is corrected was told')
  const { ingestion, graph } = parts
  const { persona, sessionId, metadata } = target.about
  const item: IngestItem = {
    ...{ text, persona, sessionId, metadata, occurredAt, source: 'user', useLlmExtraction: false },
  }
  const passage = await readPassage(ingestion, namespace, item, signal)
  const { id: chunk } = await ingestPassage(ingestion, namespace, {
    ...passage,
    // A correction to what is known elsewhere still corrects this.
    duplicate: async () => null,
    relate: async (draft) => {
      const related = await relate(
        { ...ingestion.stores, relation: ingestion.relation, without: target.wrong, wrong: target.told },
        namespace,
        draft,
        signal,
      )
      return corrected(related, target, pinned ?? target.about.pinned)
    },
  })
  // Who was called somebody's sister in what was wrong may be none.
  if (target.facts.some(({ relation }) => relation.startsWith('has_'))) {
    await graph.dropRoles(namespace)
    ingestion.resolver.invalidate(namespace)
  }
  if (target.older !== null) await coolDown(ingestion.stores.working, namespace, [target.older])
  const memory = chunk === null ? null : await get(parts, namespace, chunk)
  return chunk === null || memory === null ? null : { id: chunk, replaced: id, memory }
}

async function targetOf(parts: CorrectParts, namespace: Namespace, id: string): Promise<Target | null> {
  const { graph, episodic } = parts
  const isOpen = ({ closedAt }: Fact) => closedAt === null
  const [chunk] = await episodic.get(namespace, [asChunkId(id)])
  if (chunk !== undefined) {
    const { facts, wrong } = await wrongWith(parts, namespace, chunk.id)
    const open = facts.filter(isOpen)
    const told = new Set([chunk.text, ...open.map(({ evidence }) => evidence)])
    return { id, text: chunk.text, from: chunk.id, about: chunk, older: chunk.id, facts: open, told, wrong }
  }
  const [fact] = await graph.get(namespace, [asRelationshipId(id)])
  if (fact === undefined) return null
  const [read, [text]] = await Promise.all([
    graph.factsOf(namespace, [fact.chunkId]),
    episodic.get(namespace, [fact.chunkId]),
  ])
  // A text may have told again what an earlier one told: that fact is the earlier one's, and only counted here.
  const isAlone = read.every((other) => other.id === fact.id) && (text?.factCount ?? 1) <= 1
  return {
    ...{ id, text: null, from: fact.chunkId, about: fact, older: isAlone ? fact.chunkId : null },
    ...{ facts: [fact].filter(isOpen), told: new Set([fact.evidence]) },
    wrong: isAlone ? (await wrongWith(parts, namespace, fact.chunkId)).wrong : new Set([id]),
  }
}

/** What a memory was corrected to at last; itself where it was not. */
async function lastEdition(parts: CorrectParts, namespace: Namespace, id: string): Promise<string> {
  const { episodic } = parts
  const editions = new Set([(await correctionOf(parts, namespace, id)) ?? asChunkId(id)])
  for (const one of editions) {
    for (const { newer, older, probability } of await episodic.links(namespace, one))
      if (older === one && probability === certainty.corrected) editions.add(newer)
  }
  return [...editions].at(-1) ?? id
}

/**
 * The text that a fact was corrected to alone: what closed it later, though nothing links the two texts. Null where it was
 * not corrected, and of a text.
 */
async function correctionOf(
  { graph, episodic }: CorrectParts,
  namespace: Namespace,
  id: string,
): Promise<ChunkId | null> {
  const [fact] = await graph.get(namespace, [asRelationshipId(id)])
  if (fact === undefined || fact.closer === null) return null
  const [by] = await graph.get(namespace, [asRelationshipId(fact.closer)])
  const [text] = await episodic.get(namespace, [by?.chunkId ?? asChunkId(fact.closer)])
  if (text === undefined || text.id === fact.chunkId || text.createdAt < fact.createdAt) return null
  const links = await episodic.links(namespace, text.id)
  const link = links.find(({ older }) => older === fact.chunkId)
  return link === undefined || link.probability === certainty.corrected ? text.id : null
}

/** What is wrong with a text: its facts, and all that was corrected to it, with theirs: it may have told them again. */
async function wrongWith({ graph, episodic }: CorrectParts, namespace: Namespace, text: ChunkId) {
  const texts = new Set([text])
  for (const one of texts) {
    for (const { newer, older, probability } of await episodic.links(namespace, one))
      if (newer === one && probability === certainty.corrected) texts.add(older)
  }
  const facts = await graph.factsOf(namespace, [...texts])
  return { facts, wrong: new Set<string>([...texts, ...facts.map(({ id }) => id)]) }
}

/** The item with its link to what it corrects, as the surest of all. */
function corrected(item: ItemWrite, { id, from, older, facts, wrong }: Target, pinned: boolean): ItemWrite {
  const [first] = item.chunks
  if (first === undefined) return item
  const others = item.links
    .filter((link) => link.older === null || link.older !== older)
    // A fact that is corrected alone says nothing of the rest of its text.
    .map((link) => (link.older === from && older === null ? { ...link, older } : link))
  const closes = [
    ...new Set([
      ...facts.map((fact) => fact.id),
      ...item.links.filter((link) => link.older === older).flatMap((link) => link.closes),
    ]),
  ]
  const link = { newer: first.id, older, kind: 'replaces', probability: certainty.corrected, closes } as const
  return {
    ...item,
    // The same correction told again is known; the same text told elsewhere is no correction.
    textHash: `${item.textHash} for ${id}`,
    chunks: item.chunks.map((chunk) => ({ ...chunk, pinned })),
    links: [...others, link],
    undoes: [...wrong],
  }
}

/** Keeps a memory from fading, or no longer. Null when there is none with this id. */
export async function pin(
  parts: ListParts,
  namespace: Namespace,
  id: string,
  pinned: boolean,
): Promise<MemoryRecord | null> {
  const { graph, episodic } = parts
  const isThere =
    (await episodic.pin(namespace, asChunkId(id), pinned)) ||
    (await graph.pin(namespace, asRelationshipId(id), pinned))
  return isThere ? get(parts, namespace, id) : null
}
