import type { RelationChances, StatementPair } from '../../memory/ports.ts'
import { Tensor } from './onnx.ts'
import { openModel, tokenTensor } from './session.ts'
import { openTokenizer } from './tokenizer.ts'

/** What the pair model reads of each text; it was trained with as much. */
const TOKENS_A_TEXT = 120

/**
 * Below this chance after the lower layers, the older statement still holds and the upper ones are not asked. Of the
 * pairs that replace or end something nearly all are above it (docs/relation.md).
 */
const LEAST_TO_GO_ON = 0.1

/** How the newer of two statements relates to the older, by the pair model. */
export type Judge = (pair: StatementPair) => Promise<RelationChances>

/** Loads the pair model; rejects when a file of it is damaged. */
export async function openJudge(threads: number): Promise<Judge> {
  const [tokenizer, lower, upper] = await Promise.all([
    openTokenizer(),
    openModel('relations-lower', threads),
    openModel('relations-upper', threads),
  ])
  const { first, last } = tokenizer.marks
  const piecesOf = (text: string) => tokenizer.encode(text).slice(0, TOKENS_A_TEXT)
  return async ({ older, newer }) => {
    const left = [first, ...piecesOf(older), last]
    const right = [...piecesOf(newer), last]
    const token_ids = tokenTensor([[...left, ...right]])
    const segments = tokenTensor([[...left.map(() => 0), ...right.map(() => 1)]])
    const early = await lower.run({ token_ids, segments })
    const chances = chancesOf(early.logits)
    if (chances.replaces + chances.ends < LEAST_TO_GO_ON) return chances
    if (!(early.rows instanceof Tensor)) throw new Error(UNEXPECTED)
    const late = await upper.run({ token_ids, rows: early.rows })
    return chancesOf(late.logits)
  }
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
