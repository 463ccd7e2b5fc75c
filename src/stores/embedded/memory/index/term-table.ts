import { grown } from '../../vector-scan/grown.ts'
import type { SnapshotStream } from '../../vector-scan/snapshot-stream.ts'

/** Numbers terms in the order in which they come, without a string or an object for each. */
export interface TermTable {
  readonly bytes: number
  /** The number of the term that stands in a text from `start` to `end`; a new one gets the next number. */
  numberOf(text: string, start: number, end: number): number
  /** The same; -1 for a term that is not known. */
  find(text: string, start: number, end: number): number
  /** The term of a number. */
  termOf(number: number): string
  serialize(stream: SnapshotStream): void
}

const none = -1

/** Over the term's characters. The seed is random: nobody can choose terms that all have one hash. */
function hashOf(seed: number, text: string, start: number, end: number): number {
  let hash = seed
  for (let at = start; at < end; at++) hash = mixed(hash ^ text.charCodeAt(at))
  return hash
}

function mixed(value: number): number {
  const once = Math.imul(value ^ (value >>> 16), 0x21f0aaad)
  return Math.imul(once ^ (once >>> 15), 0x735a2d97)
}

/** A hash table with open addressing: slots hold numbers, the characters of all terms stand in one row. */
export function createTermTable(): TermTable {
  let slots = new Int32Array(64).fill(none)
  let hashes = new Int32Array(32)
  /** Where a term's characters end; they begin where those of the one before end. */
  let ends = new Int32Array(32)
  let characters = new Uint16Array(256)
  let count = 0
  let seed = Math.floor(Math.random() * 2 ** 32) | 0

  const startOf = (number: number) => (number === 0 ? 0 : (ends[number - 1] ?? 0))
  const isAt = (number: number, text: string, start: number, end: number) => {
    const first = startOf(number)
    if ((ends[number] ?? 0) - first !== end - start) return false
    for (let at = start; at < end; at++)
      if (characters[first + at - start] !== text.charCodeAt(at)) return false
    return true
  }
  /** The slot that holds the term, or the empty one where it belongs. */
  const slotOf = (hash: number, text: string, start: number, end: number) => {
    const mask = slots.length - 1
    let slot = hash & mask
    for (;;) {
      const number = slots[slot] ?? none
      if (number === none || (hashes[number] === hash && isAt(number, text, start, end))) return slot
      slot = (slot + 1) & mask
    }
  }
  const enlarge = () => {
    slots = new Int32Array(slots.length * 2).fill(none)
    const mask = slots.length - 1
    for (let number = 0; number < count; number++) {
      let slot = (hashes[number] ?? 0) & mask
      while (slots[slot] !== none) slot = (slot + 1) & mask
      slots[slot] = number
    }
  }
  const append = (hash: number, text: string, start: number, end: number) => {
    const number = count++
    const first = startOf(number)
    hashes = grown(hashes, count)
    ends = grown(ends, count)
    characters = grown(characters, first + end - start)
    hashes[number] = hash
    ends[number] = first + end - start
    for (let at = start; at < end; at++) characters[first + at - start] = text.charCodeAt(at)
    return number
  }

  return {
    get bytes() {
      return slots.byteLength + hashes.byteLength + ends.byteLength + characters.byteLength
    },
    numberOf: (text, start, end) => {
      const hash = hashOf(seed, text, start, end)
      const slot = slotOf(hash, text, start, end)
      const known = slots[slot] ?? none
      if (known !== none) return known
      const number = append(hash, text, start, end)
      slots[slot] = number
      if (count * 2 > slots.length) enlarge()
      return number
    },
    find: (text, start, end) => slots[slotOf(hashOf(seed, text, start, end), text, start, end)] ?? none,
    termOf: (number) => {
      const { buffer, byteOffset, byteLength } = characters.subarray(startOf(number), ends[number])
      return Buffer.from(buffer, byteOffset, byteLength).toString('utf16le')
    },
    serialize: (stream) => {
      slots = stream.array(slots)
      hashes = stream.settled(hashes, count)
      ends = stream.settled(ends, count)
      characters = stream.settled(characters, startOf(count))
      count = stream.number(count)
      seed = stream.number(seed)
    },
  }
}
