import { speakerOf, withoutSpeaker } from '../../core/speaker.ts'
import type { RelationChances, StatementPair } from '../../memory/ports.ts'
import { Tensor } from './onnx.ts'
import { openModel, tokenTensor } from './session.ts'
import { openTokenizer } from './tokenizer.ts'

/** What the pair model reads of each text; it was trained with as much. */
const TOKENS_A_TEXT = 120

/** What it reads of each text before a question, as it was trained; of a longer one the part that answers best alone, and how much two share. */
const TOKENS_A_WINDOW = 56
const SHARED_TOKENS = 16

/** Parts of a long text that are read: those with most of the question's words. */
const WINDOWS_READ = 4

/**
 * Below this chance after the third layer or the sixth, the older statement still holds and the further layers are not
 * asked. Of the pairs that replace or end something nearly all are above it (docs/relation.md).
 */
const LEAST_CHANGE = 0.1

/** What the pair model says of two texts. */
export interface Judge {
  /** How the newer of two statements relates to the older. */
  relate(pair: StatementPair): Promise<RelationChances>
  /** Of each of the texts, in the order in which they were told, the chance that it is the answer as far as they tell. */
  answers(question: string, texts: readonly string[]): Promise<readonly number[]>
}

/** Loads the pair model; rejects when a file of it is damaged. */
export async function openJudge(threads: number): Promise<Judge> {
  const [tokenizer, lower, middle, upper, reading] = await Promise.all([
    openTokenizer(),
    openModel('relations-lower', threads),
    openModel('relations-middle', threads),
    openModel('relations-upper', threads),
    openModel('relations-reading', threads),
  ])
  const marks = tokenizer.marks
  const beginning = (text: string) => tokenizer.encode(text).slice(0, TOKENS_A_TEXT)
  /** The texts, then what is asked or was told after them. */
  const inputsOf = (texts: readonly Pieces[], after: Pieces) => {
    const told = texts.map((pieces) => [...pieces, marks.last])
    const before = [marks.first, ...told.flat()]
    const all = [...before, ...after, marks.last]
    return {
      token_ids: tokenTensor([all]),
      segments: tokenTensor([all.map((_, at) => (at < before.length ? 0 : 1))]),
      parts: sharesOf(
        told.map(({ length }) => length),
        all.length,
      ),
    }
  }
  const readTogether = async (texts: readonly Pieces[], asked: Pieces) => {
    const inputs = inputsOf(texts, asked)
    const { rows } = await lower.run(inputs)
    const { token_ids, parts } = inputs
    return answersOf(await reading.run({ token_ids, parts, rows: rowsOf(rows) }))
  }
  /** Of a long text, the part that answers best alone. */
  const bestWindow = async (windows: readonly Pieces[], asked: Pieces) => {
    const chances: number[] = []
    for (const window of windows) chances.push(...(await readTogether([window], asked)))
    const chance = Math.max(...chances)
    return { window: windows[chances.indexOf(chance)] ?? [], chance }
  }
  return {
    async relate(pair) {
      const { older, newer } = asRead(pair)
      const inputs = inputsOf([beginning(older)], beginning(newer))
      const start = await lower.run(inputs)
      const first = chancesOf(start.logits)
      if (ofChange(first) < LEAST_CHANGE) return first
      const { token_ids, parts } = inputs
      const early = await middle.run({ token_ids, parts, rows: rowsOf(start.rows) })
      const second = chancesOf(early.logits)
      if (ofChange(second) < LEAST_CHANGE) return second
      const late = await upper.run({ token_ids, rows: rowsOf(early.further) })
      return chancesOf(late.logits)
    },
    async answers(question, texts) {
      const asked = beginning(question)
      const all = texts.map((text) => mostAlike(windowsOf(tokenizer.encode(text)), asked))
      const [only] = all
      if (only === undefined) return []
      if (all.length === 1) return [(await bestWindow(only, asked)).chance]
      const best: Pieces[] = []
      for (const windows of all)
        best.push(windows.length === 1 ? (windows[0] ?? []) : (await bestWindow(windows, asked)).window)
      return readTogether(best, asked)
    },
  }
}

/** As it was trained: what one speaker says is read without the name before it, what two say with both names. */
function asRead({ older, newer }: StatementPair): StatementPair {
  const speaker = speakerOf(older)
  if (speaker === null || speaker !== speakerOf(newer)) return { older, newer }
  return { older: withoutSpeaker(older), newer: withoutSpeaker(newer) }
}

type Pieces = readonly number[]
type Outputs = Readonly<Record<string, Tensor>>

function answersOf({ answers }: Outputs): readonly number[] {
  if (!(answers?.data instanceof Float32Array)) throw new Error(UNEXPECTED)
  return Array.from(answers.data, (logit) => 1 / (1 + Math.exp(-logit)))
}

function rowsOf(rows: Tensor | undefined): Tensor {
  if (rows === undefined) throw new Error(UNEXPECTED)
  return rows
}

const ofChange = ({ replaces, ends }: RelationChances): number => replaces + ends

/** For each of the texts that follow the first mark, the share of every token in its mean. */
function sharesOf(lengths: readonly number[], all: number): Tensor {
  const shares = new Float32Array(lengths.length * all)
  let start = 1
  for (const [at, length] of lengths.entries()) {
    shares.fill(1 / length, at * all + start, at * all + start + length)
    start += length
  }
  return new Tensor('float32', shares, [lengths.length, all])
}

function windowsOf(pieces: Pieces): readonly Pieces[] {
  const step = TOKENS_A_WINDOW - SHARED_TOKENS
  const count = Math.max(1, Math.ceil((pieces.length - SHARED_TOKENS) / step))
  return Array.from({ length: count }, (_, at) => pieces.slice(at * step, at * step + TOKENS_A_WINDOW))
}

/** The windows with most of the question's tokens, those that few windows have before others, in the order of the text. */
function mostAlike(windows: readonly Pieces[], asked: Pieces): readonly Pieces[] {
  if (windows.length <= WINDOWS_READ) return windows
  const sets = windows.map((pieces) => new Set(pieces))
  const count = (piece: number) => sets.filter((set) => set.has(piece)).length
  const weights = new Map(asked.map((piece) => [piece, 1 / count(piece)] as const))
  const scored = windows.map((pieces, at) => ({
    ...{ pieces, at },
    score: [...weights].reduce((sum, [piece, weight]) => sum + (sets[at]?.has(piece) ? weight : 0), 0),
  }))
  return scored
    .toSorted((a, b) => b.score - a.score || a.at - b.at)
    .slice(0, WINDOWS_READ)
    .sort((a, b) => a.at - b.at)
    .map(({ pieces }) => pieces)
}

const UNEXPECTED = 'Model: the pair model gave an output of another kind or size than expected'

/** The classes in the order of training. */
const classes = ['same', 'replaces', 'ends', 'beside'] as const

function chancesOf(logits: Tensor | undefined): RelationChances {
  const values = logits?.data
  if (!(values instanceof Float32Array) || values.length !== classes.length) throw new Error(UNEXPECTED)
  const largest = Math.max(...values)
  const powers = Array.from(values, (value) => Math.exp(value - largest))
  const sum = powers.reduce((total, power) => total + power, 0)
  const [same = 0, replaces = 0, ends = 0, beside = 0] = powers.map((power) => power / sum)
  return { same, replaces, ends, beside }
}
