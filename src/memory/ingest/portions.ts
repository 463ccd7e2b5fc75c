import { speakerOf } from '../../core/speaker.ts'
import type { ExtractedEntity, Extraction, ExtractionInput } from '../ports.ts'

/** A part of a text that the extractor reads in one go, and where it starts. */
export interface Portion {
  readonly input: ExtractionInput
  readonly start: number
}

/** About 450 words: the extractor reads that much of any text to its end. */
const portionCharacters = 2_500

/** A long text in parts that end where a sentence or a line does; a short one as it is. */
export function portionsOf(input: ExtractionInput): readonly Portion[] {
  const { text } = input
  if (text.length <= portionCharacters) return [{ input, start: 0 }]
  const speakerAt = (start: number) =>
    text
      .slice(0, start)
      .split('\n')
      .map(speakerOf)
      .findLast((name) => name !== null) ?? input.speaker
  const portions: Portion[] = []
  for (let start = 0; start < text.length; ) {
    const end = endOf(text, start)
    const { before: _, ...alone } = input
    const own = start === 0 ? input : { ...alone, speaker: speakerAt(start) }
    const part = { ...own, text: text.slice(start, end) }
    portions.push({ input: part, start })
    start = end
  }
  return portions
}

function endOf(text: string, start: number): number {
  const limit = start + portionCharacters
  if (limit >= text.length) return text.length
  // Looked for in the second half alone: parts stay large, and the search short.
  const half = start + portionCharacters / 2
  const tail = text.slice(half, limit)
  const cut = Math.max(
    tail.lastIndexOf('\n'),
    tail.lastIndexOf('. '),
    tail.lastIndexOf('? '),
    tail.lastIndexOf('! '),
  )
  if (cut >= 0) return half + cut + 1
  const space = tail.lastIndexOf(' ')
  return space >= 0 ? half + space + 1 : limit
}

/** What the parts say, as if the text had been read whole: offsets count from its start, an entity comes once. */
export function joined(portions: readonly Portion[], extractions: readonly Extraction[]): Extraction {
  const [first] = extractions
  if (first !== undefined && extractions.length === 1) return first
  const moved = <T extends Placed>(pick: (extraction: Extraction) => readonly T[]): T[] =>
    extractions.flatMap((extraction, at) => {
      const shift = portions[at]?.start ?? 0
      return pick(extraction).map((one) => ({ ...one, start: one.start + shift, end: one.end + shift }))
    })
  const facts = moved((extraction) => extraction.facts)
  const entities = new Map<string, ExtractedEntity>()
  for (const entity of extractions.flatMap((extraction) => extraction.entities)) {
    const known = entities.get(entity.name)
    const aliases = [...new Set([...(known?.aliases ?? []), ...entity.aliases])]
    entities.set(entity.name, { ...(known ?? entity), aliases })
  }
  const notice = extractions.find((extraction) => extraction.notice !== null)?.notice ?? null
  return { facts, entities: [...entities.values()], notice }
}

interface Placed {
  readonly start: number
  readonly end: number
}
