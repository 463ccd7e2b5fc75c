import { z } from 'zod'
import type { RunningService } from '../memory/service.ts'
import type { Item } from '../retrieval/sets.ts'

/** What one call takes: the most items of a batch, the longest text in code points, the most results. */
const batchItems = 100
const longestText = 32_768
const largestK = 20

const batchReply = z.object({
  failed: z.number(),
  results: z.array(z.object({ deduplicated: z.boolean().optional(), detail: z.string().optional() })),
})

const retrieveReply = z.object({
  facts: z.array(z.object({ score: z.number(), metadata: z.object({ id: z.string() }) })),
})

/** Of the texts of a group: how many were left out, and how many the service took for repeats. */
export interface Stored {
  readonly tooLong: number
  readonly skipped: number
}

/** Stores the texts of a group under a persona of its own. Texts that the service would refuse are left out. */
export async function storeGroup(
  service: RunningService,
  persona: string,
  items: readonly Item[],
): Promise<Stored> {
  const short = items.filter(({ text }) => [...text].length <= longestText)
  let skipped = 0
  for (let first = 0; first < short.length; first += batchItems) {
    const batch = short.slice(first, first + batchItems).map(({ id, text, session, source }) => ({
      ...{ text, persona, source, metadata: { id } },
      ...(session === null ? {} : { session_id: session }),
    }))
    const { failed, results } = batchReply.parse(await service.post('/brain/ingest/batch', { items: batch }))
    if (failed > 0) throw new Error(`${failed} texts failed: ${results.find(({ detail }) => detail)?.detail}`)
    skipped += results.filter(({ deduplicated }) => deduplicated).length
  }
  return { tooLong: items.length - short.length, skipped }
}

interface Question {
  readonly query: string
  readonly persona: string
  readonly include_semantic: boolean
  readonly max_hops?: number
}

/** The items that the answer's facts come from, by score; the order of the reply is one for prompts. */
export async function askAbout(
  service: RunningService,
  question: Question,
): Promise<readonly { readonly item: string; readonly score: number }[]> {
  const { facts } = retrieveReply.parse(await service.post('/brain/retrieve', { ...question, k: largestK }))
  return facts
    .map(({ score, metadata }) => ({ item: metadata.id, score }))
    .toSorted((a, b) => b.score - a.score)
}
