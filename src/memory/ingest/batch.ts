import type { Namespace } from '../../core/ids.ts'
import { dot, type Vector } from '../../core/vectors.ts'
import type { BatchReply, BatchResult, IngestItem } from '../memory.ts'
import type { Extraction } from '../ports.ts'
import { duplicateSimilarity } from './dedupe/find-twin.ts'
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

/**
 * Ingests items in order, so that a later one can repeat or replace an earlier one. Embedding and extraction are
 * done for all of them together; each is then stored on its own, and one that fails does not touch the others.
 */
export async function ingestBatch(
  parts: IngestParts,
  namespace: Namespace,
  items: readonly IngestItem[],
  signal?: AbortSignal,
): Promise<BatchReply> {
  const started = parts.milliseconds()
  const passages = await readTogether(parts, namespace, items, signal).catch((error: unknown) => {
    signal?.throwIfAborted()
    if (items.length === 1) throw error
    return null
  })
  const results: BatchResult[] = []
  for (const [at, item] of items.entries()) {
    try {
      signal?.throwIfAborted()
      const passage = passages?.[at] ?? (await readPassage(parts, namespace, item, signal))
      results.push(await ingestPassage(parts, namespace, passage))
    } catch (error) {
      results.push(failedResult(error))
    }
  }
  return batchReply(results, parts.milliseconds() - started)
}

/** Vectors, facts and entity names of all items, with one call of each model. */
async function readTogether(
  parts: IngestParts,
  namespace: Namespace,
  items: readonly IngestItem[],
  signal?: AbortSignal,
): Promise<readonly Passage[]> {
  const reads = await readTexts(
    parts.embedder,
    items.map(({ text }) => text),
    signal,
  )
  const alone = reads.flatMap((read, at) => {
    const item = items[at]
    return item === undefined ? [] : [passageOf(parts, namespace, { item, read }, signal)]
  })
  const twins = await Promise.all(alone.map(({ twin }) => twin()))
  const fresh = alone.filter((_, at) => twins[at] === null)
  const extracted = await extractAll(
    parts,
    fresh.map(({ item }) => item),
    parts.clock.now(),
    signal,
  )
  const extractions = new Map(fresh.map((passage, at) => [passage, extracted[at]]))
  const names = await namesOf(parts, namespace, extracted)
  return alone.map((passage, at): Passage => {
    const extraction = extractions.get(passage)
    // What was stored meanwhile may repeat a text, or replace the facts of its twin: then it is looked for again.
    const mustLook = twins[at] !== null || alone.slice(0, at).some((other) => mayRepeat(other, passage))
    return {
      ...passage,
      names,
      twin: mustLook ? passage.twin : async () => null,
      extraction: extraction === undefined ? passage.extraction : async () => extraction,
    }
  })
}

/** Two texts of one batch that deduplication would compare, once the first is stored. */
function mayRepeat(earlier: Passage, later: Passage): boolean {
  if (earlier.item.persona !== later.item.persona) return false
  const [first] = later.read.chunks
  return earlier.read.chunks.some(
    ({ vector }) => first !== undefined && dot(vector, first.vector) >= nearlyDuplicate,
  )
}

/** A little below the threshold, because stores may round. */
const nearlyDuplicate = duplicateSimilarity - 0.01

async function namesOf(
  parts: IngestParts,
  namespace: Namespace,
  extractions: readonly Extraction[],
): Promise<ReadonlyMap<string, Vector>> {
  const resolved = await Promise.all(
    extractions.map((extraction) => parts.resolver.resolve(namespace, entitiesOf(extraction), null)),
  )
  const vectorOf = await nameVectors(parts.embedder, resolved, new Map())
  const names = resolved.flat().filter(({ known }) => known === null)
  return new Map(names.map(({ name }) => [name, vectorOf(name)]))
}
