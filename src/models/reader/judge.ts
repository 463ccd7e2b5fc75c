import { speakerOf, withoutSpeaker } from '../../core/speaker.ts'
import type { RelationChances, StatementPair } from '../../memory/ports.ts'
import type { Tensor } from './onnx.ts'
import { openModel, tokenTensor } from './session.ts'
import type { TextTokenizer } from './tokenizer.ts'
import type { WordVectors } from './word-vectors.ts'

/** What the pair model reads of each text; it was trained with as much. */
const TOKENS_A_TEXT = 120

/**
 * Below this chance after the third layer or the sixth, the older statement still holds and the further layers are not
 * asked. Of the pairs that replace or end something nearly all are above it (docs/relation.md).
 */
const LEAST_CHANGE = 0.1

/** How the newer of two statements relates to the older. */
export type Judge = (pair: StatementPair) => Promise<RelationChances>

/** Loads the pair model; rejects when a file of it is damaged. */
export async function openJudge(
  tokenizer: TextTokenizer,
  wordVectors: WordVectors,
  threads: number,
): Promise<Judge> {
  const [lower, middle, upper] = await Promise.all([
    openModel('relations-lower', threads),
    openModel('relations-middle', threads),
    openModel('relations-upper', threads),
  ])
  const { first, last } = tokenizer.marks
  const beginning = (text: string) => tokenizer.encode(text).slice(0, TOKENS_A_TEXT)
  const inputsOf = ({ older, newer }: StatementPair) => {
    const [before, after] = [
      [first, ...beginning(older), last],
      [...beginning(newer), last],
    ]
    return {
      token_ids: tokenTensor([[...before, ...after]]),
      segments: tokenTensor([[...before.map(() => 0), ...after.map(() => 1)]]),
    }
  }
  return async (pair) => {
    const { token_ids, segments } = inputsOf(asRead(pair))
    const words = await wordVectors(token_ids)
    const start = await lower.run({ token_ids, segments, words })
    const third = chancesOf(start.logits)
    if (ofChange(third) < LEAST_CHANGE) return third
    const early = await middle.run({ token_ids, rows: rowsOf(start.rows) })
    const sixth = chancesOf(early.logits)
    if (ofChange(sixth) < LEAST_CHANGE) return sixth
    const late = await upper.run({ token_ids, rows: rowsOf(early.further) })
    return chancesOf(late.logits)
  }
}

/** As it was trained: what one speaker says is read without the name before it, what two say with both names. */
function asRead({ older, newer }: StatementPair): StatementPair {
  const speaker = speakerOf(older)
  if (speaker === null || speaker !== speakerOf(newer)) return { older, newer }
  return { older: withoutSpeaker(older), newer: withoutSpeaker(newer) }
}

function rowsOf(rows: Tensor | undefined): Tensor {
  if (rows === undefined) throw new Error(UNEXPECTED)
  return rows
}

const ofChange = ({ replaces, ends }: RelationChances): number => replaces + ends

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
