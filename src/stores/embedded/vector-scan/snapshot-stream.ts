import { fstatSync, readSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import type { Numbers } from './grown.ts'

/**
 * A snapshot of indexes that is written or read. Both are one list of calls: each call gives back what it was given,
 * or, from a snapshot that is read, what was given to the same call then.
 */
export interface SnapshotStream {
  number(value: number): number
  list<T extends string | null>(list: readonly T[]): T[]
  array<T extends Numbers>(array: T): T
  /** Read into the bytes themselves. */
  bytes(bytes: Uint8Array): void
  /** A checksum: throws when what was read so far is not what was written. */
  seal(): void
}

const asBytes = ({ buffer, byteOffset, byteLength }: ArrayBufferView) =>
  new Uint8Array(buffer, byteOffset, byteLength)

/** Writes. Throws when the disk is full, or after so long. */
export function snapshotWriter(file: number, longestMs = Number.POSITIVE_INFINITY): SnapshotStream {
  const end = performance.now() + longestMs
  let sum = 0
  const bytes = (part: Uint8Array) => {
    if (performance.now() > end) throw new Error('Writing the index snapshot took too long.')
    sum = crc32(part, sum)
    for (let done = 0; done < part.length; ) done += writeSync(file, part, done)
  }
  const number = (value: number) => {
    bytes(asBytes(Float64Array.of(value)))
    return value
  }
  const sized = (part: Uint8Array) => {
    number(part.length)
    bytes(part)
  }
  return {
    bytes,
    number,
    seal: () => {
      number(sum)
    },
    list: (list) => {
      sized(Buffer.from(JSON.stringify(list)))
      return [...list]
    },
    array: (array) => {
      sized(asBytes(array))
      return array
    },
  }
}

/** Reads. Throws when the file ends too early. */
export function snapshotReader(file: number): SnapshotStream {
  let left = fstatSync(file).size
  let sum = 0
  const bytes = (into: Uint8Array) => {
    left -= into.length
    for (let done = 0; done < into.length; ) {
      const read = readSync(file, into, done, into.length - done, null)
      if (read === 0) throw new Error('The index snapshot ends too early.')
      done += read
    }
    sum = crc32(into, sum)
  }
  const number = () => {
    const value = new Float64Array(1)
    bytes(asBytes(value))
    return value[0] ?? 0
  }
  /** Makes room for what is there, and no more. */
  const length = () => {
    const size = number()
    if (size > left) throw new Error('The index snapshot ends too early.')
    return size
  }
  return {
    bytes,
    number,
    seal: () => {
      const expected = sum
      if (number() !== expected) throw new Error('The index snapshot is damaged.')
    },
    list: () => {
      const text = Buffer.allocUnsafe(length())
      bytes(text)
      return JSON.parse(text.toString())
    },
    array: <T extends Numbers>(like: T) => {
      const Type = like.constructor as new (length: number) => T
      const array = new Type(length() / like.BYTES_PER_ELEMENT)
      bytes(asBytes(array))
      return array
    },
  }
}
