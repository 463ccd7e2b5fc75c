import type { Seconds } from '../../core/clock.ts'

/** Anything that can be listed: a chunk, a fact, a hot fact. */
export interface Rankable {
  readonly id: string
  readonly score: number
  /** The ingested text it came from; null when that is not known. */
  readonly itemId: string | null
  /** Read from a text, not the text itself. */
  readonly isFact: boolean
  readonly createdAt: Seconds
}

/** What a further result from the same text is worth beside the ones before it: it repeats more than it adds. */
const repeatFactor = 0.75
/**
 * One list of all candidates, best first. Results of the same text step back behind each other, so that
 * a text with many facts does not fill the list; each is listed once.
 */
export function mergeCandidates<T extends Rankable>(candidates: readonly T[]): readonly T[] {
  const seen = new Set<string>()
  const perItem = new Map<string, number>()
  const listed: T[] = []
  for (const candidate of candidates.toSorted(byRank)) {
    if (seen.has(candidate.id)) continue
    seen.add(candidate.id)
    const ahead = candidate.itemId === null ? 0 : (perItem.get(candidate.itemId) ?? 0)
    if (candidate.itemId !== null) perItem.set(candidate.itemId, ahead + 1)
    listed.push(ahead === 0 ? candidate : { ...candidate, score: candidate.score * repeatFactor ** ahead })
  }
  return listed.toSorted(byRank)
}

/** Best first. At the same score a text stands before its facts, because it says all of them; then the newer one. */
export function byRank(a: Rankable, b: Rankable): number {
  if (a.score !== b.score) return b.score - a.score
  if (a.isFact !== b.isFact) return a.isFact ? 1 : -1
  if (a.createdAt !== b.createdAt) return b.createdAt - a.createdAt
  if (a.id === b.id) return 0
  return a.id < b.id ? -1 : 1
}
