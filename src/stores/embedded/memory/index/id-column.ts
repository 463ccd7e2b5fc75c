import { grown } from '../../vector-scan/grown.ts'
import type { SnapshotStream } from '../../vector-scan/snapshot-stream.ts'

/** Ids by place, without a string for each. */
export interface IdColumn {
  readonly bytes: number
  add(id: string): void
  at(place: number): string
  clear(place: number): void
  /** An id that is cleared while it is written may be written or not. */
  serialize(stream: SnapshotStream): void
}

/** All ids stand in one row, as UTF-8. */
export function createIdColumn(): IdColumn {
  let characters = new Uint8Array(256)
  let row = Buffer.from(characters.buffer)
  /** Where an id ends; it begins where the one before ends. */
  let ends = new Uint32Array(64)
  let count = 0

  const startOf = (place: number) => (place === 0 ? 0 : (ends[place - 1] ?? 0))
  return {
    get bytes() {
      return characters.byteLength + ends.byteLength
    },
    add: (id) => {
      const start = startOf(count)
      const larger = grown(characters, start + id.length * 3)
      if (larger !== characters) row = Buffer.from(larger.buffer)
      characters = larger
      ends = grown(ends, count + 1)
      ends[count++] = start + row.write(id, start)
    },
    at: (place) => row.toString('utf8', startOf(place), ends[place] ?? 0),
    clear: (place) => {
      characters.fill(0, startOf(place), ends[place] ?? 0)
    },
    serialize: (stream) => {
      characters = stream.settled(characters, startOf(count))
      ends = stream.settled(ends, count)
      count = stream.number(count)
      row = Buffer.from(characters.buffer)
    },
  }
}
