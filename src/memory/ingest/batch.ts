import type { Namespace } from '../../core/ids.ts'
import { dot, type Vector } from '../../core/vectors.ts'
import type { BatchReply, BatchResult, IngestItem } from '../memory.ts'
import type { Extraction } from '../ports.ts'
import { duplicateOf } from './dedupe/find-twin.ts'
import { entitiesOf } from './draft.ts'
import { extractAll } from './extract.ts'
import {
  type IngestParts,
  ingestPassage,
  nameVectors,
  type Passage,
  passageOf,
  readPassage,
} from './ingest.ts'
import { readTexts } from './read-text.ts'
import { batchReply, failedResult } from './reply.ts'

/** Texts whose vectors and facts are made together: while they are stored, those of the next are made. */
const sliceLength = 50

/**
 * Ingests items in order, so that a later one can repeat or replace an earlier one. Embedding and extraction are
 * done for many of them together; each is then stored on its own, and one that fails does not touch the others.
 */
export async function ingestBatch(
  parts: IngestParts,
  namespace: Namespace,
  items: readonly IngestItem[],
  signal?: AbortSignal,
): Promise<BatchReply> {
  const started = parts.milliseconds()
  const results: BatchResult[] = []
  const earlier: Passage[] = []
  // A slice that cannot be read as a whole is read item by item, so that one bad text does not fail its neighbours.
  const read = (at: number) =>
    readTogether(parts, namespace, items.slice(at, at + sliceLength), signal).catch(() => null)
  let next = read(0)
  for (let at = 0; at < items.length; at += sliceLength) {
    const passages = await next
    if (at + sliceLength < items.length) next = read(at + sliceLength)
    for (const [index, item] of items.slice(at, at + sliceLength).entries()) {
      try {
        signal?.throwIfAborted()
        const ahead = passages?.[index]
        const passage =
          ahead === undefined
            ? await readPassage(parts, namespace, item, signal)
            : settled(parts, ahead, earlier)
        results.push(await ingestPassage(parts, namespace, passage))
        earlier.push(passage)
      } catch (error) {
        results.push(failedResult(error))
      }
    }
  }
  return batchReply(results, parts.milliseconds() - started)
}

/** A passage read ahead of its turn: whether it had a twin then. */
interface ReadAhead extends Passage {
  readonly hadTwin: boolean
}

/** Vectors, facts and entity names of some items, with one call of each model. */
async function readTogether(
  parts: IngestParts,
  namespace: Namespace,
  items: readonly IngestItem[],
  signal?: AbortSignal,
): Promise<readonly ReadAhead[]> {
  const texts = items.map(({ text }) => text)
  const [reads, extracted] = await Promise.all([
    readTexts(parts.embedder, texts, signal),
    extractAll(parts, items, parts.clock.now(), signal),
  ])
  const alone = reads.flatMap((read, at) => {
    const item = items[at]
    return item === undefined ? [] : [passageOf(parts, namespace, { item, read }, signal)]
  })
  const [twins, names] = await Promise.all([
    Promise.all(alone.map(({ twin }) => twin())),
    namesOf(parts, namespace, extracted, signal),
  ])
  return alone.map((passage, at) => {
    const extraction = extracted[at]
    return {
      ...passage,
      names,
      hadTwin: twins[at] !== null,
      extraction: extraction === undefined ? passage.extraction : async () => extraction,
    }
  })
}

/** What was stored meanwhile may repeat a text, or replace the facts of its twin: only then is it looked for again. */
function settled(parts: IngestParts, passage: ReadAhead, earlier: readonly Passage[]): Passage {
  const mustLook = passage.hadTwin || earlier.some((other) => mayRepeat(parts, other, passage))
  return mustLook ? passage : { ...passage, twin: async () => null }
}

/** Whether deduplication would take the beginning of a text for a piece of one that came before it in the batch. */
function mayRepeat({ knowsWord }: IngestParts, earlier: Passage, later: Passage): boolean {
  if (earlier.item.persona !== later.item.persona) return false
  const [first] = later.read.chunks
  if (first === undefined) return false
  const text = later.item.text.slice(first.span.start, first.span.end)
  return earlier.read.chunks.some(({ span, vector }) => {
    const other = earlier.item.text.slice(span.start, span.end)
    return duplicateOf(text, other, dot(vector, first.vector), knowsWord) !== null
  })
}

async function namesOf(
  parts: IngestParts,
  namespace: Namespace,
  extractions: readonly Extraction[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, Vector>> {
  const resolved = await parts.resolver.resolve(namespace, extractions.flatMap(entitiesOf), null)
  const vectorOf = await nameVectors(parts.embedder, resolved, new Map(), signal)
  return new Map(resolved.filter(({ known }) => known === null).map(({ name }) => [name, vectorOf(name)]))
}
