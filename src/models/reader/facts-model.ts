import { type LowerLayers, openLowerLayers, WIDTH } from './lower.ts'
import { Tensor } from './onnx.ts'
import { openModel, tokenTensor } from './session.ts'
import { openTokenizer, type TextTokenizer } from './tokenizer.ts'

/** A square of numbers over the pieces of a text, row by row. */
export type Grid = Float32Array

/** What the model says of every piece, and of every two pieces, of one text. */
export interface Reading {
  /** WIDTH numbers a piece. */
  readonly rows: Float32Array
  /** How much each kind of thing fits what ends at a piece. */
  readonly kinds: Float32Array
  /** Whether a subject ends at the first piece and its object at the second. The first mark stands for who speaks. */
  readonly pairs: Grid
  /** Whether what ends at the first piece begins at the second. */
  readonly starts: Grid
  /** Whether the second piece ends a word of the predicate whose object ends at the first. */
  readonly words: Grid
}

/** Classes of facts and of their predicates' words, row by row. */
export interface Names {
  readonly relations: Float32Array
  readonly edits: Float32Array
}

export interface FactsModel {
  readonly tokenizer: TextTokenizer
  /** Of a text, by its ids with marks, and the number of its source. */
  read(ids: readonly number[], source: number): Promise<Reading>
  /** Of rows of subject, object and predicate, three a fact; and rows of word and object, two a word. */
  name(facts: Float32Array, words: Float32Array): Promise<Names>
}

const UNEXPECTED = 'Model: the facts model gave an output of another kind than expected'

function floats(tensor: Tensor | undefined): Float32Array {
  if (!(tensor?.data instanceof Float32Array)) throw new Error(UNEXPECTED)
  return tensor.data
}

/** Loads what the model has above the encoder's lower layers; rejects when a file of it is damaged. */
export async function openFactsModel(
  lower: LowerLayers,
  tokenizer: TextTokenizer,
  threads: number,
): Promise<FactsModel> {
  const [upper, names] = await Promise.all([openModel('facts', threads), openModel('facts-names', threads)])
  return {
    tokenizer,
    read: async (ids, source) => {
      const token_ids = tokenTensor([ids])
      const rows = await lower.run([ids])
      const number = new Tensor('int64', BigInt64Array.of(BigInt(source)), [])
      const { read, kinds, pairs, starts, words } = await upper.run({ token_ids, rows, source: number })
      return {
        rows: floats(read),
        kinds: floats(kinds),
        pairs: floats(pairs),
        starts: floats(starts),
        words: floats(words),
      }
    },
    name: async (facts, words) => {
      const { relations, edits } = await names.run({
        'relations.rows': new Tensor('float32', facts, [facts.length / (3 * WIDTH), 3 * WIDTH]),
        'edits.rows': new Tensor('float32', words, [words.length / (2 * WIDTH), 2 * WIDTH]),
      })
      return { relations: floats(relations), edits: floats(edits) }
    },
  }
}

/** The model with all that it stands on, for a command or a bench. */
export async function openWholeFactsModel(): Promise<FactsModel> {
  const [lower, tokenizer] = await Promise.all([openLowerLayers(1), openTokenizer()])
  return openFactsModel(lower, tokenizer, 1)
}
