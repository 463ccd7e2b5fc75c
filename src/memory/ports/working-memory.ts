import type { Seconds } from '../../core/clock.ts'
import type { Namespace } from '../../core/ids.ts'
import type { Vector } from '../../core/vectors.ts'
import type { Chunk, Source } from '../model.ts'

export interface HotFact {
  readonly id: string
  readonly fact: string
  readonly persona: string
  readonly source: Source
  readonly confidence: number
  readonly createdAt: Seconds
  readonly metadata: Chunk['metadata']
  readonly vector: Vector
}

export interface Session {
  /** Rolling mean of what the session was about, newer texts weighing more; unit length. */
  readonly topic: Vector
  /** Newest first. */
  readonly facts: readonly HotFact[]
}

export interface Observation {
  readonly sessionId: string
  readonly vector: Vector
  readonly facts: readonly HotFact[]
  readonly now: Seconds
}

/** The session at hand; it expires when nothing is added for a while. Rules WM1 to WM6 in docs/ports/memory.md. */
export interface WorkingMemory {
  observe(namespace: Namespace, observation: Observation): Promise<void>
  /** Null when the session is unknown or expired. */
  session(namespace: Namespace, sessionId: string, now: Seconds): Promise<Session | null>
  /** Drops the hot facts with these ids from every session of the namespace. */
  dropFacts(namespace: Namespace, ids: readonly string[]): Promise<void>
  /** Null: every session. Says how many were removed. */
  forget(namespace: Namespace, sessionId: string | null): Promise<number>
}
