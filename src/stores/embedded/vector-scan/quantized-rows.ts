import type { Vector } from '../../../core/vectors.ts'
import { blockBytes, largestDimensions, type ScanArena } from './arena.ts'
import { grown } from './grown.ts'

/** The cosine of every row, known up to a bound: the true one is never further away than `margins` says. */
export interface Estimates {
  readonly values: Float64Array
  readonly margins: Float64Array
}

/** Vectors as 8-bit integers, one scale a row. */
export interface QuantizedRows {
  readonly dimensions: number
  readonly count: number
  readonly bytes: number
  /** The number of the new row. */
  append(vector: Vector): number
  /** Estimates of every row's product with the question; valid until the next call. */
  estimate(question: Vector): Estimates
  release(): void
}

/** Room for rounding in the bound's own arithmetic, far above it and far below any margin. */
const slack = 1e-7

/** Rejects vectors of another length: they come from another model. */
export function createQuantizedRows(arena: ScanArena, dimensions: number): QuantizedRows {
  if (dimensions > largestDimensions) throw new Error(`Vectors of ${dimensions} dimensions are too long.`)
  const columns = Math.max(16, Math.ceil(dimensions / 16) * 16)
  const rowsPerBlock = Math.floor(Math.min(blockBytes / columns, blockBytes / 16))
  const blocks: number[] = []
  let count = 0
  let scales = new Float64Array(64)
  let errors = new Float32Array(64)
  let longest = 0
  let values = new Float64Array(0)
  let margins = new Float64Array(0)

  const check = (vector: Vector) => {
    if (vector.length === dimensions) return
    throw new Error(`A vector of ${vector.length} dimensions met vectors of ${dimensions}.`)
  }

  return {
    dimensions,
    get count() {
      return count
    },
    get bytes() {
      return blocks.length * blockBytes + scales.byteLength + errors.byteLength
    },
    append: (vector) => {
      check(vector)
      const row = count++
      if (row % rowsPerBlock === 0) blocks.push(arena.allocate())
      const { values: integers, scale, error, length } = quantize(vector, 127)
      arena.store(blocks.at(-1) ?? 0, (row % rowsPerBlock) * columns, padded(integers, columns))
      scales = grown(scales, count)
      errors = grown(errors, count)
      scales[row] = scale
      errors[row] = error
      longest = Math.max(longest, length + error)
      return row
    },
    estimate: (question) => {
      check(question)
      // The largest that cannot overflow a 32-bit sum of products.
      const limit = Math.min(32_767, Math.floor((2 ** 31 - 1) / (127 * columns)))
      const asked = quantize(question, limit)
      arena.ask(padded16(asked.values, columns))
      values = grown(values, count)
      margins = grown(margins, count)
      const fixed = longest * asked.error + slack
      blocks.forEach((block, index) => {
        const first = index * rowsPerBlock
        const rows = Math.min(rowsPerBlock, count - first)
        const dots = arena.scan(block, rows, columns)
        for (let at = 0; at < rows; at++) {
          const row = first + at
          values[row] = (dots[at] ?? 0) * (scales[row] ?? 0) * asked.scale
          margins[row] = (errors[row] ?? 0) * asked.length + fixed
        }
      })
      return { values, margins }
    },
    release: () => {
      for (const block of blocks) arena.release(block)
      blocks.length = 0
      count = 0
    },
  }
}

interface Quantized {
  readonly values: Float64Array
  readonly scale: number
  /** Length of what rounding took away, and of the vector itself. */
  readonly error: number
  readonly length: number
}

function quantize(vector: Vector, largest: number): Quantized {
  let peak = 0
  let squares = 0
  for (let at = 0; at < vector.length; at++) {
    const value = vector[at] ?? 0
    const size = Math.abs(value)
    if (!(size < Number.POSITIVE_INFINITY)) throw new Error('A vector holds a value that is no number.')
    if (size > peak) peak = size
    squares += value * value
  }
  const values = new Float64Array(vector.length)
  const scale = peak / largest
  let lost = 0
  for (let at = 0; scale > 0 && at < vector.length; at++) {
    const value = vector[at] ?? 0
    const rounded = Math.round(value / scale)
    values[at] = rounded
    lost += (value - rounded * scale) ** 2
  }
  // Kept as 32-bit floats: a little more, so that rounding down never makes the bound too small.
  return { values, scale, error: Math.sqrt(lost) * 1.000001, length: Math.sqrt(squares) }
}

function padded(values: Float64Array, columns: number): Int8Array {
  const result = new Int8Array(columns)
  result.set(values)
  return result
}

function padded16(values: Float64Array, columns: number): Int16Array {
  const result = new Int16Array(columns)
  result.set(values)
  return result
}
