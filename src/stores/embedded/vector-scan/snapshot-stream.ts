import { fstatSync, readSync } from 'node:fs'
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
  /** The first so many values; read, there is room behind them. */
  prefix<T extends Numbers>(array: T, length: number): T
  /** The same of values that never change again. */
  settled<T extends Numbers>(array: T, length: number): T
  /** A block of memory, which may move; what stands in it does not change. Read into the block itself. */
  block(view: () => Uint8Array): void
  /** A checksum: throws when what was read so far is not what was written. */
  seal(): void
}

const asBytes = ({ buffer, byteOffset, byteLength }: ArrayBufferView) =>
  new Uint8Array(buffer, byteOffset, byteLength)

/** Bytes that are handed out at a time: ready in a few milliseconds. */
const pieceBytes = 2 ** 22

/** Strings of a list that stand together. */
const listedTogether = 10_000

export interface SnapshotWriter extends SnapshotStream {
  /** What was given since the last time, piece by piece, as it was then; each is valid until the next one is asked for. */
  pieces(): Generator<Uint8Array>
}

/** Takes notes: what may change is copied at once, the rest is looked up when its turn comes. */
export function snapshotWriter(): SnapshotWriter {
  const parts: (() => Uint8Array)[] = []
  let sum = 0
  const put = (part: Uint8Array) => {
    parts.push(() => part)
  }
  const number = (value: number) => {
    put(asBytes(Float64Array.of(value)))
    return value
  }
  const sized = (part: Uint8Array) => {
    number(part.length)
    put(part)
  }
  return {
    number,
    block: (view) => {
      parts.push(() => view().slice())
    },
    seal: () => {
      parts.push(() => asBytes(Float64Array.of(sum)))
    },
    list: (list) => {
      const copy = [...list]
      number(copy.length)
      for (let from = 0; from < copy.length; from += listedTogether) {
        parts.push(() => {
          const text = Buffer.from(JSON.stringify(copy.slice(from, from + listedTogether)))
          return Buffer.concat([asBytes(Float64Array.of(text.length)), text])
        })
      }
      return copy
    },
    array: (array) => {
      sized(asBytes(array.slice()))
      return array
    },
    prefix: (array, length) => {
      sized(asBytes(array.slice(0, length)))
      return array
    },
    settled: (array, length) => {
      sized(asBytes(array.subarray(0, length)))
      return array
    },
    pieces: function* () {
      const piece = new Uint8Array(pieceBytes)
      let used = 0
      for (const part of parts.splice(0)) {
        const bytes = part()
        for (let from = 0; from < bytes.length; ) {
          const some = bytes.subarray(from, from + pieceBytes - used)
          piece.set(some, used)
          sum = crc32(some, sum)
          used += some.length
          from += some.length
          if (used < pieceBytes) continue
          yield piece
          used = 0
        }
      }
      yield piece.subarray(0, used)
    },
  }
}

/** So that the next text does not copy them all. */
const withRoom = (values: number) => Math.ceil(values * 1.25)

/** Reads. Throws when the file ends too early. */
export function snapshotReader(file: number): SnapshotStream {
  let left = fstatSync(file).size
  let sum = 0
  const read = (into: Uint8Array) => {
    left -= into.length
    for (let done = 0; done < into.length; ) {
      const count = readSync(file, into, done, into.length - done, null)
      if (count === 0) throw new Error('The index snapshot ends too early.')
      done += count
    }
    sum = crc32(into, sum)
  }
  const number = () => {
    const value = new Float64Array(1)
    read(asBytes(value))
    return value[0] ?? 0
  }
  /** Makes room for what is there, and no more. */
  const length = () => {
    const size = number()
    if (size > left) throw new Error('The index snapshot ends too early.')
    return size
  }
  const array = <T extends Numbers>(like: T, room: (values: number) => number): T => {
    const values = length() / like.BYTES_PER_ELEMENT
    const Type = like.constructor as new (length: number) => T
    const made = new Type(room(values))
    read(asBytes(made.subarray(0, values)))
    return made
  }
  return {
    number,
    block: (view) => read(view()),
    seal: () => {
      const expected = sum
      if (number() !== expected) throw new Error('The index snapshot is damaged.')
    },
    list: <T>() => {
      const total = number()
      const list: T[] = []
      while (list.length < total) {
        const text = Buffer.allocUnsafe(length())
        read(text)
        for (const each of JSON.parse(text.toString())) list.push(each)
      }
      return list
    },
    array: (like) => array(like, (values) => values),
    prefix: (like) => array(like, withRoom),
    settled: (like) => array(like, withRoom),
  }
}
