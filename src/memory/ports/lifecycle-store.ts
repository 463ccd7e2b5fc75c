import type { Seconds } from '../../core/clock.ts'
import type { Namespace } from '../../core/ids.ts'

/** A right to run alone, for a while. `fence` grows with every holder: late writes of an old one are refused. */
export interface Lease {
  readonly name: string
  readonly fence: number
}

/** What a run did. */
export interface LifecycleRun {
  readonly at: Seconds
  /** Nobody asked for it: the hourly one. */
  readonly automatic: boolean
  readonly reinforced: number
  readonly decayed: number
  readonly pruned: number
  /** Faded memories that it left for the runs after it. */
  readonly heldBack: number
  readonly compressed: number
  readonly abstractions: number
}

/** When lifecycle runs happened, and who may run now. Rules LS1 to LS6 in docs/ports/memory.md. */
export interface LifecycleStore {
  /** Null persona: runs for the whole account. Null: never ran. */
  lastRun(namespace: Namespace, persona: string | null): Promise<Seconds | null>
  recordRun(namespace: Namespace, persona: string | null, run: LifecycleRun): Promise<void>
  /** What the last runs did, newest first. */
  runs(namespace: Namespace, persona: string | null): Promise<readonly LifecycleRun[]>
  /** Null while somebody else holds it. */
  acquire(name: string, seconds: number, now: Seconds): Promise<Lease | null>
  /** False when it was lost meanwhile. */
  renew(lease: Lease, seconds: number, now: Seconds): Promise<boolean>
  release(lease: Lease): Promise<void>
}
