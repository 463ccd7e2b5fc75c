import type { RelationChances, StatementPair } from '../../memory/ports.ts'
import { Tensor } from './onnx.ts'
import { openModel, tokenTensor } from './session.ts'
import { openTokenizer } from './tokenizer.ts'

/** What the pair model reads of each text; it was trained with as much. */
const TOKENS_A_TEXT = 120

/**
 * What it reads at a time to find an answer, and how much two such windows share. Among longer texts it learnt nearly
 * nothing but such as answer their question: from 90 pieces on it says so of every text.
 */
const TOKENS_A_WINDOW = 56
const SHARED_TOKENS = 16

/**
 * Below this chance after the lower layers, the older statement still holds and the upper ones are not asked. Of the
 * pairs that replace or end something nearly all are above it (docs/relation.md).
 */
const LEAST_TO_GO_ON = 0.1

/** The model says of too many texts that they end something: its odds of an end are worth this (`bench relation -- --fit`). */
const ODDS_OF_AN_END = 0.7

/** What the pair model says of two texts. */
export interface Judge {
  /** How the newer of two statements relates to the older. */
  relate(pair: StatementPair): Promise<RelationChances>
  /** The chance that the text answers the question; of a long one, that of the window that answers it best. */
  answers(question: string, text: string): Promise<number>
}

/** Loads the pair model; rejects when a file of it is damaged. */
export async function openJudge(threads: number): Promise<Judge> {
  const [tokenizer, lower, upper] = await Promise.all([
    openTokenizer(),
    openModel('relations-lower', threads),
    openModel('relations-upper', threads),
  ])
  const { first, last } = tokenizer.marks
  const beginning = (text: string) => tokenizer.encode(text).slice(0, TOKENS_A_TEXT)
  const inputsOf = (before: readonly number[], after: readonly number[]) => {
    const left = [first, ...before, last]
    const right = [...after, last]
    const token_ids = tokenTensor([[...left, ...right]])
    return { token_ids, segments: tokenTensor([[...left.map(() => 0), ...right.map(() => 1)]]) }
  }
  return {
    async relate({ older, newer }) {
      const inputs = inputsOf(beginning(older), beginning(newer))
      const early = await lower.run(inputs)
      const chances = chancesOf(early.logits)
      if (chances.replaces + chances.ends < LEAST_TO_GO_ON) return chances
      if (!(early.rows instanceof Tensor)) throw new Error(UNEXPECTED)
      const late = await upper.run({ token_ids: inputs.token_ids, rows: early.rows })
      return chancesOf(late.logits)
    },
    async answers(question, text) {
      const asked = beginning(question)
      let best = 0
      for (const window of windowsOf(tokenizer.encode(text))) {
        const { answers } = await lower.run(inputsOf(window, asked))
        const logit = answers?.data[0]
        if (typeof logit !== 'number') throw new Error(UNEXPECTED)
        best = Math.max(best, 1 / (1 + Math.exp(-logit)))
      }
      return best
    },
  }
}

function windowsOf(pieces: readonly number[]): readonly (readonly number[])[] {
  const step = TOKENS_A_WINDOW - SHARED_TOKENS
  const count = Math.max(1, Math.ceil((pieces.length - SHARED_TOKENS) / step))
  return Array.from({ length: count }, (_, at) => pieces.slice(at * step, at * step + TOKENS_A_WINDOW))
}

const UNEXPECTED = 'Model: the pair model gave an output of another kind or size than expected'

/** The classes in the order of training. */
const classes = ['same', 'replaces', 'ends', 'beside'] as const

function chancesOf(logits: Tensor | undefined): RelationChances {
  const values = logits?.data
  if (!(values instanceof Float32Array) || values.length !== classes.length) throw new Error(UNEXPECTED)
  const largest = Math.max(...values)
  const powers = Array.from(
    values,
    (value, at) => Math.exp(value - largest) * (classes[at] === 'ends' ? ODDS_OF_AN_END : 1),
  )
  const sum = powers.reduce((total, power) => total + power, 0)
  const [same = 0, replaces = 0, ends = 0, beside = 0] = powers.map((power) => power / sum)
  return { same, replaces, ends, beside }
}
