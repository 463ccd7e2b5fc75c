import type { Vector } from '../../../core/vectors.ts'
import { type BlockLayout, blockBytes, largestDimensions, layoutFor, type ScanArena } from './arena.ts'
import { grown } from './grown.ts'
import { quantize, type Rounded } from './rounded.ts'
import type { SnapshotStream } from './snapshot-stream.ts'

/** Sees a row whose product with the question may reach the floor: it is within `margin` of `value`. Gives the floor from here on. */
export type SeeRow = (row: number, value: number, margin: number) => number

/** Vectors as 8-bit integers, one scale a row. */
export interface QuantizedRows {
  readonly dimensions: number
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

/** Rounding down to a 32-bit float must not make the longest row shorter than it is. */
const noShorter = 1.000001

function layoutOf(dimensions: number): BlockLayout {
  if (dimensions > largestDimensions) throw new Error(`Vectors of ${dimensions} dimensions are too long.`)
  return layoutFor(dimensions)
}

function check(length: number, dimensions: number): void {
  if (length === dimensions) return
  throw new Error(`A vector of ${length} dimensions met vectors of ${dimensions}.`)
}

/** Puts the question to the arena; gives the bounds for rows that are no longer than `longest`. */
function ask(arena: ScanArena, { columns }: BlockLayout, question: Vector) {
  const coarse = new Int8Array(columns)
  const fine = new Int16Array(columns)
  // The largest that cannot overflow a 32-bit sum of products.
  const largestFine = Math.min(32_767, Math.floor((2 ** 31 - 1) / (127 * columns)))
  const roughly = quantize(question, largestCoarse, coarse)
  const closely = quantize(question, largestFine, fine)
  for (let at = 0; at < question.length; at++) coarse[at] = (coarse[at] ?? 0) + coarseOffset
  arena.ask(coarse, fine)
  return (longest: number) => {
    const room = slack * (longest * closely.length + 1)
    return {
      coarse: { scale: roughly.scale, fixed: longest * roughly.error + room },
      fine: { scale: closely.scale, fixed: longest * closely.error + room },
      factor: closely.length,
      floor: Number.NEGATIVE_INFINITY,
    }
  }
}

/** Rows that stay. */
export interface ResidentRows extends QuantizedRows {
  /** Leaves zeros in the place of a row. */
  clear(row: number): void
  serialize(stream: SnapshotStream): void
}

/** Throws on vectors of another length: they come from another model. */
export function createQuantizedRows(arena: ScanArena, dimensions: number): ResidentRows {
  const layout = layoutOf(dimensions)
  const blocks: number[] = []
  let count = 0
  let longest = 0
  const empty = { values: new Int8Array(dimensions), scale: 0, error: 0, sum: 0, length: 0 }

  return {
    dimensions,
    get count() {
      return count
    },
    get bytes() {
      return blocks.length * blockBytes
    },
    append: (rounded) => {
      check(rounded.values.length, dimensions)
      const row = count++
      const place = row % layout.rows
      if (place === 0) blocks.push(arena.allocate())
      arena.store(blocks.at(-1) ?? 0, layout, place, rounded)
      longest = Math.max(longest, rounded.length * noShorter)
      return row
    },
    scan: (question, see) => {
      check(question.length, dimensions)
      const bounds = ask(arena, layout, question)(longest)
      // The newest first: a persona with few rows mostly has them together, and they turn the others away.
      for (let index = blocks.length - 1; index >= 0; index--) {
        const first = index * layout.rows
        const found = arena.scan(blocks[index] ?? 0, layout, Math.min(layout.rows, count - first), bounds)
        for (let at = 0; at < found.count; at++) {
          bounds.floor = see(first + found.row(at), found.value(at), found.margin(at))
        }
      }
    },
    product: (row, question) => {
      check(question.length, dimensions)
      const block = blocks[Math.floor(row / layout.rows)] ?? 0
      return arena.product(block, layout, row % layout.rows, question)
    },
    release: () => {
      for (const block of blocks) arena.release(block)
      blocks.length = 0
      count = 0
    },
    clear: (row) => arena.store(blocks[Math.floor(row / layout.rows)] ?? 0, layout, row % layout.rows, empty),
    serialize: (stream) => {
      count = stream.number(count)
      longest = stream.number(longest)
      // One after the other: where the number is damaged, the file ends before the memory does.
      for (let at = 0; at * layout.rows < count; at++) {
        const block = blocks[at] ?? arena.allocate()
        blocks[at] = block
        stream.block(() => arena.view(block))
      }
    },
  }
}

/** Rows for one question that is known before them: of each, only what the question makes of it is kept. */
export function createPassingRows(arena: ScanArena, question: Vector): QuantizedRows {
  const layout = layoutOf(question.length)
  const boundsFor = ask(arena, layout, question)
  const block = arena.allocate()
  let values = new Float32Array(64)
  let margins = new Float32Array(64)
  let count = 0
  let judged = 0
  let longest = 0

  const judge = () => {
    const found = arena.scan(block, layout, count - judged, boundsFor(longest))
    for (let at = 0; at < found.count; at++) {
      values[judged + found.row(at)] = found.value(at)
      margins[judged + found.row(at)] = found.margin(at)
    }
    judged = count
    longest = 0
  }
  const judgeFor = (asked: Vector) => {
    if (asked !== question) throw new Error('The rows were read for another question.')
    judge()
  }
  return {
    dimensions: question.length,
    get count() {
      return count
    },
    get bytes() {
      return blockBytes + values.byteLength + margins.byteLength
    },
    append: (rounded) => {
      check(rounded.values.length, question.length)
      if (count - judged === layout.rows) judge()
      values = grown(values, count + 1)
      margins = grown(margins, count + 1)
      arena.store(block, layout, count - judged, rounded)
      longest = Math.max(longest, rounded.length * noShorter)
      return count++
    },
    scan: (asked, see) => {
      judgeFor(asked)
      let floor = Number.NEGATIVE_INFINITY
      for (let row = 0; row < count; row++) {
        const [value, margin] = [values[row] ?? 0, margins[row] ?? 0]
        if (value + margin >= floor) floor = see(row, value, margin)
      }
    },
    product: (row, asked) => {
      judgeFor(asked)
      return values[row] ?? 0
    },
    release: () => arena.release(block),
  }
}
