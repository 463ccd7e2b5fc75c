import { readFileSync } from 'node:fs'

/** A matrix inside the kernel's memory: 16-bit rows, one scale and one bias a row, padded with zeros. */
export interface Matrix {
  readonly at: number
  readonly scalesAt: number
  readonly biasesAt: number
  /** Rounded up to a multiple of 4. */
  readonly rows: number
  /** Rounded up to a multiple of 8. */
  readonly columns: number
}

interface Kernel {
  multiply(
    weights: number,
    inputs: number,
    outputs: number,
    scales: number,
    biases: number,
    rows: number,
    columns: number,
    count: number,
    inputScale: number,
  ): void
  recur(...numbers: number[]): void
}

/** Weights keep 11 bits and inputs 12, so that a sum over 300 products fits in 32 bits. */
const weightRange = 2047
const inputRange = 4095
const pageBytes = 65_536

export const paddedRows = (rows: number) => (rows + 3) & ~3
export const paddedColumns = (columns: number) => (columns + 7) & ~7

/** The kernel and its memory. Memory is only ever added: everything is laid out once, at load. */
export interface Matrices {
  readonly kernel: Kernel
  reserve(bytes: number): number
  floats(at: number, length: number): Float32Array
  matrix(values: Float32Array, rows: number, columns: number, bias: Float32Array | null): Matrix
  /** Writes `count` rows of floats as integers at `at`; returns the scale that turns them back. */
  quantise(values: Float32Array, count: number, columns: number, at: number, width: number): number
}

/** Compiles the kernel that is shipped beside this code. */
export function createMatrices(): Matrices {
  const memory = new WebAssembly.Memory({ initial: 16 })
  const bytes = readFileSync(new URL('../kernel/matrix.wasm', import.meta.url))
  const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), {
    env: { memory, abort: () => undefined },
  })
  let top = 1024
  const reserve = (length: number) => {
    const at = (top + 15) & ~15
    top = at + length
    const missing = Math.ceil(top / pageBytes) - memory.buffer.byteLength / pageBytes
    if (missing > 0) memory.grow(missing + 16)
    return at
  }
  const floats = (at: number, length: number) => new Float32Array(memory.buffer, at, length)

  function matrix(values: Float32Array, rows: number, columns: number, bias: Float32Array | null): Matrix {
    const height = paddedRows(rows)
    const width = paddedColumns(columns)
    const at = reserve(height * width * 2)
    const scalesAt = reserve(height * 4)
    const biasesAt = reserve(height * 4)
    const cells = new Int16Array(memory.buffer, at, height * width)
    const scales = floats(scalesAt, height)
    for (let row = 0; row < rows; row++) {
      const line = values.subarray(row * columns, (row + 1) * columns)
      const scale = largest(line) / weightRange
      scales[row] = scale
      for (let k = 0; k < columns; k++) cells[row * width + k] = Math.round((line[k] ?? 0) / scale)
    }
    if (bias) floats(biasesAt, height).set(bias.subarray(0, rows))
    return { at, scalesAt, biasesAt, rows: height, columns: width }
  }

  function quantise(values: Float32Array, count: number, columns: number, at: number, width: number): number {
    const cells = new Int16Array(memory.buffer, at, count * width)
    const scale = largest(values.subarray(0, count * columns)) / inputRange
    const factor = 1 / scale
    for (let row = 0; row < count; row++) {
      const from = row * columns
      const to = row * width
      for (let k = 0; k < columns; k++) {
        const value = (values[from + k] ?? 0) * factor
        // Storing into an integer cuts the fraction off: half a step away from zero makes that rounding.
        cells[to + k] = value < 0 ? value - 0.5 : value + 0.5
      }
      cells.fill(0, to + columns, to + width)
    }
    return scale
  }

  return { kernel: instance.exports as unknown as Kernel, reserve, floats, matrix, quantise }
}

function largest(values: Float32Array): number {
  let result = 1e-9
  for (let i = 0; i < values.length; i++) {
    const value = Math.abs(values[i] ?? 0)
    if (value > result) result = value
  }
  return result
}
