import { leansOnBefore } from '../../core/leaning.ts'
import { speakerOf, withoutSpeaker } from '../../core/speaker.ts'
import type { Source } from '../../memory/model.ts'
import type { ExtractionInput } from '../../memory/ports.ts'
import type { TextTokenizer } from '../reader/tokenizer.ts'
import { type Span, sentencesOf } from './sentences.ts'
import { piecesOf, type TextPieces } from './words.ts'

/** What the model reads at once: a stretch of a text that one person says. */
export interface Passage {
  readonly pieces: TextPieces
  /** Where it begins in the text. */
  readonly start: number
  readonly source: Source
  /** How much of it was told before the text, and is there for what it names. */
  readonly lead: number
  /** Whom the model means by who speaks: for an assistant's text, whom it speaks to. Null: nobody. */
  readonly speaker: string | null
}

/** Pieces read at once; the texts that the model learnt from are shorter. */
const MOST_PIECES = 160

/** Cuts a text where somebody else begins to speak (`Name: …` in a line of its own), and where it is too long. */
export function passagesOf(input: ExtractionInput, tokenizer: TextTokenizer): readonly Passage[] {
  const passages = turnsOf(input).flatMap(({ start, end, source, speaker }) =>
    windowsOf(input.text.slice(start, end), tokenizer).map((window) => ({
      pieces: window.pieces,
      start: start + window.start,
      lead: 0,
      source,
      speaker,
    })),
  )
  const [first, ...rest] = passages
  return first === undefined || input.before === undefined
    ? passages
    : [withLead(first, input.before, tokenizer), ...rest]
}

/** The passage behind what was told before it, where it leans on that: as many of its last sentences as can be read with it. */
function withLead(passage: Passage, before: string, tokenizer: TextTokenizer): Passage {
  const { text } = passage.pieces
  if (!leansOnBefore(text)) return passage
  for (const { start } of sentencesOf(before)) {
    const told = before.slice(start)
    const pieces = piecesOf(`${told} ${text}`, tokenizer)
    const lead = told.length + 1
    if (pieces.ids.length <= MOST_PIECES) return { ...passage, pieces, lead, start: passage.start - lead }
  }
  return passage
}

type Turn = Span & Pick<Passage, 'source' | 'speaker'>

function turnsOf({ text, source, speaker }: ExtractionInput): readonly Turn[] {
  const turns: Turn[] = []
  const lines = text.split('\n')
  const speaks = speakersOf(lines, source)
  let at = 0
  for (const line of lines) {
    const end = at + line.length
    const name = speaks(line)
    const last = turns.at(-1)
    if (name !== null || last === undefined) {
      const told = roleOf(source, name ?? speaker)
      turns.push({ start: name === null ? at : end - withoutSpeaker(line).length, end, ...told })
    } else turns[turns.length - 1] = { ...last, end }
    at = end + 1
  }
  return turns
}

/** Who begins to speak in a line. In a document most words before a colon are labels: a name has to come twice. */
function speakersOf(lines: readonly string[], source: Source): (line: string) => string | null {
  if (source !== 'document') return speakerOf
  const names = lines.map(speakerOf)
  const comesTwice = new Set(names.filter((name, at) => name !== null && names.indexOf(name) !== at))
  return (line) => {
    const name = speakerOf(line)
    return name !== null && comesTwice.has(name) ? name : null
  }
}

/** Who speaks under this name. What an assistant says of itself is not remembered, but what it says to the user is. */
function roleOf(source: Source, name: string | null): Pick<Turn, 'source' | 'speaker'> {
  const role = name?.trim().toLowerCase() ?? ''
  if (role === 'user' || role === 'human') return { source: 'user', speaker: 'user' }
  if (role === 'assistant' || role === 'ai') return { source: 'assistant', speaker: 'user' }
  if (role !== '') return { source, speaker: name?.trim() ?? null }
  return { source, speaker: source === 'document' ? null : 'user' }
}

/** Stretches of at most MOST_PIECES, that end where a sentence does if one ends. */
function windowsOf(text: string, tokenizer: TextTokenizer): readonly Pick<Passage, 'pieces' | 'start'>[] {
  const whole = piecesOf(text, tokenizer)
  const { words, ids } = whole
  if (ids.length <= MOST_PIECES) return [{ start: 0, pieces: whole }]
  const ends = new Set(sentencesOf(text).map(({ end }) => end))
  const windows: Pick<Passage, 'pieces' | 'start'>[] = []
  let from = 0
  while (from < words.length) {
    const base = (words[from]?.first ?? 1) - 1
    let to = from
    let cut = -1
    while (to < words.length && (words[to]?.last ?? 0) - base < MOST_PIECES - 1) {
      if (ends.has(words[to]?.end ?? -1)) cut = to
      to++
    }
    const last = to === words.length || cut < from ? Math.max(from, to - 1) : cut
    const start = words[from]?.start ?? 0
    windows.push({ start, pieces: piecesOf(text.slice(start, words[last]?.end), tokenizer) })
    from = last + 1
  }
  return windows
}
