import { readFileSync } from 'node:fs'
import type { Rounded } from './rounded.ts'

/** Rows live in blocks of one WebAssembly page: small enough that a small namespace costs little. */
export const blockBytes = 65_536

/** The kernel takes eight rows at a time. */
const together = 8
/** Beside the values of a row: its scale, its error and its sum. */
const besideBytes = 12

/** Longest vector the arena takes: what one page holds eight rows of. */
export const largestDimensions = 8_176

/** The first page takes what a scan finds, the second the question. */
const foundAt = 1_024
const questionAt = blockBytes
const firstPages = 2
const pagesPerGrowth = 16
const largestPages = 65_536

export interface BlockLayout {
  readonly columns: number
  /** How many rows a block has room for. */
  readonly rows: number
}

export function layoutFor(dimensions: number): BlockLayout {
  const columns = Math.max(16, Math.ceil(dimensions / 16) * 16)
  const rows = Math.floor(blockBytes / (columns + besideBytes) / together) * together
  return { columns, rows }
}

/** What turns a scan's integers into numbers, and the least that matters. */
export interface ScanBounds {
  readonly coarse: { readonly scale: number; readonly fixed: number }
  readonly fine: { readonly scale: number; readonly fixed: number }
  readonly factor: number
  readonly floor: number
}

/** Rows that may reach the floor: their numbers within the block, values and margins, until the next scan. */
export interface Found {
  readonly count: number
  row(at: number): number
  value(at: number): number
  margin(at: number): number
}

/** Memory for the rows of every index of a thread. One arena, because each WebAssembly memory reserves gigabytes of addresses. */
export interface ScanArena {
  /** The address of an empty block. */
  allocate(): number
  release(block: number): void
  /** The bytes of a block, until the next one is allocated. */
  view(block: number): Uint8Array
  /** Writes a row of a block. */
  store(block: number, layout: BlockLayout, row: number, rounded: Rounded): void
  /** Sets the question of the scans that follow: both hold as many values as a row has columns, `coarse` 1 to 127. */
  ask(coarse: Int8Array, fine: Int16Array): void
  scan(block: number, layout: BlockLayout, count: number, bounds: ScanBounds): Found
  /** The product of one row with a vector, as far as the row's 8 bits say it. */
  product(block: number, layout: BlockLayout, row: number, vector: Float32Array): number
}

type Scan = (...numbers: readonly number[]) => number

/** Grows as blocks are asked for; released blocks are used again. */
export function createScanArena(kernel = fastestKernel()): ScanArena {
  const memory = new WebAssembly.Memory({ initial: firstPages, maximum: largestPages })
  const scanRows = new WebAssembly.Instance(kernel, { env: { memory } }).exports.scan as Scan
  const free: number[] = []
  let bytes = new Int8Array(memory.buffer)
  let integers = new Int32Array(memory.buffer)
  let floats = new Float32Array(memory.buffer)
  let found = 0

  const grow = () => {
    const first = memory.grow(pagesPerGrowth)
    bytes = new Int8Array(memory.buffer)
    integers = new Int32Array(memory.buffer)
    floats = new Float32Array(memory.buffer)
    for (let page = pagesPerGrowth - 1; page >= 0; page--) free.push((first + page) * blockBytes)
  }
  const entry = (at: number) => (foundAt >> 2) + at * 3
  const result: Found = {
    get count() {
      return found
    },
    row: (at) => integers[entry(at)] ?? 0,
    value: (at) => floats[entry(at) + 1] ?? 0,
    margin: (at) => floats[entry(at) + 2] ?? 0,
  }
  return {
    allocate: () => {
      if (free.length === 0) grow()
      return free.pop() ?? 0
    },
    release: (block) => {
      // A released block holds nothing of what was forgotten.
      integers.fill(0, block >> 2, (block + blockBytes) >> 2)
      free.push(block)
    },
    view: (block) => new Uint8Array(memory.buffer, block, blockBytes),
    store: (block, { columns, rows }, row, { values, scale, error, sum }) => {
      bytes.set(values, block + row * columns)
      const beside = ((block + rows * columns) >> 2) + row
      floats[beside] = scale
      floats[beside + rows] = error
      integers[beside + 2 * rows] = sum
    },
    ask: (coarse, fine) => {
      bytes.set(coarse, questionAt)
      new Int16Array(memory.buffer, questionAt + coarse.length, fine.length).set(fine)
    },
    scan: (block, { columns, rows }, count, { coarse, fine, factor, floor }) => {
      found = scanRows(
        questionAt,
        block,
        foundAt,
        rows,
        count,
        columns,
        coarse.scale,
        coarse.fixed,
        fine.scale,
        fine.fixed,
        factor,
        floor,
      )
      return result
    },
    product: (block, { columns, rows }, row, vector) => {
      const start = block + row * columns
      // Four sums that do not wait for each other; rows have as many columns as 16 divides, with zeros at the end.
      let [a, b, c, d] = [0, 0, 0, 0]
      for (let at = 0; at < vector.length; at += 4) {
        a += (vector[at] ?? 0) * (bytes[start + at] ?? 0)
        b += (vector[at + 1] ?? 0) * (bytes[start + at + 1] ?? 0)
        c += (vector[at + 2] ?? 0) * (bytes[start + at + 2] ?? 0)
        d += (vector[at + 3] ?? 0) * (bytes[start + at + 3] ?? 0)
      }
      return (a + b + c + d) * (floats[((block + rows * columns) >> 2) + row] ?? 0)
    },
  }
}

/** The two builds of the kernel; they give the same numbers. */
export type KernelName = 'scan-relaxed.wasm' | 'scan.wasm'

const codeOf = (name: KernelName) => readFileSync(new URL(`./${name}`, import.meta.url))

export function loadKernel(name: KernelName): WebAssembly.Module {
  return new WebAssembly.Module(codeOf(name))
}

/** The one with relaxed SIMD where the machine has it. */
function fastestKernel(): WebAssembly.Module {
  return loadKernel(WebAssembly.validate(codeOf('scan-relaxed.wasm')) ? 'scan-relaxed.wasm' : 'scan.wasm')
}
