import type { Seconds } from '../../core/clock.ts'
import { retention } from '../lifecycle/decay.ts'
import type { RetrievedFact } from '../memory.ts'
import type { FoundChunk, FoundFact, HotFact } from '../ports.ts'
import { isSuperseded } from '../record.ts'
import type { Rankable } from './merge.ts'

/** A memory that may be returned. Of `chunk` and `fact` at most one is there; neither for a hot text. */
export interface Candidate extends Rankable {
  readonly shown: Omit<RetrievedFact, 'id' | 'score' | 'rank' | 'superseded'>
  readonly chunk: FoundChunk | null
  readonly fact: FoundFact | null
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
  return { id, score, itemId, superseded: isSuperseded(chunk), shown, chunk, fact: null }
}

export function factCandidate(fact: FoundFact, score: number, { now, halfLifeDays }: Aging): Candidate {
  const { id, itemId, createdAt, accessCount, base, metadata, persona } = fact
  const shown = {
    ...{ fact: fact.fact, sourceType: 'semantic' as const, createdAt, accessCount, confidence: base },
    ...{ metadata, persona, retention: retention(fact, now, halfLifeDays) },
  }
  return { id, score, itemId, superseded: fact.closedAt !== null, shown, chunk: null, fact }
}

/** A hot fact carries no counts of its own; those of the stored fact are taken where it is known. */
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
  return { id, score, itemId: stored?.itemId ?? null, superseded: false, shown, chunk: null, fact: stored }
}
