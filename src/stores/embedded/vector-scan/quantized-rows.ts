import type { Vector } from '../../../core/vectors.ts'
import { blockBytes, largestDimensions, type ScanArena } from './arena.ts'
import { grown } from './grown.ts'

/** Every row's product with a question, up to a bound: |exact - value| <= error * errorFactor + fixed. */
export interface Estimates {
  readonly values: Float64Array
  readonly errors: Float32Array
  readonly errorFactor: number
  readonly fixed: number
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
  const rowScratch = new Int8Array(columns)
  const questionScratch = new Int16Array(columns)
  // The largest that cannot overflow a 32-bit sum of products.
  const largestAsked = Math.min(32_767, Math.floor((2 ** 31 - 1) / (127 * columns)))

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
      const { scale, error, length } = quantize(vector, 127, rowScratch)
      const row = count++
      if (row % rowsPerBlock === 0) blocks.push(arena.allocate())
      arena.store(blocks.at(-1) ?? 0, (row % rowsPerBlock) * columns, rowScratch)
      scales = grown(scales, count)
      errors = grown(errors, count)
      scales[row] = scale
      errors[row] = error
      longest = Math.max(longest, length + error)
      return row
    },
    estimate: (question) => {
      check(question)
      const asked = quantize(question, largestAsked, questionScratch)
      arena.ask(questionScratch)
      values = grown(values, count)
      for (let at = 0; at < blocks.length; at++) {
        const first = at * rowsPerBlock
        const rows = Math.min(rowsPerBlock, count - first)
        scaled(arena.scan(blocks[at] ?? 0, rows, columns), scales, asked.scale, { into: values, first, rows })
      }
      return { values, errors, errorFactor: asked.length, fixed: longest * asked.error + slack }
    },
    release: () => {
      for (const block of blocks) arena.release(block)
      blocks.length = 0
      count = 0
    },
  }
}

/** Turns the integer products of a block into estimates. */
function scaled(
  dots: Int32Array,
  scales: Float64Array,
  scale: number,
  { into, first, rows }: { readonly into: Float64Array; readonly first: number; readonly rows: number },
): void {
  for (let at = 0; at < rows; at++) {
    const row = first + at
    into[row] = (dots[at] ?? 0) * (scales[row] ?? 0) * scale
  }
}

interface Quantized {
  readonly scale: number
  /** Length of what rounding took away, and of the vector itself. */
  readonly error: number
  readonly length: number
}

/** Writes the vector as integers up to `largest`; what lies behind it in `into` stays as it is, zero. */
function quantize(vector: Vector, largest: number, into: Int8Array | Int16Array): Quantized {
  let peak = 0
  let squares = 0
  for (let at = 0; at < vector.length; at++) {
    const value = vector[at] ?? 0
    peak = Math.max(peak, Math.abs(value))
    squares += value * value
  }
  if (!Number.isFinite(squares)) throw new Error('A vector holds a value that is no number.')
  const scale = peak / largest
  const inverse = scale === 0 ? 0 : 1 / scale
  let lost = 0
  for (let at = 0; at < vector.length; at++) {
    const value = vector[at] ?? 0
    const rounded = Math.round(value * inverse)
    const missing = value - rounded * scale
    into[at] = rounded
    lost += missing * missing
  }
  // Kept as a 32-bit float: a little more, so that rounding down never makes the bound too small.
  return { scale, error: Math.sqrt(lost) * 1.000001, length: Math.sqrt(squares) }
}
