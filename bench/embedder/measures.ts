import { dot, type Vector } from '../../src/core/vectors.ts'
import type { TokenVectors, WeightedTokens } from '../../src/memory/ports.ts'
import type { RetrievalSet, SentencePair } from './sets.ts'

/** The vector of a text that was embedded before. */
export type VectorOf = (text: string) => Vector

/** Ranks with ties sharing their mean. */
function ranks(values: readonly number[]): number[] {
  const order = values.map((value, i) => ({ value, i })).sort((a, b) => a.value - b.value)
  const result = new Array<number>(values.length)
  for (let start = 0; start < order.length; ) {
    let end = start
    while (end < order.length && order[end]?.value === order[start]?.value) end++
    for (const { i } of order.slice(start, end)) result[i] = (start + end - 1) / 2
    start = end
  }
  return result
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

function pearson(a: readonly number[], b: readonly number[]): number {
  const [meanA, meanB] = [mean(a), mean(b)]
  let [both, squareA, squareB] = [0, 0, 0]
  for (const [i, value] of a.entries()) {
    const [x, y] = [value - meanA, (b[i] ?? 0) - meanB]
    both += x * y
    squareA += x * x
    squareB += y * y
  }
  return both / Math.sqrt(squareA * squareB)
}

/** How well cosines order pairs as people did, and where pairs that people called the same or unrelated lie. */
export function sentenceSimilarity(pairs: readonly SentencePair[], vectorOf: VectorOf) {
  const cosines = pairs.map((pair) => dot(vectorOf(pair.first), vectorOf(pair.second)))
  const between = (low: number, high: number): number[] =>
    cosines.filter((_, i) => {
      const similarity = pairs[i]?.similarity ?? 0
      return similarity >= low && similarity <= high
    })
  const same = between(4.8, 5)
  return {
    spearman: pearson(ranks(cosines), ranks(pairs.map((pair) => pair.similarity))),
    unrelatedMean: mean(between(0, 0.2)),
    sameMean: mean(same),
    sameAbove092: same.filter((cosine) => cosine >= 0.92).length / Math.max(1, same.length),
  }
}

function byGroup<T extends { readonly group: string }>(entries: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const entry of entries) groups.set(entry.group, [...(groups.get(entry.group) ?? []), entry])
  return groups
}

/** How near a text is to a question, given the question first. */
export type Likeness = (question: string) => (text: string) => number

export const vectorLikeness =
  (vectorOf: VectorOf): Likeness =>
  (question) => {
    const vector = vectorOf(question)
    return (text) => dot(vector, vectorOf(text))
  }

/** Late interaction: for each word of the question its best match in the text, weighted by importance. */
export const tokenLikeness =
  (tokensOf: (text: string) => WeightedTokens | null): Likeness =>
  (question) => {
    const asked = tokensOf(question)
    return (text) => {
      const told = tokensOf(text)
      if (!asked || !told) return 0
      let [sum, total] = [0, 0]
      for (const [row, weight] of asked.importance.entries()) {
        sum += weight * bestMatch(asked, row, told)
        total += weight
      }
      return total === 0 ? 0 : sum / total
    }
  }

function bestMatch(asked: TokenVectors, row: number, told: TokenVectors): number {
  const width = asked.codes.length / asked.count
  let best = -(127 ** 2)
  for (let other = 0; other < told.count; other++) {
    let product = 0
    for (let i = 0; i < width; i++) {
      product += (asked.codes[row * width + i] ?? 0) * (told.codes[other * width + i] ?? 0)
    }
    if (product > best) best = product
  }
  return best / 127 ** 2
}

/** Mean recall and nDCG of the nearest `k` items of the question's group. */
export function retrieval({ items, queries }: RetrievalSet, likeness: Likeness, k: number) {
  const groups = byGroup(items)
  const recalls: number[] = []
  const gains: number[] = []
  for (const { group, query, gold } of queries) {
    const near = likeness(query)
    const best = (groups.get(group) ?? [])
      .map((item) => ({ id: item.id, score: near(item.text) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, k)
    const hits = best.map(({ id }) => gold.includes(id))
    const gainAt = (rank: number): number => 1 / Math.log2(rank + 2)
    const ideal = gold.slice(0, k).reduce((sum, _, rank) => sum + gainAt(rank), 0)
    recalls.push(hits.filter(Boolean).length / gold.length)
    gains.push(hits.reduce((sum, hit, rank) => sum + (hit ? gainAt(rank) : 0), 0) / ideal)
  }
  return { recall: mean(recalls), ndcg: mean(gains) }
}

/** Items that are at least this near to an earlier one of their group, and the mean cosine of all such pairs. */
export function nearRepeats({ items }: RetrievalSet, vectorOf: VectorOf, threshold: number) {
  let repeats = 0
  let pairs = 0
  let sum = 0
  for (const group of byGroup(items).values()) {
    const vectors = group.map((item) => vectorOf(item.text))
    for (const [i, vector] of vectors.entries()) {
      const cosines = vectors.slice(0, i).map((earlier) => dot(vector, earlier))
      if (cosines.some((cosine) => cosine >= threshold)) repeats++
      pairs += cosines.length
      sum += cosines.reduce((total, cosine) => total + cosine, 0)
    }
  }
  return { repeats, items: items.length, meanCosine: sum / Math.max(1, pairs) }
}

/** Two texts that differ in their surface alone: case, closing marks, commas, apostrophes. */
export interface Repeat {
  readonly first: string
  readonly second: string
}

export function surfaceRepeats(texts: readonly string[]): Repeat[] {
  const withoutEnd = (text: string): string => text.replace(/[.!]+$/, '')
  const variants: readonly ((text: string) => string)[] = [
    (text) => withoutEnd(text.toUpperCase()),
    (text) => (text.endsWith('?') ? text : `${withoutEnd(text)}${text.endsWith('!') ? '.' : '!'}`),
    (text) => text.replace(/,(?=\s)/g, ''),
    (text) => text.replaceAll("'", '\u2019'),
    (text) => text.replaceAll("'", ''),
  ]
  return texts.flatMap((first) =>
    variants.map((vary) => ({ first, second: vary(first) })).filter(({ second }) => second !== first),
  )
}

/** The share of pairs that are at least this near. */
export const shareAbove = (repeats: readonly Repeat[], vectorOf: VectorOf, threshold: number): number =>
  mean(repeats.map(({ first, second }) => (dot(vectorOf(first), vectorOf(second)) >= threshold ? 1 : 0)))

/** The mean cosine of each text with another, somewhere in the list. */
export function unrelatedMean(texts: readonly string[], vectorOf: VectorOf): number {
  const other = (i: number): string => texts[(37 * i + 1_011) % texts.length] ?? ''
  return mean(texts.map((text, i) => dot(vectorOf(text), vectorOf(other(i)))))
}
