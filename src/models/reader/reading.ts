import { Tensor } from './onnx.ts'
import { openModel, tokenTensor } from './session.ts'
import type { TextTokenizer } from './tokenizer.ts'
import type { WordVectors } from './word-vectors.ts'

/** What it reads of a question, and of each text before one, as it was trained; of a longer text the part that answers best alone, and how much two share. */
const TOKENS_A_QUESTION = 120
const TOKENS_A_WINDOW = 56
const SHARED_TOKENS = 16

/** Parts of a long text that are read: those with most of the question's words. */
const WINDOWS_READ = 4

/** Of each of the texts, in the order in which they were told, the chance that it is the answer as far as they tell. */
export type Reading = (question: string, texts: readonly string[]) => Promise<readonly number[]>

/** Loads what reads texts with a question; rejects when a file of it is damaged. */
export async function openReading(
  tokenizer: TextTokenizer,
  wordVectors: WordVectors,
  threads: number,
): Promise<Reading> {
  const model = await openModel('relations-reading', threads)
  const together = async (texts: readonly Pieces[], asked: Pieces) => {
    const inputs = inputsOf(texts, asked, tokenizer.marks)
    const words = await wordVectors(inputs.token_ids)
    const { answers } = await model.run({ ...inputs, words })
    if (!(answers?.data instanceof Float32Array)) throw new Error(UNEXPECTED)
    return Array.from(answers.data, (logit) => 1 / (1 + Math.exp(-logit)))
  }
  /** Of a long text, the part that answers best alone. */
  const bestWindow = async (windows: readonly Pieces[], asked: Pieces) => {
    const chances: number[] = []
    for (const window of windows) chances.push(...(await together([window], asked)))
    const chance = Math.max(...chances)
    return { window: windows[chances.indexOf(chance)] ?? [], chance }
  }
  return async (question, texts) => {
    const asked = tokenizer.encode(question).slice(0, TOKENS_A_QUESTION)
    const all = texts.map((text) => mostAlike(windowsOf(tokenizer.encode(text)), asked))
    const [only] = all
    if (only === undefined) return []
    if (all.length === 1) return [(await bestWindow(only, asked)).chance]
    const best: Pieces[] = []
    for (const windows of all)
      best.push(windows.length === 1 ? (windows[0] ?? []) : (await bestWindow(windows, asked)).window)
    return together(best, asked)
  }
}

type Pieces = readonly number[]

/** The texts, then the question; and for each text the share of every token in its mean. */
function inputsOf(texts: readonly Pieces[], asked: Pieces, { first, last }: TextTokenizer['marks']) {
  const told = texts.flatMap((pieces) => [...pieces, last])
  const all = [first, ...told, ...asked, last]
  const shares = new Float32Array(texts.length * all.length)
  let start = 1
  for (const [at, pieces] of texts.entries()) {
    const length = pieces.length + 1
    shares.fill(1 / length, at * all.length + start, at * all.length + start + length)
    start += length
  }
  return {
    token_ids: tokenTensor([all]),
    segments: tokenTensor([all.map((_, at) => (at <= told.length ? 0 : 1))]),
    parts: new Tensor('float32', shares, [texts.length, all.length]),
  }
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

const UNEXPECTED = 'Model: the reading gave an output of another kind or size than expected'
