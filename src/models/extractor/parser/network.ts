import { createEmbedding } from './embedding.ts'
import { createMatrices, type Matrix, paddedColumns, paddedRows } from './matrices.ts'
import type { Weights } from './weights.ts'

/** Positions a sentence may have, the root included: bounds memory and the square cost of arc scores. */
export const longestSentence = 130

/** Scores of one sentence; position 0 is the root. Rows are contiguous. */
export interface NetworkScores {
  readonly size: number
  readonly tags: Rows
  readonly names: Rows
  /** Row: dependent, column: head. */
  readonly arcs: Rows
  /** Scores of every label of a position under the given head. */
  labels(heads: Int32Array): Rows
}

/** Numbers in rows of equal width. */
export interface Rows {
  readonly width: number
  readonly values: Float32Array
}

/** The trained network: words in, scores out. One sentence at a time; not shared between threads. */
export function createNetwork(weights: Weights): (words: readonly string[]) => NetworkScores {
  const matrices = createMatrices()
  const { kernel } = matrices
  const embedding = createEmbedding(weights)
  const { hidden, arc, label } = weights.sizes
  const width = 2 * hidden
  const layers = readLayers()
  const dense = (name: string, rows: number) =>
    matrices.matrix(weights.tensor(`${name}.weight`), rows, width, weights.tensor(`${name}.bias`))
  const tagHead = dense('tag', weights.tags.length)
  const nameHead = dense('ner', nameTags)
  const arcDependent = dense('ad', arc)
  const arcHead = dense('ah', arc)
  const labelDependent = dense('ld', label)
  const labelHead = dense('lh', label)
  const arcBilinear = matrices.matrix(transposed(weights.tensor('U'), arc + 1, arc), arc, arc + 1, null)
  const labelRows = weights.labels.length * (label + 1)
  const labelBilinear = matrices.matrix(weights.tensor('V'), labelRows, label + 1, null)
  const root = weights.tensor('root')
  const scratch = reserveScratch()

  function readLayers() {
    return Array.from({ length: weights.sizes.layers }, (_, layer) =>
      ['', '_reverse'].map((direction) => {
        const inputs = layer === 0 ? embedding.size : width
        const part = (name: string) => weights.tensor(`rnn.${name}_l${layer}${direction}`)
        const bias = added(part('bias_ih'), part('bias_hh'))
        return {
          input: matrices.matrix(part('weight_ih'), 4 * hidden, inputs, bias),
          state: matrices.matrix(part('weight_hh'), 4 * hidden, hidden, null),
        }
      }),
    )
  }

  function reserveScratch() {
    const n = longestSentence
    const widest = paddedColumns(Math.max(embedding.size, width))
    return {
      inputs: matrices.reserve(n * widest * 2),
      gates: matrices.reserve(n * 4 * hidden * 4),
      state: matrices.reserve(paddedColumns(hidden) * 2),
      cells: matrices.reserve(hidden * 4),
      recurrent: matrices.reserve(4 * hidden * 4),
      zeros: matrices.reserve(paddedRows(Math.max(4 * hidden, n)) * 4),
      hidden: matrices.reserve(n * width * 4),
      small: matrices.reserve(n * paddedColumns(arc + 1) * 2),
      outputs: matrices.reserve(n * Math.max(labelBilinear.rows, 4 * hidden) * 4),
    }
  }

  function multiply(matrix: Matrix, inputsAt: number, count: number, scale: number): Rows {
    const { at, scalesAt, biasesAt, rows, columns } = matrix
    kernel.multiply(at, inputsAt, scratch.outputs, scalesAt, biasesAt, rows, columns, count, scale)
    return { width: rows, values: matrices.floats(scratch.outputs, count * rows).slice() }
  }

  /** Runs the layers; leaves the last one's output, quantised, in `scratch.inputs` and returns its scale. */
  function encode(words: readonly string[]): number {
    const size = words.length + 1
    let values = new Float32Array(size * embedding.size)
    values.set(root, 0)
    for (const [index, word] of words.entries()) {
      values.set(embedding.embed(word), (index + 1) * embedding.size)
    }
    let columns = embedding.size
    for (const layer of layers) {
      const scale = matrices.quantise(values, size, columns, scratch.inputs, paddedColumns(columns))
      for (const [backwards, { input, state }] of layer.entries()) {
        const { rows, columns: inner, scalesAt, biasesAt, at } = input
        kernel.multiply(at, scratch.inputs, scratch.gates, scalesAt, biasesAt, rows, inner, size, scale)
        const { gates, zeros, cells, recurrent } = scratch
        kernel.recur(
          ...[gates, state.at, state.scalesAt, zeros, scratch.state, cells, recurrent, scratch.hidden],
          ...[size, hidden, state.columns, width, backwards * hidden, backwards],
        )
      }
      values = matrices.floats(scratch.hidden, size * width).slice()
      columns = width
    }
    return matrices.quantise(values, size, width, scratch.inputs, width)
  }

  return (words) => {
    const size = words.length + 1
    const scale = encode(words)
    const head = (matrix: Matrix) => multiply(matrix, scratch.inputs, size, scale)
    const tags = head(tagHead)
    const names = head(nameHead)
    const heads = leaky(head(arcHead), arc, size)
    const dependents = withOne(leaky(head(arcDependent), arc, size), arc, size)
    const labelDependents = leaky(head(labelDependent), label, size)
    const labelHeads = leaky(head(labelHead), label, size)
    const smallScale = matrices.quantise(dependents, size, arc + 1, scratch.small, arcBilinear.columns)
    const mapped = multiply(arcBilinear, scratch.small, size, smallScale)
    return {
      size,
      tags,
      names,
      arcs: dotProducts(mapped.values, mapped.width, heads, arc, size),
      labels(chosen) {
        const rows = new Float32Array(size * label)
        for (let i = 0; i < size; i++) {
          const from = (chosen[i] ?? 0) * label
          rows.set(labelHeads.subarray(from, from + label), i * label)
        }
        const inputs = withOne(rows, label, size)
        const inputScale = matrices.quantise(inputs, size, label + 1, scratch.small, labelBilinear.columns)
        const products = multiply(labelBilinear, scratch.small, size, inputScale)
        return labelScores(products, labelDependents, label, size, weights.labels.length)
      },
    }
  }
}

