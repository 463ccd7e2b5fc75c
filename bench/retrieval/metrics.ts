/** Of one question: share of gold items among the first k, and nDCG at 10. */
interface Quality {
  readonly recall5: number
  readonly recall10: number
  readonly ndcg10: number
  /** Whether all gold items are among the first five, and whether the first result is one. */
  readonly all5: number
  readonly first: number
}

export function qualityOf(found: readonly boolean[], goldCount: number): Quality {
  const hits = (k: number) => found.slice(0, k).filter(Boolean).length
  const gain = (list: readonly boolean[]) =>
    list.slice(0, 10).reduce((sum, hit, rank) => sum + (hit ? 1 / Math.log2(rank + 2) : 0), 0)
  return {
    recall5: hits(5) / goldCount,
    recall10: hits(10) / goldCount,
    ndcg10: gain(found) / gain(Array.from({ length: goldCount }, () => true)),
    all5: hits(5) >= goldCount ? 1 : 0,
    first: found[0] === true ? 1 : 0,
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
