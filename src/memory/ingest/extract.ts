import type { Seconds } from '../../core/clock.ts'
import { toldTogether } from '../../core/leaning.ts'
import type { IngestItem } from '../memory.ts'
import type { Extraction, ExtractionInput, Extractor } from '../ports.ts'
import { joined, portionsOf } from './portions.ts'

export interface ExtractParts {
  readonly extractor: Extractor
  /** Null when no LLM is configured. */
  readonly llmExtractor: Extractor | null
}

const notConfigured = 'No LLM is configured, so the default extractor was used.'
const nothing: Extraction = { facts: [], entities: [], notice: null }
const failed = 'The LLM could not be used, so the default extractor was.'

/**
 * Entities and facts of the items, in order, each with the extractor it asks for. Where the LLM is missing or
 * fails, the default extractor runs and the notice says so.
 */
export async function extractAll(
  parts: ExtractParts,
  items: readonly IngestItem[],
  now: Seconds,
  /** What was told before each in its session. */
  before: readonly (string | null)[],
  signal?: AbortSignal,
): Promise<readonly Extraction[]> {
  const inputs = items.map(({ text, source, speaker = null, occurredAt }, at): ExtractionInput => {
    const lead = before[at] ?? null
    return { text, source, speaker, now: occurredAt ?? now, ...(lead === null ? {} : { before: lead }) }
  })
  const results = new Map<ExtractionInput, Extraction>()
  for (const [at, input] of inputs.entries()) if (items[at]?.readFacts === false) results.set(input, nothing)
  const asked = inputs.filter((_, at) => items[at]?.useLlmExtraction)
  const notices = await extractWithLlm(parts.llmExtractor, asked, results, signal)
  const rest = inputs.filter((input) => !results.has(input))
  const found = await extractWhole(parts.extractor, rest, signal)
  for (const [at, input] of rest.entries()) {
    const extraction = found[at]
    if (extraction !== undefined)
      results.set(input, { ...extraction, notice: notices.get(input) ?? extraction.notice })
  }
  return inputs.map((input) => required(results.get(input)))
}

/** The items before one in a batch that are of the same session and persona, as far as it may lean on them. */
export function toldBefore(items: readonly IngestItem[], at: number): string | null {
  const item = items[at]
  if (item === undefined || item.sessionId === null) return null
  const { sessionId, persona } = item
  const before = items.slice(0, at).filter((one) => one.sessionId === sessionId && one.persona === persona)
  return toldTogether(before.map(({ text }) => text))
}

/** Long texts are read in parts, all of them in one call. */
async function extractWhole(
  extractor: Extractor,
  inputs: readonly ExtractionInput[],
  signal?: AbortSignal,
): Promise<readonly Extraction[]> {
  if (inputs.length === 0) return []
  const portions = inputs.map(portionsOf)
  const found = await extractor.extract(
    portions.flat().map(({ input }) => input),
    signal,
  )
  let next = 0
  return portions.map((several) =>
    joined(
      several,
      several.map(() => required(found[next++])),
    ),
  )
}

/** A text that was not read must not pass for one without facts. */
function required(extraction: Extraction | undefined): Extraction {
  if (extraction === undefined) throw new Error('the extractor gave nothing for a text')
  return extraction
}

/** Fills in what the LLM read; gives the reasons for the others. */
async function extractWithLlm(
  llm: Extractor | null,
  inputs: readonly ExtractionInput[],
  results: Map<ExtractionInput, Extraction>,
  signal?: AbortSignal,
): Promise<ReadonlyMap<ExtractionInput, string>> {
  if (llm === null) return new Map(inputs.map((input) => [input, notConfigured]))
  const outcomes = await Promise.allSettled(inputs.map((input) => llm.extract([input], signal)))
  signal?.throwIfAborted()
  const notices = new Map<ExtractionInput, string>()
  for (const [at, input] of inputs.entries()) {
    const outcome = outcomes[at]
    const extraction = outcome?.status === 'fulfilled' ? outcome.value[0] : undefined
    if (extraction === undefined) notices.set(input, failed)
    else results.set(input, extraction)
  }
  return notices
}
