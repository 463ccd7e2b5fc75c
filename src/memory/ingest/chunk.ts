import { dot, normalize, type Vector } from '../../core/vectors.ts'

/** A stretch of a text in UTF-16 code units, end exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

/**
 * Sizes in characters. A chunk of this size is a few hundred tokens: one window of the embedding model, and short
 * enough that its vector stands for one subject.
 */
const sizes = { longest: 1_200, wanted: 900, shortest: 300, unit: 400, smallUnit: 80 } as const

/** No chunk is longer, unless a single word is. */
export const longestChunk = sizes.longest

/** How much a deviation from the wanted size weighs against how well the text holds together at a cut. */
const sizeWeight = 0.6
/** A blank line is an author's own cut. */
const paragraphBonus = 0.3

/** The text without the white space around it; all of it when it holds nothing else. */
function trimmedSpan(text: string): Span {
  const start = text.length - text.trimStart().length
  const end = text.trimEnd().length
  return end > start ? { start, end } : { start: 0, end: text.length }
}

/**
 * The pieces between which a long text may be cut: sentences, tiny ones joined, endless ones divided. Empty for a
 * text that fits one chunk: it is not cut, and costs no further embeddings.
 */
export function cuttingUnits(text: string): readonly Span[] {
  const whole = trimmedSpan(text)
  if (whole.end - whole.start <= sizes.longest) return []
  return joinSmall(sentences(text, whole).flatMap((span) => divideLong(text, span)))
}

/** Where a long text is cut: where its subject turns, as far as the sizes allow. The chunks cover every unit. */
export function chunkSpans(
  text: string,
  units: readonly Span[],
  vectors: readonly Vector[],
): readonly Span[] {
  if (units.length === 0) return [trimmedSpan(text)]
  const costs = units.map((_, at) => cutCost(text, units, vectors, at))
  const cuts = cheapestCuts(units, costs)
  return cuts.map(([first, last]) => {
    const start = units[first]?.start ?? 0
    return { start, end: units[last]?.end ?? start }
  })
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

function sentences(text: string, whole: Span): Span[] {
  const spans: Span[] = []
  for (const { segment, index } of segmenter.segment(text.slice(whole.start, whole.end))) {
    const inner = trimmedSpan(segment)
    if (segment.trim() === '') continue
    spans.push({ start: whole.start + index + inner.start, end: whole.start + index + inner.end })
  }
  return spans
}

/** A sentence longer than a unit is divided at white space, and where there is none, between characters. */
function divideLong(text: string, span: Span): Span[] {
  const pieces: Span[] = []
  let start = span.start
  while (span.end - start > sizes.unit) {
    const end = breakBefore(text, start, start + sizes.unit)
    const inner = trimmedSpan(text.slice(start, end))
    pieces.push({ start: start + inner.start, end: start + inner.end })
    start = end
  }
  const rest = trimmedSpan(text.slice(start, span.end))
  if (rest.end > rest.start) pieces.push({ start: start + rest.start, end: start + rest.end })
  return pieces
}

function breakBefore(text: string, start: number, limit: number): number {
  const space = text.slice(start, limit).search(/\s\S*$/)
  if (space > sizes.unit / 2) return start + space + 1
  return isInsideCharacter(text, limit) ? limit - 1 : limit
}

function isInsideCharacter(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff
}

function joinSmall(spans: readonly Span[]): Span[] {
  const joined: Span[] = []
  for (const span of spans) {
    const last = joined.at(-1)
    const isSmall = last !== undefined && last.end - last.start < sizes.smallUnit
    if (isSmall && span.end - last.start <= sizes.unit)
      joined[joined.length - 1] = { start: last.start, end: span.end }
    else joined.push(span)
  }
  return joined
}

/** How alike the text is on both sides of the cut before unit `at`: low where the subject turns. */
function cutCost(text: string, units: readonly Span[], vectors: readonly Vector[], at: number): number {
  if (at === 0) return 0
  const before = mean(vectors.slice(Math.max(0, at - 2), at))
  const after = mean(vectors.slice(at, at + 2))
  const gap = text.slice(units[at - 1]?.end ?? 0, units[at]?.start ?? 0)
  return dot(before, after) - (/\n\s*\n/.test(gap) ? paragraphBonus : 0)
}

function mean(vectors: readonly Vector[]): Vector {
  const sum = new Float32Array(vectors[0]?.length ?? 0)
  for (const vector of vectors)
    for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + (vector[at] ?? 0)
  return normalize(sum)
}

/** The division into runs of units with the lowest cost, by dynamic programming over the last cut. */
function cheapestCuts(
  units: readonly Span[],
  costs: readonly number[],
): readonly (readonly [number, number])[] {
  const best: { readonly cost: number; readonly first: number }[] = []
  for (let last = 0; last < units.length; last++) {
    let choice = { cost: Number.POSITIVE_INFINITY, first: last }
    for (let first = last; first >= 0; first--) {
      const length = (units[last]?.end ?? 0) - (units[first]?.start ?? 0)
      if (length > sizes.longest && first < last) break
      const cost = (best[first - 1]?.cost ?? 0) + (costs[first] ?? 0) + sizeCost(length)
      if (cost < choice.cost) choice = { cost, first }
    }
    best.push(choice)
  }
  const cuts: (readonly [number, number])[] = []
  for (let last = units.length - 1; last >= 0; ) {
    const first = best[last]?.first ?? 0
    cuts.unshift([first, last])
    last = first - 1
  }
  return cuts
}

function sizeCost(length: number): number {
  const deviation = (length - sizes.wanted) / sizes.wanted
  return sizeWeight * deviation * deviation + (length < sizes.shortest ? 1 : 0)
}
