import type { Seconds } from '../../core/clock.ts'
import type { ChunkId } from '../../core/ids.ts'
import { retention } from '../lifecycle/decay.ts'
import type { RetrievedFact } from '../memory.ts'
import type { EpisodicHit, EpisodicMatches, FactHit, FoundChunk, FoundFact, HotFact } from '../ports.ts'
import type { Path } from './paths.ts'

/**
 * A memory that may be returned: a text, or a fact that was read from one. Either may be hot, which means that it belongs
 * to the session at hand.
 */
export interface Candidate {
  readonly id: string
  /** The text itself; null for a fact. */
  readonly chunk: FoundChunk | null
  readonly fact: FoundFact | null
  /** What the session holds of it; null when it is not hot. */
  readonly hot: HotFact | null
  /** How many hot ones are newer; -1 when it is not hot. */
  readonly hotRank: number
  /** What the search found of its text; null when the text was not among what it found. */
  readonly hit: EpisodicHit | null
  /** A fact's own words and meaning; of a text those of its best fact, 0 without one. */
  readonly own: Match
  /** The way to it from what the question names; null when no traversal reached it. */
  readonly path: Path | null
}

/** How well something matches by itself. */
export interface Match {
  /** BM25 over the idf sum of the question; the share of its words where nothing is known of how rare they are. */
  readonly words: number
  readonly meaning: number
}

export const noMatch: Match = { words: 0, meaning: 0 }

/** The text that a candidate is, or was read from. */
export const textIdOf = ({ chunk, fact }: Candidate): ChunkId | null => chunk?.id ?? fact?.chunkId ?? null

const createdAtOf = ({ chunk, fact, hot }: Candidate): Seconds => (chunk ?? fact ?? hot)?.createdAt ?? 0

export const personaOf = ({ chunk, fact, hot }: Candidate): string => (chunk ?? fact ?? hot)?.persona ?? ''

export const shownText = ({ chunk, fact, hot }: Candidate): string =>
  fact?.fact ?? chunk?.text ?? hot?.fact ?? ''

/** A hot fact with what is stored of it: a fact, or a text. */
export interface HotMatch {
  readonly hot: HotFact
  readonly fact: FoundFact | null
  readonly chunk: FoundChunk | null
}

/** Everything that the searches found for one question. */
export interface Found {
  readonly episodic: EpisodicMatches
  readonly facts: readonly FactHit[]
  /** Facts that a traversal reached, with the way to them. */
  readonly paths: readonly { readonly hit: FactHit; readonly path: Path }[]
  /** Newest first. */
  readonly hot: readonly (HotMatch & { readonly own: Match })[]
}

/** Every memory that was found, once. */
export function gather(found: Found, wordsOf: (hit: FactHit) => number): readonly Candidate[] {
  const hits = new Map(found.episodic.hits.map((hit) => [hit.chunk.id, hit]))
  const hot = new Map(found.hot.map((match, at) => [match.hot.id, { ...match, at }]))
  const paths = new Map(found.paths.map(({ hit, path }) => [hit.fact.id, path]))
  const facts = new Map(
    [...found.paths.map(({ hit }) => hit), ...found.facts].map((hit) => [hit.fact.id, hit]),
  )
  const candidates: Candidate[] = []
  const bestFact = new Map<ChunkId, Match>()
  const bestPath = new Map<ChunkId, Path>()
  for (const hit of facts.values()) {
    const { fact, cosine } = hit
    const own = { words: wordsOf(hit), meaning: cosine }
    const path = paths.get(fact.id) ?? null
    bestFact.set(fact.chunkId, better(bestFact.get(fact.chunkId) ?? noMatch, own))
    const before = bestPath.get(fact.chunkId)
    if (path !== null && path.closeness > (before?.closeness ?? -1)) bestPath.set(fact.chunkId, path)
    const warm = hot.get(fact.id)
    candidates.push({
      id: fact.id,
      chunk: null,
      fact,
      hot: warm?.hot ?? null,
      hotRank: warm?.at ?? -1,
      hit: hits.get(fact.chunkId) ?? null,
      own,
      path,
    })
  }
  for (const hit of hits.values()) {
    const { id } = hit.chunk
    const warm = hot.get(id)
    candidates.push({
      id,
      chunk: hit.chunk,
      fact: null,
      hot: warm?.hot ?? null,
      hotRank: warm?.at ?? -1,
      hit,
      own: bestFact.get(id) ?? noMatch,
      path: bestPath.get(id) ?? null,
    })
  }
  const known = new Set(candidates.map(({ id }) => id))
  for (const [at, { hot: one, chunk, fact, own }] of found.hot.entries()) {
    if (known.has(one.id)) continue
    const hit = fact === null ? null : (hits.get(fact.chunkId) ?? null)
    candidates.push({ id: one.id, chunk, fact, hot: one, hotRank: at, hit, own, path: null })
  }
  return candidates
}

function better(a: Match, b: Match): Match {
  return { words: Math.max(a.words, b.words), meaning: Math.max(a.meaning, b.meaning) }
}

export interface Aging {
  readonly now: Seconds
  readonly halfLifeDays: number
}

/** What a caller sees of it, without what the ranking adds. */
export function shownOf(
  candidate: Candidate,
  { now, halfLifeDays }: Aging,
): Pick<
  RetrievedFact,
  | 'fact'
  | 'sourceType'
  | 'createdAt'
  | 'accessCount'
  | 'confidence'
  | 'certainty'
  | 'metadata'
  | 'persona'
  | 'retention'
> {
  const { chunk, fact, hot } = candidate
  const stored = chunk ?? fact
  const kept = stored ?? {
    ...{ base: hot?.confidence ?? 0, createdAt: hot?.createdAt ?? now, lastAccessAt: hot?.createdAt ?? now },
    ...{ accessCount: 0, pinned: false },
  }
  return {
    fact: hot?.fact ?? shownText(candidate),
    sourceType: hot !== null ? 'working' : fact !== null ? 'semantic' : 'episodic',
    ...{ createdAt: kept.createdAt, accessCount: kept.accessCount, confidence: kept.base },
    certainty: fact?.extraction ?? 1,
    ...{ metadata: (stored ?? hot)?.metadata ?? null, persona: personaOf(candidate) },
    retention: retention(kept, now, halfLifeDays),
  }
}

/** Newer first, then by id: what decides between equals. */
export function newerFirst(a: Candidate, b: Candidate): number {
  const [left, right] = [createdAtOf(a), createdAtOf(b)]
  if (left !== right) return right - left
  return a.id < b.id ? -1 : 1
}
