import type { Vector } from '../../../core/vectors.ts'

/** A vector as 8-bit integers: `scale` times `values`, off by a vector no longer than `error`. */
export interface Rounded {
  readonly values: Int8Array
  readonly scale: number
  readonly error: number
  /** Of the integers: their sum, and the length of what they stand for. */
  readonly sum: number
  readonly length: number
}

const largest = 127
const headerBytes = 16

/** Makes the rounded vector as the store keeps it beside the exact one, at a quarter of its size. */
export function roundVector(vector: Vector): Uint8Array {
  const bytes = new Uint8Array(headerBytes + vector.length)
  const values = new Int8Array(bytes.buffer, headerBytes)
  const { scale, error } = quantize(vector, largest, values)
  let sum = 0
  let squares = 0
  for (const value of values) {
    sum += value
    squares += value * value
  }
  const header = new DataView(bytes.buffer)
  ;[scale, error, sum, scale * Math.sqrt(squares)].forEach((number, at) => {
    header.setFloat32(at * 4, number, true)
  })
  return bytes
}

/** Reads what `roundVector` made. The values are a view. */
export function readRounded(bytes: Uint8Array): Rounded {
  const header = new DataView(bytes.buffer, bytes.byteOffset, headerBytes)
  const number = (at: number) => header.getFloat32(at * 4, true)
  return {
    values: new Int8Array(bytes.buffer, bytes.byteOffset + headerBytes, bytes.byteLength - headerBytes),
    scale: number(0),
    error: number(1),
    sum: number(2),
    length: number(3),
  }
}

export function isSame(a: Rounded, b: Rounded): boolean {
  if (a.scale !== b.scale || a.error !== b.error || a.values.length !== b.values.length) return false
  for (let at = 0; at < a.values.length; at++) if (a.values[at] !== b.values[at]) return false
  return true
}

export interface Quantized {
  readonly scale: number
  /** Length of what rounding took away, and of the vector itself. */
  readonly error: number
  readonly length: number
}

/** Writes the vector as integers up to `largest`; what lies behind it in `into` stays as it is, zero. */
export function quantize(vector: Vector, largest: number, into: Int8Array | Int16Array): Quantized {
  let peak = 0
  let squares = 0
  for (let at = 0; at < vector.length; at++) {
    const value = vector[at] ?? 0
    peak = Math.max(peak, Math.abs(value))
    squares += value * value
  }
  if (!Number.isFinite(squares)) throw new Error('A vector holds a value that is no number.')
  // As a 32-bit float from the start: that is what is kept, and what the error is measured against.
  const scale = Math.fround(peak / largest)
  const inverse = scale === 0 ? 0 : 1 / scale
  let lost = 0
  for (let at = 0; at < vector.length; at++) {
    const value = vector[at] ?? 0
    const rounded = Math.max(-largest, Math.min(largest, Math.round(value * inverse)))
    const missing = value - rounded * scale
    into[at] = rounded
    lost += missing * missing
  }
  // Kept as a 32-bit float: a little more, so that rounding down never makes the bound too small.
  return { scale, error: Math.sqrt(lost) * 1.000001, length: Math.sqrt(squares) }
}
