import type { Weights } from './weights.ts'

const encoder = new TextEncoder()
/** Words beyond this length carry nothing more; it also bounds what one word can cost. */
const longestWord = 60
const cacheLimit = 20_000

/** A word as the network sees it: its vector, and nine hashed features of its spelling. */
export function createEmbedding(weights: Weights): { size: number; embed: (word: string) => Float32Array } {
  const words = weights.byteRows('word.weight')
  const spellings = weights.byteRows('hash.weight')
  const rowOf = new Map(weights.words.map((word, index) => [word, index + 1]))
  const size = words.columns + spellings.columns
  const cache = new Map<string, Float32Array>()

  function compute(word: string): Float32Array {
    const vector = new Float32Array(size)
    const lower = word.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
    const row = rowOf.get(lower)
    if (row !== undefined) {
      const scale = words.scales[row] ?? 0
      for (let k = 0; k < words.columns; k++) vector[k] = (words.values[row * words.columns + k] ?? 0) * scale
    }
    for (const feature of spellingFeatures(word, lower)) {
      const at = hash(feature) % spellings.rows
      const scale = spellings.scales[at] ?? 0
      for (let k = 0; k < spellings.columns; k++) {
        const before = vector[words.columns + k] ?? 0
        vector[words.columns + k] = before + (spellings.values[at * spellings.columns + k] ?? 0) * scale
      }
    }
    return vector
  }

  function embed(word: string): Float32Array {
    const form = word.slice(0, longestWord)
    const known = cache.get(form)
    if (known) return known
    if (cache.size >= cacheLimit) cache.clear()
    const vector = compute(form)
    cache.set(form, vector)
    return vector
  }
  return { size, embed }
}

/** The word, its first one to three and last one to four bytes, and its shape; digits count as 0. */
function spellingFeatures(word: string, lower: string): Uint8Array[] {
  const bytes = encoder.encode(lower.replace(/[0-9]/g, '0'))
  const last = (length: number) => bytes.slice(Math.max(0, bytes.length - length))
  return [
    tagged('w', bytes),
    tagged('1', bytes.slice(0, 1)),
    tagged('2', bytes.slice(0, 2)),
    tagged('3', bytes.slice(0, 3)),
    tagged('a', last(1)),
    tagged('b', last(2)),
    tagged('c', last(3)),
    tagged('d', last(4)),
    tagged('s', shape(encoder.encode(word))),
  ]
}

function tagged(tag: string, bytes: Uint8Array): Uint8Array {
  const result = new Uint8Array(bytes.length + 1)
  result[0] = tag.charCodeAt(0)
  result.set(bytes, 1)
  return result
}

/** `McDonald` → `XxXx`: runs of one kind of character count once after the second, ten at most. */
function shape(bytes: Uint8Array): Uint8Array {
  const kinds: number[] = []
  let previous = 0
  for (const byte of bytes) {
    const kind = kindOf(byte)
    if (kind !== previous || kinds.length < 2) kinds.push(kind)
    previous = kind
    if (kinds.length >= 10) break
  }
  return Uint8Array.from(kinds)
}

const [other, upper, lowerCase, digit] = [117, 88, 120, 100]

function kindOf(byte: number): number {
  if (byte >= 128) return other
  if (byte >= 65 && byte <= 90) return upper
  if (byte >= 97 && byte <= 122) return lowerCase
  if (byte >= 48 && byte <= 57) return digit
  return byte
}

/** FNV-1a with a final mix, as in training. */
function hash(bytes: Uint8Array): number {
  let value = 2_166_136_261
  for (const byte of bytes) value = Math.imul(value ^ byte, 16_777_619)
  value ^= value >>> 15
  value = Math.imul(value, 0x2c1b3c6d)
  value ^= value >>> 12
  return value >>> 0
}
