/** Anything that can be listed: a chunk, a fact, a hot fact. */
export interface Rankable {
  readonly id: string
  readonly score: number
  /** The ingested text it came from; null when that is not known. */
  readonly itemId: string | null
  /** All it says was replaced by newer facts. */
  readonly superseded: boolean
}

/** What a further result from the same text is worth beside the ones before it: it repeats more than it adds. */
const repeatFactor = 0.75
/** A superseded text is still found, but behind what took its place. */
const supersededFactor = 0.5

/**
 * One list of all candidates, best first, ties by id. Results of the same text step back behind each other, so that
 * a text with many facts does not fill the list; each is listed once.
 */
export function mergeCandidates<T extends Rankable>(candidates: readonly T[]): readonly T[] {
  const seen = new Set<string>()
  const perItem = new Map<string, number>()
  const listed: T[] = []
  const lowered = candidates.map((candidate) =>
    candidate.superseded ? { ...candidate, score: candidate.score * supersededFactor } : candidate,
  )
  for (const candidate of lowered.toSorted(byScore)) {
    if (seen.has(candidate.id)) continue
    seen.add(candidate.id)
    const ahead = candidate.itemId === null ? 0 : (perItem.get(candidate.itemId) ?? 0)
    if (candidate.itemId !== null) perItem.set(candidate.itemId, ahead + 1)
    listed.push(ahead === 0 ? candidate : { ...candidate, score: candidate.score * repeatFactor ** ahead })
  }
  return listed.toSorted(byScore)
}

function byScore(a: Rankable, b: Rankable): number {
  if (a.score !== b.score) return b.score - a.score
  if (a.id === b.id) return 0
  return a.id < b.id ? -1 : 1
}
