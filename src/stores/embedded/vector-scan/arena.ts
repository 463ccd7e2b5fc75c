import { readFileSync } from 'node:fs'

/** Rows live in blocks of one WebAssembly page: small enough that a small namespace costs little. */
export const blockBytes = 65_536

/** Longest vector the arena takes: what the question's place in the first page holds. */
export const largestDimensions = 16_384

/** The first page: nothing at address 0, then the question, then the products of one block. */
const questionAt = 16_384
const dotsAt = questionAt + largestDimensions * 2
const pagesPerGrowth = 16
const largestPages = 65_536

/** Memory for the rows of every index of a thread. One arena, because each WebAssembly memory reserves gigabytes of addresses. */
export interface ScanArena {
  /** The address of an empty block. */
  allocate(): number
  release(block: number): void
  /** Writes at a byte offset of a block. */
  store(block: number, offset: number, values: Int8Array): void
  /** Sets the question of the scans that follow. */
  ask(question: Int16Array): void
  /** The products of the question with the first `count` rows of a block; valid until the next scan. */
  scan(block: number, count: number, columns: number): Int32Array
}

type Scan = (question: number, rows: number, dots: number, count: number, columns: number) => void

/** Grows as blocks are asked for; released blocks are used again. */
export function createScanArena(): ScanArena {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: largestPages })
  const scanRows = loadKernel(memory)
  const free: number[] = []
  let bytes = new Int8Array(memory.buffer)
  let dots = new Int32Array(memory.buffer, dotsAt)

  const grow = () => {
    const first = memory.grow(pagesPerGrowth)
    bytes = new Int8Array(memory.buffer)
    dots = new Int32Array(memory.buffer, dotsAt, (blockBytes - dotsAt) / 4)
    for (let page = pagesPerGrowth - 1; page >= 0; page--) free.push((first + page) * blockBytes)
  }
  return {
    allocate: () => {
      if (free.length === 0) grow()
      return free.pop() ?? 0
    },
    release: (block) => {
      // A released block holds nothing of what was forgotten.
      bytes.fill(0, block, block + blockBytes)
      free.push(block)
    },
    store: (block, offset, values) => bytes.set(values, block + offset),
    ask: (question) => new Int16Array(memory.buffer, questionAt, largestDimensions).set(question),
    scan: (block, count, columns) => {
      scanRows(questionAt, block, dotsAt, count, columns)
      return dots
    },
  }
}

function loadKernel(memory: WebAssembly.Memory): Scan {
  const code = readFileSync(new URL('./scan.wasm', import.meta.url))
  const instance = new WebAssembly.Instance(new WebAssembly.Module(code), { env: { memory } })
  return instance.exports.scan as Scan
}
