import { readFileSync } from 'node:fs'

/** One vector a token: rows of signed bytes, each a unit vector in steps of 1/127. */
interface TokenRows {
  readonly count: number
  readonly codes: Int8Array
}

/** How the tokens of a text meet those of a question: for each of the question's, the cosine of its best match. */
export interface LateInteraction {
  /** The mean of the best matches, weighted by importance. */
  readonly weighted: number
  /** The mean without weights. */
  readonly even: number
  /** The worst match of a token that matters: one with at least half of the largest importance. */
  readonly least: number
  /** The best match of every token of the question. */
  readonly matches: Float32Array
}

/** The same figures for everything that stores token vectors. */
export interface LateScorer {
  /** The best matches alone, text after text: NaN where the text has no token, nothing where the question has none. */
  matches(question: TokenRows, texts: readonly (Int8Array | null)[]): Float32Array
  /** One for each text, in order; null where the text or the question has no token. */
  score(
    question: TokenRows & { readonly importance: Float32Array },
    texts: readonly (Int8Array | null)[],
  ): readonly (LateInteraction | null)[]
}

const steps = 127
const pageBytes = 65_536

type BestMatches = (...numbers: readonly number[]) => void

export function createLateScorer(): LateScorer {
  const memory = new WebAssembly.Memory({ initial: 1 })
  const code = readFileSync(new URL('./late.wasm', import.meta.url))
  const instance = new WebAssembly.Instance(new WebAssembly.Module(code), { env: { memory } })
  const bestMatches = instance.exports.bestMatches as BestMatches

  const reserve = (bytes: number) => {
    const missing = bytes - memory.buffer.byteLength
    if (missing > 0) memory.grow(Math.ceil(missing / pageBytes))
  }
  const matchesOf: LateScorer['matches'] = ({ count, codes }, texts) => {
    const all = new Float32Array(count * texts.length).fill(Number.NaN)
    if (count === 0) return all
    const columns = codes.length / count
    if (columns % 16 !== 0) throw new Error(`Token vectors of ${columns} dimensions are not supported.`)
    // The kernel takes 16-bit values, four rows at a time.
    const asked = Math.ceil(count / 4) * 4
    const bestAt = 2 * asked * columns
    const textAt = bestAt + 4 * asked
    reserve(textAt + texts.reduce((most, text) => Math.max(most, text?.length ?? 0), 0))
    const bytes = new Int8Array(memory.buffer)
    const best = new Int32Array(memory.buffer, bestAt, count)
    new Int16Array(memory.buffer, 0, asked * columns).fill(0, codes.length).set(codes)
    for (const [at, text] of texts.entries()) {
      if (text === null || text.length === 0) continue
      if (text.length % columns !== 0) throw new Error('Token vectors of another length met the question.')
      bytes.set(text, textAt)
      bestMatches(0, asked, textAt, text.length / columns, columns, bestAt)
      for (let i = 0; i < count; i++) all[at * count + i] = (best[i] ?? 0) / (steps * steps)
    }
    return all
  }
  return {
    matches: matchesOf,
    score: (question, texts) => {
      const lates = latesOf(matchesOf(question, texts), question.importance)
      return texts.map((_, at) => lates[at] ?? null)
    },
  }
}

/** The figures of every text, from the best matches of all of them. */
export function latesOf(
  matches: Float32Array,
  importance: Float32Array,
): readonly (LateInteraction | null)[] {
  const count = importance.length
  const lates: (LateInteraction | null)[] = []
  for (let start = 0; start < matches.length; start += count) {
    const isNone = Number.isNaN(matches[start])
    lates.push(isNone ? null : lateOf(matches.subarray(start, start + count), importance))
  }
  return lates
}

/** From the best match of every token of a question to the figures. */
export function lateOf(matches: Float32Array, importance: Float32Array): LateInteraction {
  let largest = 0
  for (let at = 0; at < importance.length; at++) largest = Math.max(largest, importance[at] ?? 0)
  let [sum, weighted, weights, least] = [0, 0, 0, 1]
  for (let at = 0; at < matches.length; at++) {
    const match = matches[at] ?? 0
    const weight = importance[at] ?? 0
    sum += match
    weighted += weight * match
    weights += weight
    if (weight >= largest / 2) least = Math.min(least, match)
  }
  const even = sum / matches.length
  return { weighted: weights > 0 ? weighted / weights : even, even, least, matches }
}

/** Of every token of the question the better match, this text's or the one before. */
export function raiseMatches(
  best: Float32Array,
  late: Pick<LateInteraction, 'matches'> | null | undefined,
): void {
  if (!late) return
  const { matches } = late
  for (let at = 0; at < best.length; at++) best[at] = Math.max(best[at] ?? 0, matches[at] ?? 0)
}

/** What the tokens that decide lack, large gaps before small ones: between the mean and the worst. */
export function missOf(matches: Float32Array, importance: Float32Array): number {
  let [sum, weighted, weights] = [0, 0, 0]
  for (let at = 0; at < matches.length; at++) {
    const gap = Math.fround((1 - (matches[at] ?? 0)) ** 2)
    const weight = importance[at] ?? 0
    sum += gap
    weighted += weight * gap
    weights += weight
  }
  return Math.sqrt(Math.max(0, weights > 0 ? weighted / weights : sum / matches.length))
}
