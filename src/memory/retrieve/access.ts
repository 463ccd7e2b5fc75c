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

/** Accesses of one namespace; a memory accessed twice stands in two rounds, because a write counts each id once. */
interface Waiting {
  readonly rounds: { readonly chunks: Set<ChunkId>; readonly facts: Set<RelationshipId> }[]
  at: Seconds
}

/** Collects accesses and writes them together. */
export function createAccessRecorder({ graph, episodic, clock, timer, report }: AccessParts): AccessRecorder {
  let waiting = new Map<Namespace, Waiting>()
  let count = 0
  let cancel: (() => void) | null = null
  let writing: Promise<void> = Promise.resolve()

  const write = async (batch: ReadonlyMap<Namespace, Waiting>): Promise<void> => {
    for (const [namespace, { rounds, at }] of batch) {
      for (const { chunks, facts } of rounds) {
        const touches = [
          chunks.size > 0 ? episodic.touch(namespace, [...chunks], at) : null,
          facts.size > 0 ? graph.touch(namespace, [...facts], at) : null,
        ]
        for (const outcome of await Promise.allSettled(touches)) {
          if (outcome.status === 'rejected') report(outcome.reason)
        }
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
      const own = waiting.get(namespace) ?? { rounds: [], at: 0 }
      waiting.set(namespace, own)
      own.at = clock.now()
      for (const id of new Set(chunks)) roundWithout(own, (round) => round.chunks.has(id)).chunks.add(id)
      for (const id of new Set(facts)) roundWithout(own, (round) => round.facts.has(id)).facts.add(id)
      count += chunks.length + facts.length
      if (count === 0) return
      if (count >= mostWaiting) void flush()
      else cancel ??= timer(delaySeconds, () => void flush())
    },
    flush,
  }
}

type Round = Waiting['rounds'][number]

function roundWithout(waiting: Waiting, has: (round: Round) => boolean): Round {
  const free = waiting.rounds.find((round) => !has(round))
  if (free !== undefined) return free
  const round: Round = { chunks: new Set(), facts: new Set() }
  waiting.rounds.push(round)
  return round
}
