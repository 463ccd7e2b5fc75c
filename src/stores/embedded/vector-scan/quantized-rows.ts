import type { Vector } from '../../../core/vectors.ts'
import { blockBytes, largestDimensions, layoutFor, type ScanArena } from './arena.ts'
import { quantize, type Rounded } from './rounded.ts'

/** Sees a row whose product with the question may reach the floor: it is within `margin` of `value`. Gives the floor from here on. */
export type SeeRow = (row: number, value: number, margin: number) => number

/** Vectors as 8-bit integers, one scale a row. */
export interface QuantizedRows {
  readonly count: number
  readonly bytes: number
  /** The number of the new row. */
  append(rounded: Rounded): number
  /** Shows every row that may reach the floor, which `see` raises as it goes. None that reaches it is left out. */
  scan(question: Vector, see: SeeRow): void
  /** The product of one row with the question, rounded as the row is. */
  product(row: number, question: Vector): number
  release(): void
}

/** Room for rounding to 32-bit floats in the bound's own arithmetic, for vectors of length 1. */
const slack = 2e-6

/** What the kernel's 7-bit products are exact for, and what it adds so that none is negative. */
const largestCoarse = 63
const coarseOffset = 64

/** Throws on vectors of another length: they come from another model. */
export function createQuantizedRows(arena: ScanArena, dimensions: number): QuantizedRows {
  if (dimensions > largestDimensions) throw new Error(`Vectors of ${dimensions} dimensions are too long.`)
  const layout = layoutFor(dimensions)
  const blocks: number[] = []
  const coarse = new Int8Array(layout.columns)
  const fine = new Int16Array(layout.columns)
  // The largest that cannot overflow a 32-bit sum of products.
  const largestFine = Math.min(32_767, Math.floor((2 ** 31 - 1) / (127 * layout.columns)))
  let count = 0
  let longest = 0

  const check = (length: number) => {
    if (length === dimensions) return
    throw new Error(`A vector of ${length} dimensions met vectors of ${dimensions}.`)
  }
  const ask = (question: Vector) => {
    const roughly = quantize(question, largestCoarse, coarse)
    const closely = quantize(question, largestFine, fine)
    for (let at = 0; at < dimensions; at++) coarse[at] = (coarse[at] ?? 0) + coarseOffset
    arena.ask(coarse, fine)
    const room = slack * (longest * closely.length + 1)
    return {
      coarse: { scale: roughly.scale, fixed: longest * roughly.error + room },
      fine: { scale: closely.scale, fixed: longest * closely.error + room },
      factor: closely.length,
    }
  }

  return {
    get count() {
      return count
    },
    get bytes() {
      return blocks.length * blockBytes
    },
    append: (rounded) => {
      check(rounded.values.length)
      const row = count++
      const place = row % layout.rows
      if (place === 0) blocks.push(arena.allocate())
      arena.store(blocks.at(-1) ?? 0, layout, place, rounded)
      longest = Math.max(longest, rounded.length * 1.000001)
      return row
    },
    scan: (question, see) => {
      check(question.length)
      const bounds = { ...ask(question), floor: Number.NEGATIVE_INFINITY }
      for (let index = 0; index < blocks.length; index++) {
        const first = index * layout.rows
        const found = arena.scan(blocks[index] ?? 0, layout, Math.min(layout.rows, count - first), bounds)
        for (let at = 0; at < found.count; at++) {
          bounds.floor = see(first + found.row(at), found.value(at), found.margin(at))
        }
      }
    },
    product: (row, question) => {
      check(question.length)
      const block = blocks[Math.floor(row / layout.rows)] ?? 0
      return arena.product(block, layout, row % layout.rows, question)
    },
    release: () => {
      for (const block of blocks) arena.release(block)
      blocks.length = 0
      count = 0
    },
  }
}
