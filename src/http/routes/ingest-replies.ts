import { z } from 'zod'
import { count, milliseconds, triple, unit } from './replies.ts'

const ingestCounts = {
  facts_ingested: count.describe('graph relationships stored'),
  episodic_chunks: count.describe('vector chunks stored'),
  entities_extracted: count.describe('entity nodes created or updated'),
  triples_extracted: count.describe('equal to facts_ingested'),
  working_memory_updated: z.boolean().describe('whether the session was updated'),
  msg: z.string().describe('the counts as a sentence'),
  latency_ms: milliseconds,
  deduplicated: z.boolean().describe('the text was already known'),
}

const learned = {
  ids: z.array(z.string()).optional().describe('the memories that hold the text, in its order'),
  facts: z
    .array(
      z
        .object({
          id: z.string().describe('the memory of this fact'),
          fact: z.string().describe('the fact as a sentence'),
          triple: triple.describe('the fact as an edge of the graph'),
          certainty: unit.describe('how sure the extractor is'),
        })
        .meta({ id: 'LearnedFact' }),
    )
    .optional()
    .describe('the facts that the text tells, new or known already'),
  replaced: z
    .array(
      z
        .object({
          id: z.string().describe('the memory that is history now'),
          fact: z.string().describe('what it says'),
          kind: z
            .enum(['replaces', 'ends'])
            .describe('the text says what holds instead, or only that it no longer does'),
          probability: unit.describe('how sure that is'),
        })
        .meta({ id: 'ReplacedMemory' }),
    )
    .optional()
    .describe('what the text made out of date'),
}

export const ingestReply = z.object({ ...ingestCounts, ...learned }).meta({ id: 'IngestReply' })

const itemFailure = z
  .object({
    error: z.string().describe('a code for programs'),
    detail: z.string().describe('one sentence for a person'),
  })
  .meta({ id: 'ItemFailure' })

export const batchReply = z.object({
  ...ingestCounts,
  results: z.array(z.union([ingestReply, itemFailure])).describe('one per item, in order'),
  succeeded: count.describe('items that were stored or known'),
  failed: count.describe('items that could not be stored, for a cause on the side of the server'),
})
