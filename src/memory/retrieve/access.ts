import type { Clock, Seconds } from '../../core/clock.ts'
import type { ChunkId, Namespace, RelationshipId } from '../../core/ids.ts'
import type { Timer } from '../lifecycle/schedule.ts'
import type { EpisodicStore, GraphStore } from '../ports.ts'

/** What a retrieve returned. */
export interface Accessed {
  readonly chunks: readonly ChunkId[]
  readonly facts: readonly RelationshipId[]
}

export interface AccessRecorder {
  /** Counts an access of each; written later, in the background. */
  record(namespace: Namespace, accessed: Accessed): void
  /** Writes what is waiting. Never rejects: a count that cannot be written is reported and lost. */
  flush(): Promise<void>
}

export interface AccessParts {
  readonly graph: Pick<GraphStore, 'touch'>
  readonly episodic: Pick<EpisodicStore, 'touch'>
  readonly clock: Clock
  readonly timer: Timer
  readonly report: (error: unknown) => void
}

/** At most this much of counts is lost in a crash; the decisions allow 5 seconds. */
const delaySeconds: Seconds = 2
/** Beyond this many waiting ids the write does not wait. */
const mostWaiting = 5_000

/** Accesses of one namespace; a memory that was accessed twice stands in it twice. */
interface Waiting {
  readonly chunks: ChunkId[]
  readonly facts: RelationshipId[]
  at: Seconds
}

/** Collects accesses and writes them together. */
export function createAccessRecorder({ graph, episodic, clock, timer, report }: AccessParts): AccessRecorder {
  let waiting = new Map<Namespace, Waiting>()
  let count = 0
  let cancel: (() => void) | null = null
  let writing: Promise<void> = Promise.resolve()

  const write = async (batch: ReadonlyMap<Namespace, Waiting>): Promise<void> => {
    for (const [namespace, { chunks, facts, at }] of batch) {
      const touches = [
        chunks.length > 0 ? episodic.touch(namespace, chunks, at) : null,
        facts.length > 0 ? graph.touch(namespace, facts, at) : null,
      ]
      for (const outcome of await Promise.allSettled(touches)) {
        if (outcome.status === 'rejected') report(outcome.reason)
      }
    }
  }

  const flush = (): Promise<void> => {
    cancel?.()
    cancel = null
    const batch = waiting
    waiting = new Map()
    count = 0
    writing = writing.then(() => write(batch))
    return writing
  }

  return {
    record: (namespace, { chunks, facts }) => {
      const own = waiting.get(namespace) ?? { chunks: [], facts: [], at: 0 }
      waiting.set(namespace, own)
      own.at = clock.now()
      own.chunks.push(...new Set(chunks))
      own.facts.push(...new Set(facts))
      count += chunks.length + facts.length
      if (count === 0) return
      if (count >= mostWaiting) void flush()
      else cancel ??= timer(delaySeconds, () => void flush())
    },
    flush,
  }
}
