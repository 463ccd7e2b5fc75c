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

/** Texts that are read together: small, so that the first are stored while the others are read. */
const sliceLength = 8

/** Slices whose facts are read together: names are short, and many of one length cost the embedder little more than one. */
const slicesOfFacts = 4

/** Calls of each kind that a model has at a time: it never idles, and others need not wait for a whole batch. */
const callsAtOnce = 2

/**
 * Ingests items in order, so that a later one can repeat or replace an earlier one. Embedding, extraction and storing
 * go on side by side, each on another slice; every item is stored on its own, and one that fails does not touch the others.
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
        signal?.throwIfAborted()
        const ahead = passages?.[index]
        const passage =
          ahead === undefined
            ? await readPassage(parts, namespace, item, signal)
            : settled(parts, ahead, earlier)
        const { reply, notice } = await ingestPassage(parts, namespace, passage)
        results.push(reply)
        if (notice !== null) notices.push(notice)
        earlier.push(passage)
      } catch (error) {
        results.push(failedResult(error))
      }
    }
  }
  return batchReply(results, notices, parts.milliseconds() - started)
}

/** A passage read ahead of its turn: whether it had a twin then. */
interface ReadAhead extends Passage {
  readonly hadTwin: boolean
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
  const facts = inTurn(divide(slices, slicesOfFacts), async (several) => {
    const extracted = await extractAll(parts, several.flat(), parts.clock.now(), signal)
    const names = await namesOf(parts, namespace, extracted, signal)
    return { extractions: divide(extracted, sliceLength), names }
  })
  const passages = inTurn(slices, async (items) => {
    const texts = items.map(({ text }) => text)
    const reads = await readTexts(parts.embedder, texts, signal)
    const alone = reads.flatMap((read, at) => {
      const item = items[at]
      return item === undefined ? [] : [passageOf(parts, namespace, { item, read }, signal)]
    })
    return { alone, twins: await Promise.all(alone.map(({ twin }) => twin())) }
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
        hadTwin: read.twins[index] !== null,
        extraction: extraction === undefined ? passage.extraction : async () => extraction,
      }
    })
  })
}

function divide<T>(things: readonly T[], length: number): readonly (readonly T[])[] {
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

/** What was stored meanwhile may repeat a text, or replace the facts of its twin: only then is it looked for again. */
function settled(parts: IngestParts, passage: ReadAhead, earlier: readonly Passage[]): Passage {
  const mustLook = passage.hadTwin || earlier.some((other) => mayRepeat(parts, other, passage))
  return mustLook ? passage : { ...passage, twin: async () => null }
}

/** Whether deduplication would take the beginning of a text for a piece of one that came before it in the batch. */
function mayRepeat({ compare }: IngestParts, earlier: Passage, later: Passage): boolean {
  if (earlier.item.persona !== later.item.persona) return false
  const [first] = later.read.chunks
  if (first === undefined) return false
  const text = later.item.text.slice(first.span.start, first.span.end)
  return earlier.read.chunks.some(({ span, vector }) => {
    const other = earlier.item.text.slice(span.start, span.end)
    return duplicateOf(text, other, dot(vector, first.vector), compare) !== null
  })
}

/** For vectors alone: which node a name leads to is found when its item is stored. */
const noContext = { speaker: null, persona: null }

async function namesOf(
  parts: IngestParts,
  namespace: Namespace,
  extractions: readonly Extraction[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, Vector>> {
  const resolved = await parts.resolver.resolve(namespace, extractions.flatMap(entitiesOf), noContext)
  const vectorOf = await nameVectors(parts.embedder, resolved, new Map(), signal)
  return new Map(resolved.filter(({ known }) => known === null).map(({ name }) => [name, vectorOf(name)]))
}
