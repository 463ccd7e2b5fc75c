import type { Seconds } from '../../core/clock.ts'
import type { IngestItem } from '../memory.ts'
import type { Extraction, ExtractionInput, Extractor } from '../ports.ts'
import { joined, portionsOf } from './portions.ts'

export interface ExtractParts {
  readonly extractor: Extractor
  /** Null when no LLM is configured. */
  readonly llmExtractor: Extractor | null
}

const notConfigured = 'No LLM is configured, so the default extractor was used.'
const failed = 'The LLM could not be used, so the default extractor was.'

/**
 * Entities and facts of the items, in order, each with the extractor it asks for. Where the LLM is missing or
 * fails, the default extractor runs and the notice says so.
 */
export async function extractAll(
  parts: ExtractParts,
  items: readonly IngestItem[],
  now: Seconds,
  signal?: AbortSignal,
): Promise<readonly Extraction[]> {
  const inputs = items.map(({ text, source }): ExtractionInput => ({ text, source, speaker: null, now }))
  const results = new Map<ExtractionInput, Extraction>()
  const asked = inputs.filter((_, at) => items[at]?.useLlmExtraction)
  const notices = await extractWithLlm(parts.llmExtractor, asked, results, signal)
  const rest = inputs.filter((input) => !results.has(input))
  const found = await extractWhole(parts.extractor, rest, signal)
  for (const [at, input] of rest.entries()) {
    const extraction = found[at] ?? nothing
    results.set(input, { ...extraction, notice: notices.get(input) ?? extraction.notice })
  }
  return inputs.map((input) => results.get(input) ?? nothing)
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
  return portions.map((several) => {
    const extractions = found.slice(next, next + several.length)
    next += several.length
    return joined(several, extractions)
  })
}

const nothing: Extraction = { facts: [], entities: [], notice: null }

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
