import type { ChunkId, Namespace } from '../../core/ids.ts'
import type { Fact, FoundFact, GraphStore } from '../ports.ts'
import { followReplacements } from '../replaced.ts'
import { contradicts, trust } from '../slots.ts'
import { standBehind } from './behind.ts'
import type { Candidate } from './candidate.ts'

export interface Resolved {
  readonly kept: readonly Candidate[]
  /** By the chunk of a fact that was left out and asked for: the fact that contradicts it and is preferred. */
  readonly overruled: Successors
}

/**
 * De-duplicates facts by slot, preferring user-sourced and then newer ones. The store settles this within a
 * persona; what is left are facts of different personas.
 */
export function resolveConflicts(candidates: readonly Candidate[]): Resolved {
  const preferred = candidates.filter(({ fact }) => fact !== null).toSorted(moreTrusted)
  const kept = new Map<string, FoundFact[]>()
  const dropped = new Set<Candidate>()
  const overruled = new Map<ChunkId, FoundFact[]>()
  const best = new Map<ChunkId, number>()
  for (const { fact, score } of preferred) {
    if (fact !== null) best.set(fact.chunkId, Math.max(best.get(fact.chunkId) ?? 0, score))
  }
  for (const candidate of preferred) {
    const { fact, score } = candidate
    if (fact === null) continue
    const slot = slotOf(fact)
    const rivals = kept.get(slot) ?? []
    const rival = rivals.find((other) => saysTheSame(other, fact) || excludes(other, fact))
    if (rival === undefined) kept.set(slot, [...rivals, fact])
    else dropped.add(candidate)
    const isAskedFor = score >= (best.get(fact.chunkId) ?? 0) * aboutAsWell
    if (rival !== undefined && isAskedFor && !saysTheSame(rival, fact)) {
      overruled.set(fact.chunkId, [...(overruled.get(fact.chunkId) ?? []), rival])
    }
  }
  return { kept: candidates.filter((candidate) => !dropped.has(candidate)), overruled }
}

function moreTrusted(a: Candidate, b: Candidate): number {
  if (a.fact === null || b.fact === null) return 0
  return (
    trust[b.fact.source] - trust[a.fact.source] ||
    b.fact.createdAt - a.fact.createdAt ||
    (a.id < b.id ? -1 : 1)
  )
}

const slotOf = ({ subject, slot }: FoundFact) => `${subject}\u0000${slot}`

function saysTheSame(a: FoundFact, b: FoundFact): boolean {
  return a.relation === b.relation && a.object === b.object && a.negated === b.negated
}

/** They cannot both hold. */
function excludes(a: FoundFact, b: FoundFact): boolean {
  return contradicts({ ...a, objectKey: a.object }, { ...b, objectKey: b.object })
}

/** What took the place of those facts of a chunk that the question asks for: the facts that are current. */
export type Successors = ReadonlyMap<ChunkId, readonly FoundFact[]>

/** A question that fits a replaced fact about as well as the best of those that still hold may well mean it. */
const aboutAsWell = 0.9

/** How well a fact by itself matches the question. */
type Match = (fact: Fact) => number

export const hasClosedFacts = ({ chunk }: Candidate): boolean => chunk !== null && chunk.closedFactCount > 0

/**
 * Finds what replaced the facts of chunks, following replacements to the fact that is current. Of a chunk that still
 * says something true, only those replaced facts count that the question asks for.
 */
export async function findSuccessors(
  graph: Pick<GraphStore, 'factsOf' | 'get'>,
  namespace: Namespace,
  candidates: readonly Candidate[],
  match: Match,
): Promise<Successors> {
  const chunks = candidates.filter(hasClosedFacts).flatMap(({ chunk }) => chunk?.id ?? [])
  if (chunks.length === 0) return new Map()
  const closed = [
    ...Map.groupBy(await graph.factsOf(namespace, chunks), ({ chunkId }) => chunkId).values(),
  ].flatMap((facts) => askedFor(facts, match))
  const current = await followReplacements(graph, namespace, closed)
  const holders = new Map(
    candidates.flatMap(({ fact }) => (fact?.negated === false ? [[slotOf(fact), fact]] : [])),
  )
  const successors = new Map<ChunkId, FoundFact[]>()
  for (const ended of closed) {
    const { id, chunkId } = ended
    // What ended without a successor may have got one later.
    const fact = current.get(id) ?? holders.get(slotOf(ended))
    if (fact !== undefined) successors.set(chunkId, [...(successors.get(chunkId) ?? []), fact])
  }
  return successors
}

function askedFor(facts: readonly Fact[], match: Match): readonly Fact[] {
  const best = Math.max(0, ...facts.filter(({ closedAt }) => closedAt === null).map(match))
  return facts.filter((fact) => fact.closedAt !== null && match(fact) >= best * aboutAsWell)
}

/** Current facts that took the place of a chunk's but were not found, with the score that chunk had. */
export function missingSuccessors(
  candidates: readonly Candidate[],
  successors: Successors,
): ReadonlyMap<FoundFact, number> {
  const present = new Set<string>(candidates.flatMap(({ id, superseded }) => (superseded ? [] : id)))
  const missing = new Map<FoundFact, number>()
  for (const { chunk, score } of candidates) {
    for (const fact of (chunk && successors.get(chunk.id)) ?? []) {
      if (present.has(fact.id) || present.has(fact.chunkId)) continue
      missing.set(fact, Math.max(missing.get(fact) ?? 0, score))
    }
  }
  return missing
}

/**
 * What took the place of a chunk's facts answers what that chunk would have answered: it has at least its score, and
 * the chunk half of it.
 */
export function preferSuccessors(
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
    const { id, chunk, superseded } = candidate
    const isOutdated = superseded || (chunk !== null && successors.has(chunk.id))
    const score = isOutdated
      ? candidate.score * outdatedFactor
      : Math.max(candidate.score, least.get(id) ?? 0)
    return { ...candidate, score }
  })
}

/** Outdated text is still found, but behind what took its place. */
const outdatedFactor = 0.5

/** An outdated chunk never stands above the fact, or the text, that took its place. */
export function keepBehind(ranked: readonly Candidate[], successors: Successors): readonly Candidate[] {
  const scores = new Map<string, number>(ranked.map(({ id, score }) => [id, score]))
  const ahead = new Map<string, number>()
  for (const [outdated, current] of successors) {
    const found = current.flatMap(({ id, chunkId }) =>
      [scores.get(id) ?? [], scores.get(chunkId) ?? []].flat(),
    )
    if (found.length > 0) ahead.set(outdated, Math.min(...found))
  }
  return standBehind(ranked, ahead)
}
