import { ServiceError } from '../../core/errors.ts'
import type { BatchReply, BatchResult, IngestReply } from '../memory.ts'
import type { Duplicate } from './dedupe/find-duplicate.ts'

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

export interface StoredCounts {
  readonly facts: number
  readonly chunks: number
  readonly entities: number
}

interface Surroundings {
  readonly notice: string | null
  readonly workingMemoryUpdated: boolean
  readonly latencyMs: number
}

/** The counts of a stored text, and a sentence of them. */
export function storedReply({ facts, chunks, entities }: StoredCounts, around: Surroundings): IngestReply {
  return {
    factsIngested: facts,
    episodicChunks: chunks,
    entitiesExtracted: entities,
    triplesExtracted: facts,
    workingMemoryUpdated: around.workingMemoryUpdated,
    msg: sentences(countsSentence({ facts, chunks, entities }), around),
    latencyMs: around.latencyMs,
    deduplicated: false,
  }
}

/** A text that was not stored again: every count is 0, and the sentence says why. */
export function repeatedReply(
  similarity: Duplicate['similarity'],
  upgraded: boolean,
  around: Surroundings,
): IngestReply {
  const cosine = similarity.toFixed(2)
  const what = upgraded
    ? `The stored memory was upgraded: a more trusted source repeated it (similarity ${cosine}).`
    : `Skipped as a near-duplicate of a stored memory (similarity ${cosine}).`
  return {
    factsIngested: 0,
    episodicChunks: 0,
    entitiesExtracted: 0,
    triplesExtracted: 0,
    workingMemoryUpdated: around.workingMemoryUpdated,
    msg: sentences(what, around),
    latencyMs: around.latencyMs,
    deduplicated: true,
  }
}

function sentences(what: string, { notice, workingMemoryUpdated }: Surroundings): string {
  const parts = [what, workingMemoryUpdated ? 'Working memory was updated.' : null, notice]
  return parts.filter((part) => part !== null).join(' ')
}

function countsSentence({ facts, chunks, entities }: StoredCounts): string {
  const parts = [
    counted(facts, 'fact', 'facts'),
    counted(chunks, 'episodic chunk', 'episodic chunks'),
    counted(entities, 'entity', 'entities'),
  ]
  return `Stored ${parts[0]}, ${parts[1]} and ${parts[2]}.`
}

/** Each notice once; of how many items, unless all have it. */
function noticeSentences(notices: readonly string[], items: number): readonly string[] {
  return [...Map.groupBy(notices, (notice) => notice)].map(([notice, { length }]) =>
    length === items ? notice : `For ${counted(length, 'item', 'items')}: ${notice}`,
  )
}

/** What a failed item of a batch tells: the failure's code and sentence; a bug tells nothing of itself. */
export function failedResult(error: unknown): BatchResult {
  if (error instanceof ServiceError) return { error: error.code, detail: error.message }
  return { error: 'internal_error', detail: 'This item could not be stored because of an internal error.' }
}

/** The results of a batch with their sums. `notices` are those of its items, as often as they were given. */
export function batchReply(
  results: readonly BatchResult[],
  notices: readonly string[],
  latencyMs: number,
): BatchReply {
  const replies = results.filter((result): result is IngestReply => !('error' in result))
  const sum = (count: (reply: IngestReply) => number) =>
    replies.reduce((total, reply) => total + count(reply), 0)
  const counts = {
    facts: sum(({ factsIngested }) => factsIngested),
    chunks: sum(({ episodicChunks }) => episodicChunks),
    entities: sum(({ entitiesExtracted }) => entitiesExtracted),
  }
  const workingMemoryUpdated = replies.some((reply) => reply.workingMemoryUpdated)
  const skipped = replies.filter(({ deduplicated }) => deduplicated).length
  const failed = results.length - replies.length
  const notes = [
    skipped > 0 ? `${counted(skipped, 'item was', 'items were')} already known.` : null,
    failed > 0 ? `${counted(failed, 'item', 'items')} failed.` : null,
    ...noticeSentences(notices, results.length),
  ].filter((note) => note !== null)
  const stored = storedReply(counts, {
    notice: notes.length > 0 ? notes.join(' ') : null,
    workingMemoryUpdated,
    latencyMs,
  })
  return {
    ...stored,
    results,
    succeeded: replies.length,
    failed,
    deduplicated: replies.length > 0 && skipped === replies.length,
  }
}
