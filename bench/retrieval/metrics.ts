/** Of one question: share of gold items among the first k, and nDCG at 10. Repeated items count once. */
interface Quality {
  readonly recall5: number
  readonly recall10: number
  readonly ndcg10: number
}

export function qualityOf(ranked: readonly string[], gold: readonly string[]): Quality {
  const found = [...new Set(ranked)].map((item) => gold.includes(item))
  const recall = (k: number) => found.slice(0, k).filter(Boolean).length / gold.length
  const gain = (hits: readonly boolean[]) =>
    hits.slice(0, 10).reduce((sum, hit, rank) => sum + (hit ? 1 / Math.log2(rank + 2) : 0), 0)
  return {
    recall5: recall(5),
    recall10: recall(10),
    ndcg10: gain(found) / gain(gold.map(() => true)),
  }
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}

/** The chance that a value of the first list is above one of the second; ties count half. */
export function areaUnderCurve(higher: readonly number[], lower: readonly number[]): number {
  let wins = 0
  for (const a of higher) for (const b of lower) wins += a > b ? 1 : a === b ? 0.5 : 0
  return wins / (higher.length * lower.length)
}
