import type { ChunkId, Namespace, RelationshipId } from '../../core/ids.ts'
import type { Fact, FoundFact, GraphStore } from '../ports.ts'
import { contradicts, trust } from '../slots.ts'
import type { Candidate } from './candidate.ts'

/**
 * De-duplicates facts by slot, preferring user-sourced and then newer ones. The store settles this within a
 * persona; what is left are facts of different personas.
 */
export function resolveConflicts(candidates: readonly Candidate[]): readonly Candidate[] {
  const preferred = candidates.filter(({ fact }) => fact !== null).toSorted(moreTrusted)
  const kept = new Map<string, Candidate[]>()
  const dropped = new Set<Candidate>()
  for (const candidate of preferred) {
    const { fact } = candidate
    if (fact === null) continue
    const slot = `${fact.subject}\u0000${fact.slot}`
    const rivals = kept.get(slot) ?? []
    if (rivals.some((rival) => rival.fact !== null && excludes(rival.fact, fact))) dropped.add(candidate)
    else kept.set(slot, [...rivals, candidate])
  }
  return candidates.filter((candidate) => !dropped.has(candidate))
}

function moreTrusted(a: Candidate, b: Candidate): number {
  if (a.fact === null || b.fact === null) return 0
  return (
    trust[b.fact.source] - trust[a.fact.source] ||
    b.fact.createdAt - a.fact.createdAt ||
    (a.id < b.id ? -1 : 1)
  )
}

/** They say the same, or cannot both hold. */
function excludes(a: FoundFact, b: FoundFact): boolean {
  const slots = [a, b].map((fact) => ({ ...fact, objectKey: fact.object }))
  const [left, right] = slots
  if (left === undefined || right === undefined) return false
  const same = a.relation === b.relation && a.object === b.object && a.negated === b.negated
  return same || contradicts(left, right)
}

/** What took the place of a chunk's facts: current facts, and the chunks those were read from. */
export type Successors = ReadonlyMap<ChunkId, readonly Fact[]>

/** Replacements are followed this far: from Lisbon over Berlin to Rome. */
const longestChain = 5

/** Finds what replaced the facts of superseded chunks, following replacements to the fact that is current. */
export async function findSuccessors(
  graph: Pick<GraphStore, 'factsOf' | 'get'>,
  namespace: Namespace,
  candidates: readonly Candidate[],
): Promise<Successors> {
  const chunks = candidates.flatMap(({ chunk, superseded }) =>
    chunk !== null && superseded ? [chunk.id] : [],
  )
  if (chunks.length === 0) return new Map()
  const closed = (await graph.factsOf(namespace, chunks)).filter(({ closedBy }) => closedBy !== null)
  const known = new Map<RelationshipId, Fact>()
  let asked = new Set(closed.flatMap(({ closedBy }) => closedBy ?? []))
  for (let step = 0; step < longestChain && asked.size > 0; step++) {
    const found = await graph.get(namespace, [...asked])
    for (const fact of found) known.set(fact.id, fact)
    asked = new Set(
      found.flatMap(({ closedBy }) => (closedBy === null || known.has(closedBy) ? [] : closedBy)),
    )
  }
  const successors = new Map<ChunkId, Fact[]>()
  for (const fact of closed) {
    const current = currentOf(fact, known)
    if (current !== null) successors.set(fact.chunkId, [...(successors.get(fact.chunkId) ?? []), current])
  }
  return successors
}

function currentOf(fact: Fact, known: ReadonlyMap<RelationshipId, Fact>): Fact | null {
  let last: Fact | undefined = fact
  for (let step = 0; step <= longestChain && last !== undefined; step++) {
    if (last.closedAt === null) return last
    last = last.closedBy === null ? undefined : known.get(last.closedBy)
  }
  return null
}

/** Current facts that took the place of a superseded chunk but were not found, with the score that chunk had. */
export function missingSuccessors(
  candidates: readonly Candidate[],
  successors: Successors,
): ReadonlyMap<Fact, number> {
  const present = new Set<string>(candidates.flatMap(({ id, superseded }) => (superseded ? [] : id)))
  const missing = new Map<Fact, number>()
  for (const { chunk, score } of candidates) {
    for (const fact of (chunk && successors.get(chunk.id)) ?? []) {
      if (present.has(fact.id) || present.has(fact.chunkId)) continue
      missing.set(fact, Math.max(missing.get(fact) ?? 0, score))
    }
  }
  return missing
}

/** What took the place of a superseded chunk answers what that chunk would have answered: it has at least its score. */
export function liftSuccessors(
  candidates: readonly Candidate[],
  successors: Successors,
): readonly Candidate[] {
  const present = new Set<string>(candidates.map(({ id }) => id))
  const least = new Map<string, number>()
  for (const { chunk, score } of candidates) {
    for (const { id, chunkId } of (chunk && successors.get(chunk.id)) ?? []) {
      const place = present.has(id) ? id : chunkId
      least.set(place, Math.max(least.get(place) ?? 0, score))
    }
  }
  return candidates.map((candidate) => {
    const score = candidate.superseded ? 0 : (least.get(candidate.id) ?? 0)
    return score > candidate.score ? { ...candidate, score } : candidate
  })
}

/** Just enough to stand behind. */
const behind = 1e-4

/** A superseded chunk never stands above the fact, or the text, that took its place. */
export function keepBehind(ranked: readonly Candidate[], successors: Successors): readonly Candidate[] {
  const scores = new Map<string, number>(ranked.map(({ id, score }) => [id, score]))
  const lowered = ranked.map((candidate) => {
    const current = (candidate.chunk && successors.get(candidate.chunk.id)) ?? []
    const ahead = current.flatMap(({ id, chunkId }) =>
      [scores.get(id) ?? [], scores.get(chunkId) ?? []].flat(),
    )
    const score = Math.min(candidate.score, ...ahead.map((value) => value - behind))
    return score === candidate.score ? candidate : { ...candidate, score: Math.max(0, score) }
  })
  return lowered.toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
}
