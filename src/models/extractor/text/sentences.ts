import { isGivenName } from '../rules/given-names.ts'

/** A sentence of a text, as offsets into it, end exclusive, and who says it. */
export interface SentenceSpan {
  readonly start: number
  readonly end: number
  /** The name before the colon of its line; null when there is none. */
  readonly speaker: string | null
  readonly question: boolean
}

/** After these a full stop does not end a sentence. */
const abbreviations = new Set(
  `mr mrs ms dr prof sr jr st vs e.g i.e no vol fig approx dept est gen col lt sgt rev hon capt mt ft ave blvd
  jan feb mar apr jun jul aug sep sept oct nov dec messrs mx sen rep gov pres cf al op ed eds pp ca`.split(
    /\s+/,
  ),
)

/** Words before a colon that label a line and name nobody. */
const lineLabels = new Set(
  `note notes update reminder fact facts date time place location subject re ps fyi todo question answer q a
  summary example warning tip tips important edit source title name email phone address job hobby hobbies age
  birthday here there also plus so then but and or the this that today tomorrow yesterday result results step
  pros cons background context profile bio about me i my preferences preference goal goals plan plans status
  correction reminder info agenda topic conclusion overview ingredients instructions format input output system task http https`.split(
    /\s+/,
  ),
)

const speakerPrefix =
  /^\s*([\p{Lu}][\p{L}.'’-]*(?:[ \t][\p{Lu}][\p{L}.'’-]*){0,2}|user|assistant|human|ai):[ \t]+/u
const listMarker = /^[ \t]*(?:[-*•·>#]+|\(?\d{1,3}[.)]|\(?[a-zA-Z]\))[ \t]+/
/** A possible end: marks, closing quotes, white space. */
const possibleEnd = /([.!?…]+|\p{Extended_Pictographic}\uFE0F?)["'”’)\]*]*\s+/gu
/** Breaks inside a sentence after which a clause of its own begins. */
const innerBreak = /\s+(?:—|–|--?)\s+|—|;\s+/g
const hasWord = /[\p{L}\p{N}]/u

/** The sentences of a text from an offset on, in order: by line, by marks that end sentences, at semicolons and spaced dashes. */
export function splitSentences(text: string, from = 0): SentenceSpan[] {
  const result: SentenceSpan[] = []
  let lineStart = from
  for (const line of text.slice(from).split('\n')) {
    result.push(...splitLine(text, lineStart, lineStart + line.length))
    lineStart += line.length + 1
  }
  return result
}

/** `am i missing anything`, `what is my name`: a question whose mark was left out. */
const asks =
  /^(?:(?:what|who|where|when|why|how|which)(?: (?:much|many|long|often|old|far))? )?(?:am|are|is|do|does|did|can|could|would|will|should|was|were|has|have) (?:i|you|he|she|it|we|they|my|your|there)\b(?! (?:is|are|was)\b)/i

function splitLine(text: string, lineStart: number, end: number): SentenceSpan[] {
  let start = lineStart
  const line = text.slice(start, Math.min(end, start + 200))
  const marker = listMarker.exec(line)?.[0].length ?? 0
  const prefix = speakerPrefix.exec(line.slice(marker))
  const label = prefix?.[1] && !lineLabels.has(prefix[1].toLowerCase()) ? prefix[1] : null
  start += marker + (label && prefix ? prefix[0].length : 0)
  // `2. Quality Materials: We use …`: what stands before the colon in a list is a heading, and speaks not.
  const named = marker > 0 && !isGivenName(label ?? '') ? null : label
  const spans: SentenceSpan[] = []
  for (const [from, to] of cut(text, start, end)) {
    const tail = text.slice(Math.max(from, to - 24), to)
    const question =
      asks.test(text.slice(from, from + 60)) ||
      (/\?["'”’)\]*\s]*$/.test(tail) && !/, (?:right|correct|yes|no|huh)\?["'”’)\]*\s]*$/i.test(tail))
    for (const [a, b] of cutInside(text, from, to)) {
      if (hasWord.test(text.slice(a, b))) spans.push({ start: a, end: b, speaker: named, question })
    }
  }
  return spans
}

type Range = readonly [number, number]

function cut(text: string, start: number, end: number): Range[] {
  const ranges: Range[] = []
  const line = text.slice(start, end)
  let from = 0
  for (const match of line.matchAll(possibleEnd)) {
    const to = match.index + match[0].length
    if (!endsSentence(line, from, match.index, match[1] ?? '', to)) continue
    ranges.push([start + from, start + to])
    from = to
  }
  ranges.push([start + from, end])
  return ranges.map((range) => trimmed(text, range))
}

function endsSentence(line: string, from: number, at: number, mark: string, next: number): boolean {
  if (mark.startsWith('.')) {
    if (/^\p{Ll}/u.test(line.slice(next, next + 2))) return false
    if (mark === '.' && isAbbreviation(lastWord(line, from, at))) return false
  }
  return true
}

function lastWord(line: string, from: number, at: number): string {
  const tail = line.slice(Math.max(from, at - 30), at)
  return (/(\S+)$/.exec(tail)?.[1] ?? '').replace(/^["'(“‘[]+/, '')
}

function isAbbreviation(word: string): boolean {
  if (word === 'I') return false
  return abbreviations.has(word.toLowerCase()) || /^\p{Lu}$/u.test(word) || /^(?:\p{L}\.)+\p{L}$/u.test(word)
}

function cutInside(text: string, start: number, end: number): Range[] {
  const ranges: Range[] = []
  let from = start
  for (const match of text.slice(start, end).matchAll(innerBreak)) {
    if (insideBrackets(text.slice(from, start + match.index))) continue
    ranges.push([from, start + match.index])
    from = start + match.index + match[0].length
  }
  ranges.push([from, end])
  return ranges.map((range) => trimmed(text, range)).filter(([a, b]) => b > a)
}

function trimmed(text: string, [start, end]: Range): Range {
  const piece = text.slice(start, end)
  return [start + (piece.length - piece.trimStart().length), end - (piece.length - piece.trimEnd().length)]
}

function insideBrackets(before: string): boolean {
  const open = before.lastIndexOf('(')
  return open >= 0 && !before.includes(')', open) && before.length - open < 200
}
