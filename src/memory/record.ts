import type { Seconds } from '../core/clock.ts'
import { retention } from './lifecycle/decay.ts'
import type { MemoryRecord } from './memory.ts'
import type { Fact, FoundChunk, StoredChunk } from './ports.ts'

/** Every fact that was read from it has been replaced. */
export function isSuperseded({ factCount, closedFactCount }: FoundChunk): boolean {
  return factCount > 0 && closedFactCount >= factCount
}

/** A chunk as one memory among others. */
export function chunkRecord(chunk: StoredChunk, now: Seconds, halfLifeDays: number): MemoryRecord {
  const { id, text, persona, sessionId, source, base, accessCount, createdAt, lastAccessAt, metadata } = chunk
  return {
    ...{ id, type: 'episodic', fact: text, persona, sessionId, source, confidence: base },
    ...{ retention: retention(chunk, now, halfLifeDays), accessCount, createdAt, lastAccessAt, metadata },
    ...{ superseded: isSuperseded(chunk), triple: null },
  }
}

/** A fact as one memory among others. */
export function factRecord(fact: Fact, now: Seconds, halfLifeDays: number): MemoryRecord {
  const { id, persona, sessionId, source, base, accessCount, createdAt, lastAccessAt, metadata } = fact
  return {
    ...{ id, type: 'semantic', fact: fact.fact, persona, sessionId, source, confidence: base },
    ...{ retention: retention(fact, now, halfLifeDays), accessCount, createdAt, lastAccessAt, metadata },
    superseded: fact.closedAt !== null,
    triple: { subject: fact.subjectName, relation: fact.relation, object: fact.objectName },
  }
}
