import { decodeTree } from './decode.ts'
import { createNetwork, longestSentence, type Rows } from './network.ts'
import { readWeights } from './weights.ts'

/** What a word is part of, as the network's name tags see it. */
export type NameKind = 'person' | 'place' | 'organization'

/** A parsed sentence, one entry a word in every list. */
export interface Parse {
  readonly upos: readonly string[]
  readonly xpos: readonly string[]
  /** −1 for the root of the sentence. */
  readonly heads: readonly number[]
  readonly labels: readonly string[]
  /** Probability of head and label together, 0 to 1. */
  readonly certainty: readonly number[]
  readonly names: readonly (NameKind | null)[]
}

export interface Parser {
  /** At most `maxWords` words; more is a mistake of the caller. */
  parse(words: readonly string[]): Parse
  /** How common a lower-case word is: 0 for the most frequent, null for an unknown one. */
  frequencyRank(word: string): number | null
}

export const maxWords = longestSentence - 1

const nameKinds: readonly (NameKind | null)[] = [
  null,
  'person',
  'person',
  'place',
  'place',
  'organization',
  'organization',
]

/** Loads weights and kernel; throws when they are damaged. Not safe for use by several threads at once. */
export function createParser(): Parser {
  const weights = readWeights()
  const network = createNetwork(weights)
  const ranks = new Map(weights.words.map((word, index) => [word, index]))
  const rootLabel = weights.labels.indexOf('root')
  const tags = weights.tags.map((tag) => {
    const [upos = 'X', ...xpos] = tag.split('/')
    return { upos, xpos: xpos.join('/') }
  })

  function parse(words: readonly string[]): Parse {
    if (words.length > maxWords) throw new RangeError(`a sentence of ${words.length} words is too long`)
    const scores = network(words)
    const { size, arcs } = scores
    const at = (dependent: number, head: number) => arcs.values[dependent * size + head] ?? 0
    const heads = decodeTree({ size, at })
    const labels = scores.labels(heads)
    const positions = words.map((_, index) => index + 1)
    const chosen = positions.map((i) =>
      best(labels, i, weights.labels.length, (label) => (label === rootLabel) === (heads[i] === 0)),
    )
    const wordTags = positions.map((i) => tags[best(scores.tags, i, tags.length)])
    return {
      upos: wordTags.map((tag) => tag?.upos ?? 'X'),
      xpos: wordTags.map((tag) => tag?.xpos ?? 'FW'),
      heads: positions.map((i) => (heads[i] ?? 0) - 1),
      labels: chosen.map((label) => weights.labels[label] ?? 'dep'),
      certainty: positions.map(
        (i, index) =>
          share(arcs, i, size, heads[i] ?? 0) * share(labels, i, weights.labels.length, chosen[index] ?? 0),
      ),
      names: positions.map((i) => nameKinds[best(scores.names, i, nameKinds.length)] ?? null),
    }
  }
  return { parse, frequencyRank: (word) => ranks.get(word) ?? null }
}

function best(
  rows: Rows,
  row: number,
  count: number,
  allowed: (index: number) => boolean = () => true,
): number {
  let result = -1
  for (let index = 0; index < count; index++) {
    if (!allowed(index)) continue
    const value = rows.values[row * rows.width + index] ?? 0
    if (result < 0 || value > (rows.values[row * rows.width + result] ?? 0)) result = index
  }
  return result
}

/** Softmax probability of one entry of a row. */
function share(rows: Rows, row: number, count: number, index: number): number {
  const from = row * rows.width
  const reference = rows.values[from + index] ?? 0
  let total = 0
  for (let other = 0; other < count; other++) total += Math.exp((rows.values[from + other] ?? 0) - reference)
  return 1 / total
}