/** Outside, then begin and inside of a person, a place, an organization. */
const nameTags = 7

function added(a: Float32Array, b: Float32Array): Float32Array {
  return a.map((value, index) => value + (b[index] ?? 0))
}

function transposed(values: Float32Array, rows: number, columns: number): Float32Array {
  const result = new Float32Array(values.length)
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) result[j * rows + i] = values[i * columns + j] ?? 0
  }
  return result
}

/** Leaky rectifier over the first `columns` of each row, packed. */
function leaky(rows: Rows, columns: number, count: number): Float32Array {
  const result = new Float32Array(count * columns)
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < columns; k++) {
      const value = rows.values[i * rows.width + k] ?? 0
      result[i * columns + k] = value > 0 ? value : 0.1 * value
    }
  }
  return result
}

/** The same rows with a 1 at the end of each: the bias of a bilinear form. */
function withOne(values: Float32Array, columns: number, count: number): Float32Array {
  const result = new Float32Array(count * (columns + 1)).fill(1)
  for (let i = 0; i < count; i++) {
    result.set(values.subarray(i * columns, (i + 1) * columns), i * (columns + 1))
  }
  return result
}

const impossible = -1e4

function dotProducts(a: Float32Array, aWidth: number, b: Float32Array, columns: number, size: number): Rows {
  const values = new Float32Array(size * size)
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < size; j++) {
      let sum = 0
      for (let k = 0; k < columns; k++) sum += (a[i * aWidth + k] ?? 0) * (b[j * columns + k] ?? 0)
      values[i * size + j] = i === j || i === 0 ? impossible : sum
    }
  }
  return { width: size, values }
}

function labelScores(
  products: Rows,
  dependents: Float32Array,
  columns: number,
  size: number,
  count: number,
): Rows {
  const values = new Float32Array(size * count)
  for (let i = 0; i < size; i++) {
    for (let l = 0; l < count; l++) {
      const from = i * products.width + l * (columns + 1)
      let sum = products.values[from + columns] ?? 0
      for (let k = 0; k < columns; k++) {
        sum += (products.values[from + k] ?? 0) * (dependents[i * columns + k] ?? 0)
      }
      values[i * count + l] = sum
    }
  }
  return { width: count, values }
}
