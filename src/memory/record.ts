import type { Seconds } from '../core/clock.ts'
import { retention } from './lifecycle/decay.ts'
import type { MemoryRecord } from './memory.ts'
import type { Fact, FoundChunk, StoredChunk } from './ports.ts'
import { certain, corrected } from './relation/certainty.ts'

/** Nothing it says holds any longer: it was corrected, every fact read from it is closed, or it gave none and was replaced. */
export function isSuperseded(chunk: FoundChunk): boolean {
  const { factCount, closedFactCount, replaced } = chunk
  if (replaced?.probability === corrected) return true
  return factCount > 0 ? closedFactCount >= factCount : certainlyReplaced(chunk) !== null
}

export const certainlyReplaced = ({ replaced }: FoundChunk) =>
  replaced !== null && replaced.probability >= certain ? replaced : null

/** A chunk as one memory among others. */
export function chunkRecord(chunk: StoredChunk, now: Seconds, halfLifeDays: number): MemoryRecord {
  const { id, text, persona, sessionId, source, base, accessCount, createdAt, lastAccessAt, metadata } = chunk
  const superseded = isSuperseded(chunk)
  // While something of it holds, its history says what took the place of the rest.
  const replaced = superseded ? certainlyReplaced(chunk) : null
  return {
    ...{ id, type: 'episodic', fact: text, persona, sessionId, source, confidence: base },
    ...{ retention: retention(chunk, now, halfLifeDays), accessCount, createdAt, lastAccessAt, metadata },
    ...{ superseded, triple: null, pinned: chunk.pinned },
    replacedBy: replaced?.by ?? null,
    replacedAt: replaced?.at ?? null,
  }
}

/** A fact as one memory among others. */
export function factRecord(fact: Fact, now: Seconds, halfLifeDays: number): MemoryRecord {
  const { id, persona, sessionId, source, base, accessCount, createdAt, lastAccessAt, metadata } = fact
  return {
    ...{ id, type: 'semantic', fact: fact.fact, persona, sessionId, source, confidence: base },
    ...{ retention: retention(fact, now, halfLifeDays), accessCount, createdAt, lastAccessAt, metadata },
    ...{ superseded: fact.closedAt !== null, pinned: fact.pinned },
    ...{ replacedBy: fact.closedBy ?? fact.closer, replacedAt: fact.closedAt },
    triple: tripleOf(fact),
  }
}

export const tripleOf = ({ subjectName, relation, objectName, negated }: Fact) => ({
  ...{ subject: subjectName, relation, object: objectName, negated },
})
