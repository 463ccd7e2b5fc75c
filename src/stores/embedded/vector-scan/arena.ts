import { readFileSync } from 'node:fs'

/** Rows live in blocks of one WebAssembly page: small enough that a small namespace costs little. */
export const blockBytes = 65_536

/** Longest vector the arena takes: what one page holds four rows of. */
export const largestDimensions = 16_368

/** The first page takes what a scan finds, the second the question. */
const foundAt = 1_024
const questionAt = blockBytes
const firstPages = 2
const pagesPerGrowth = 16
const largestPages = 65_536

/** Where the parts of a block begin, in bytes from its start. */
export interface BlockLayout {
  readonly columns: number
  readonly rows: number
  readonly scalesAt: number
  readonly errorsAt: number
}

/** As many rows as fit, with a scale and an error each; a multiple of four. */
export function layoutFor(dimensions: number): BlockLayout {
  const columns = Math.max(16, Math.ceil(dimensions / 16) * 16)
  const rows = Math.floor(blockBytes / (columns + 8) / 4) * 4
  return { columns, rows, scalesAt: rows * columns, errorsAt: rows * (columns + 4) }
}

/** What turns a scan's integers into numbers, and the least that matters. */
export interface ScanBounds {
  readonly scale: number
  readonly factor: number
  readonly fixed: number
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
  /** Writes a row of a block. */
  store(
    block: number,
    layout: BlockLayout,
    row: number,
    values: Int8Array,
    scale: number,
    error: number,
  ): void
  /** Sets the question of the scans that follow. */
  ask(question: Int16Array): void
  scan(block: number, layout: BlockLayout, count: number, bounds: ScanBounds): Found
}

type Scan = (...numbers: readonly number[]) => number

/** Grows as blocks are asked for; released blocks are used again. */
export function createScanArena(): ScanArena {
  const memory = new WebAssembly.Memory({ initial: firstPages, maximum: largestPages })
  const scanRows = loadKernel(memory)
  const free: number[] = []
  let integers = new Int32Array(memory.buffer)
  let floats = new Float32Array(memory.buffer)
  let found = 0

  const grow = () => {
    const first = memory.grow(pagesPerGrowth)
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
    store: (block, { columns, scalesAt, errorsAt }, row, values, scale, error) => {
      new Int8Array(memory.buffer, block + row * columns, columns).set(values)
      floats[((block + scalesAt) >> 2) + row] = scale
      floats[((block + errorsAt) >> 2) + row] = error
    },
    ask: (question) => new Int16Array(memory.buffer, questionAt, question.length).set(question),
    scan: (block, { columns, scalesAt, errorsAt }, count, { scale, factor, fixed, floor }) => {
      const [scales, errors] = [block + scalesAt, block + errorsAt]
      found = scanRows(
        questionAt,
        block,
        scales,
        errors,
        foundAt,
        count,
        columns,
        scale,
        factor,
        fixed,
        floor,
      )
      return result
    },
  }
}

function loadKernel(memory: WebAssembly.Memory): Scan {
  const code = readFileSync(new URL('./scan.wasm', import.meta.url))
  const instance = new WebAssembly.Instance(new WebAssembly.Module(code), { env: { memory } })
  return instance.exports.scan as Scan
}
