import type { Namespace } from '../../core/ids.ts'
import { leansOnBefore } from '../../core/leaning.ts'
import { dot, type Vector } from '../../core/vectors.ts'
import { embedTexts } from '../embed.ts'
import type { BatchReply, BatchResult, IngestItem } from '../memory.ts'
import type { ExtractedEntity } from '../ports.ts'
import { isRepetition } from './dedupe/find-duplicate.ts'
import { entitiesOf } from './draft.ts'
import { extractAll, toldBefore } from './extract.ts'
import { type IngestParts, ingestPassage, type Passage, passageOf, readPassage } from './ingest.ts'
import { readTexts } from './read-text.ts'
import { batchReply, failedResult } from './reply.ts'
import { toldLast } from './working.ts'

/** Texts that are read together: small, so that the first are stored while the others are read. */
const sliceLength = 8

/** Slices whose facts are read together: names are short, and many of one length cost the embedder little more than one. */
const slicesOfFacts = 4

/** Calls of each kind that a model has at a time: it never idles, and others need not wait for a whole batch. */
const callsAtOnce = 2

/**
 * Ingests items in order, so that a later one can repeat or replace an earlier one. Embedding, extraction and storing
 * go on side by side, each on another slice; every item is stored on its own, whole or not at all, and one that fails does
 * not touch the others. An abort ends the batch with the items that are stored so far.
 */
export async function ingestBatch(
  parts: IngestParts,
  namespace: Namespace,
  items: readonly IngestItem[],
  signal?: AbortSignal,
): Promise<BatchReply> {
  const started = parts.milliseconds()
  const results: BatchResult[] = []
  const notices: string[] = []
  const earlier: Passage[] = []
  const slices = divide(items, sliceLength)
  const reads = readAhead(parts, namespace, slices, signal)
  for (const [at, slice] of slices.entries()) {
    const passages = await reads[at]
    for (const [index, item] of slice.entries()) {
      try {
        const ahead = passages?.[index]
        const passage =
          ahead === undefined ? await readPassage(parts, namespace, item, signal) : settled(ahead, earlier)
        const { reply, notice } = await ingestPassage(parts, namespace, passage, signal)
        results.push(reply)
        if (notice !== null) notices.push(notice)
        earlier.push(passage)
      } catch (error) {
        signal?.throwIfAborted()
        results.push(failedResult(error))
      }
    }
  }
  return batchReply(results, notices, parts.milliseconds() - started)
}

/** A passage read ahead of its turn: whether it repeated a stored text then. */
interface ReadAhead extends Passage {
  readonly wasDuplicate: boolean
}

/**
 * Vectors, facts and entity names of the slices, one after the other at each model. Null for a slice that cannot be read
 * as a whole: it is then read item by item, so that one bad text does not fail its neighbours.
 */
function readAhead(
  parts: IngestParts,
  namespace: Namespace,
  slices: readonly (readonly IngestItem[])[],
  signal?: AbortSignal,
): readonly Promise<readonly ReadAhead[] | null>[] {
  const all = slices.flat()
  const facts = inTurn(divide(slices, slicesOfFacts), async (several) => {
    const items = several.flat()
    const before = await Promise.all(items.map((item) => leadOf(parts, namespace, all, item)))
    const extracted = await extractAll(parts, items, parts.clock.now(), before, signal)
    const entities = extracted.flatMap((one, at) => entitiesOf(one, items[at]?.source ?? 'user'))
    const names = await namesOf(parts, namespace, entities, signal)
    return { extractions: divide(extracted, sliceLength), names }
  })
  const passages = inTurn(slices, async (items) => {
    const texts = items.map(({ text }) => text)
    const reads = await readTexts(parts.embedder, texts, signal)
    const alone = reads.flatMap((read, at) => {
      const item = items[at]
      return item === undefined ? [] : [passageOf(parts, namespace, { item, read }, signal)]
    })
    return { alone, duplicates: await Promise.all(alone.map(({ duplicate }) => duplicate())) }
  })
  return slices.map(async (_, at) => {
    const [found, read] = await Promise.all([facts[Math.floor(at / slicesOfFacts)], passages[at]])
    if (!found || !read) return null
    const extractions = found.extractions[at % slicesOfFacts]
    return read.alone.map((passage, index) => {
      const extraction = extractions?.[index]
      return {
        ...passage,
        names: found.names,
        wasDuplicate: read.duplicates[index] !== null,
        extraction: extraction === undefined ? passage.extraction : async () => extraction,
      }
    })
  })
}

/** What an item may lean on: the one before it in the batch, or what its session was told before the batch. */
async function leadOf(
  { stores, clock }: IngestParts,
  namespace: Namespace,
  all: readonly IngestItem[],
  item: IngestItem,
): Promise<string | null> {
  if (!leansOnBefore(item.text)) return null
  return toldBefore(all, all.indexOf(item)) ?? toldLast(stores, namespace, item, clock.now())
}

export function divide<T>(things: readonly T[], length: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(things.length / length) }, (_, at) =>
    things.slice(at * length, (at + 1) * length),
  )
}

/** Works on each as soon as few enough before it are unfinished; null for one that fails. */
function inTurn<T, R>(things: readonly T[], work: (thing: T) => Promise<R>): readonly Promise<R | null>[] {
  const started: Promise<R | null>[] = []
  for (const thing of things) {
    const turn = Promise.resolve(started.at(-callsAtOnce) ?? null)
    started.push(turn.then(() => work(thing)).catch(() => null))
  }
  return started
}

/** A text may repeat what was stored meanwhile, or that may have closed its duplicate's facts: only then look again. */
function settled(passage: ReadAhead, earlier: readonly Passage[]): Passage {
  const mustLook = passage.wasDuplicate || earlier.some((other) => mayRepeat(other, passage))
  return mustLook ? passage : { ...passage, duplicate: async () => null }
}

/** Whether deduplication would take the beginning of a text for a piece of one that came before it in the batch. */
function mayRepeat(earlier: Passage, later: Passage): boolean {
  if (earlier.item.persona !== later.item.persona) return false
  const [first] = later.read.chunks
  if (first === undefined) return false
  const text = later.item.text.slice(first.span.start, first.span.end)
  return earlier.read.chunks.some(({ span, vector }) => {
    const other = earlier.item.text.slice(span.start, span.end)
    return isRepetition(text, other, dot(vector, first.vector))
  })
}

/** For vectors alone: which node a name leads to is found when its item is stored. */
const noContext = { speaker: null, persona: null }

async function namesOf(
  parts: IngestParts,
  namespace: Namespace,
  entities: readonly ExtractedEntity[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, Vector>> {
  const resolved = await parts.resolver.resolve(namespace, entities, noContext)
  const names = new Set(resolved.filter(({ known }) => known === null).map(({ name }) => name))
  const vectorOf = await embedTexts(parts.embedder, names, { signal })
  return new Map([...names].map((name) => [name, vectorOf(name)]))
}
