/** A stretch of a text, as offsets into it, end exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A mark that may end a sentence, with closing quotes and the white space behind it; or the end of a line. */
const possibleEnd = /(?:(?<![.!?…])[.!?…]+["'”’)\]*]*\s+)|[\n\r]+/gu
/** After a title, an initial or `e.g.` a full stop ends nothing. */
const abbreviated =
  /(?:^|[\s("“])(?:\p{Lu}|mrs?|ms|dr|prof|st|sr|jr|no|vs|approx|e\.g|i\.e|(?:\p{L}\.)+\p{L})$/iu

/** The sentences of a text, in order: by marks that end one, and by line. Empty ones are left out. */
export function sentencesOf(text: string): readonly Span[] {
  const spans: Span[] = []
  let from = 0
  const close = (end: number) => {
    const piece = text.slice(from, end)
    const start = from + piece.length - piece.trimStart().length
    if (/[\p{L}\p{N}]/u.test(piece)) spans.push({ start, end: start + piece.trim().length })
    from = end
  }
  for (const { index, 0: mark } of text.matchAll(possibleEnd)) {
    const end = index + mark.length
    if (!/[\n\r]/.test(mark)) {
      if (mark.startsWith('.') && abbreviated.test(text.slice(Math.max(from, index - 12), index))) continue
      if (/^\p{Ll}/u.test(text.slice(end, end + 1)) && mark.startsWith('.')) continue
    }
    close(end)
  }
  close(text.length)
  return spans
}

/** The sentence that a place lies in. */
export function sentenceAt(sentences: readonly Span[], at: number): Span {
  return sentences.findLast(({ start }) => start <= at) ?? sentences[0] ?? { start: 0, end: 0 }
}
