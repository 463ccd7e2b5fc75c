import { dot, type Vector } from '../../src/core/vectors.ts'
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

/** Mean recall and nDCG of the nearest `k` items of the question's group. */
export function denseRetrieval({ items, queries }: RetrievalSet, vectorOf: VectorOf, k: number) {
  const groups = byGroup(items)
  const recalls: number[] = []
  const gains: number[] = []
  for (const { group, query, gold } of queries) {
    const question = vectorOf(query)
    const best = (groups.get(group) ?? [])
      .map((item) => ({ id: item.id, cosine: dot(question, vectorOf(item.text)) }))
      .sort((a, b) => b.cosine - a.cosine)
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
