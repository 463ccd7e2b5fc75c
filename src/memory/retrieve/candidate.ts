import type { Seconds } from '../../core/clock.ts'
import { retention } from '../lifecycle/decay.ts'
import type { RetrievedFact } from '../memory.ts'
import type { FoundChunk, FoundFact, HotFact } from '../ports.ts'
import { isSuperseded } from '../record.ts'
import type { Rankable } from './merge.ts'

/** A memory that may be returned. Of `chunk` and `fact` at most one is there; neither for a hot text. */
export interface Candidate extends Rankable {
  /** All it says was replaced by newer facts. */
  readonly superseded: boolean
  readonly shown: Omit<RetrievedFact, 'id' | 'score' | 'rank' | 'superseded'>
  readonly chunk: FoundChunk | null
  readonly fact: FoundFact | null
  /** A fact that is directly relevant by its own words and meaning, whatever its text says besides. */
  readonly isDirect: boolean
}

export interface Aging {
  readonly now: Seconds
  readonly halfLifeDays: number
}

export function chunkCandidate(chunk: FoundChunk, score: number, { now, halfLifeDays }: Aging): Candidate {
  const { id, itemId, text, createdAt, accessCount, base, metadata, persona } = chunk
  const shown = {
    ...{ fact: text, sourceType: 'episodic' as const, createdAt, accessCount, confidence: base },
    ...{ metadata, persona, retention: retention(chunk, now, halfLifeDays) },
  }
  const superseded = isSuperseded(chunk)
  return {
    ...{ id, score, itemId, superseded, createdAt, shown },
    ...{ isFact: false, isDirect: false, chunk, fact: null },
  }
}

export function factCandidate(
  fact: FoundFact,
  { score, isDirect }: { readonly score: number; readonly isDirect: boolean },
  { now, halfLifeDays }: Aging,
): Candidate {
  const { id, itemId, createdAt, accessCount, base, metadata, persona } = fact
  const shown = {
    ...{ fact: fact.fact, sourceType: 'semantic' as const, createdAt, accessCount, confidence: base },
    ...{ metadata, persona, retention: retention(fact, now, halfLifeDays) },
  }
  const superseded = fact.closedAt !== null
  return { ...{ id, score, itemId, superseded, createdAt, shown }, isFact: true, isDirect, chunk: null, fact }
}

/**
 * A hot fact carries no counts of its own; those of the stored fact are taken where it is known. It is the conversation
 * itself, so it does not give way to its text.
 */
export function hotCandidate(hot: HotFact, score: number, stored: FoundFact | null, aging: Aging): Candidate {
  const { id, fact, confidence, createdAt, metadata, persona } = hot
  const own = { base: confidence, createdAt, lastAccessAt: createdAt, accessCount: 0 }
  const kept = stored ?? own
  const shown = {
    ...{ fact, sourceType: 'working' as const, createdAt: kept.createdAt, accessCount: kept.accessCount },
    ...{
      confidence: kept.base,
      metadata,
      persona,
      retention: retention(kept, aging.now, aging.halfLifeDays),
    },
  }
  return {
    ...{ id, score, itemId: null, superseded: false, createdAt: kept.createdAt, shown },
    ...{ isFact: true, isDirect: true, chunk: null, fact: stored },
  }
}
