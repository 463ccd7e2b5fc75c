import type { Vector } from '../../../core/vectors.ts'
import { blockBytes, largestDimensions, layoutFor, type ScanArena } from './arena.ts'

/** Sees a row whose product with the question may reach the floor: it is within `margin` of `value`. Gives the floor from here on. */
export type SeeRow = (row: number, value: number, margin: number) => number

/** Vectors as 8-bit integers, one scale a row. */
export interface QuantizedRows {
  readonly count: number
  readonly bytes: number
  /** The number of the new row. */
  append(vector: Vector): number
  /** Shows every row that may reach the floor, which `see` raises as it goes. None that reaches it is left out. */
  scan(question: Vector, see: SeeRow): void
  release(): void
}

/** Room for rounding to 32-bit floats in the bound's own arithmetic, for vectors of length 1. */
const slack = 2e-6

/** Throws on vectors of another length: they come from another model. */
export function createQuantizedRows(arena: ScanArena, dimensions: number): QuantizedRows {
  if (dimensions > largestDimensions) throw new Error(`Vectors of ${dimensions} dimensions are too long.`)
  const layout = layoutFor(dimensions)
  const blocks: number[] = []
  const rowScratch = new Int8Array(layout.columns)
  const questionScratch = new Int16Array(layout.columns)
  // The largest that cannot overflow a 32-bit sum of products.
  const largestAsked = Math.min(32_767, Math.floor((2 ** 31 - 1) / (127 * layout.columns)))
  let count = 0
  let longest = 0

  const check = (vector: Vector) => {
    if (vector.length === dimensions) return
    throw new Error(`A vector of ${vector.length} dimensions met vectors of ${dimensions}.`)
  }

  return {
    get count() {
      return count
    },
    get bytes() {
      return blocks.length * blockBytes
    },
    append: (vector) => {
      check(vector)
      const { scale, error, length } = quantize(vector, 127, rowScratch)
      const row = count++
      const place = row % layout.rows
      if (place === 0) blocks.push(arena.allocate())
      arena.store(blocks.at(-1) ?? 0, layout, place, rowScratch, scale, error)
      longest = Math.max(longest, length + error)
      return row
    },
    scan: (question, see) => {
      check(question)
      const asked = quantize(question, largestAsked, questionScratch)
      arena.ask(questionScratch)
      const fixed = longest * asked.error + slack * (longest * asked.length + 1)
      let floor = Number.NEGATIVE_INFINITY
      for (let index = 0; index < blocks.length; index++) {
        const first = index * layout.rows
        const bounds = { scale: asked.scale, factor: asked.length, fixed, floor }
        const found = arena.scan(blocks[index] ?? 0, layout, Math.min(layout.rows, count - first), bounds)
        for (let at = 0; at < found.count; at++) {
          floor = see(first + found.row(at), found.value(at), found.margin(at))
        }
      }
    },
    release: () => {
      for (const block of blocks) arena.release(block)
      blocks.length = 0
      count = 0
    },
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
