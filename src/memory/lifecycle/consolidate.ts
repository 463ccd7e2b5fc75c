import type { Clock, Seconds } from '../../core/clock.ts'
import type { Namespace } from '../../core/ids.ts'
import type { ClusterCompressor } from '../hooks.ts'
import type { ConsolidateReply, ConsolidateRequest } from '../memory.ts'
import type { Lease, LifecycleStore } from '../ports.ts'
import { countFaded, type PruneParts, prune } from './prune.ts'

export interface ConsolidateParts extends PruneParts {
  readonly lifecycle: LifecycleStore
  readonly clock: Clock
  readonly pruneThreshold: number
  /** Null when no LLM is configured: nothing is compressed. */
  readonly compress: ClusterCompressor | null
  readonly milliseconds: () => number
}

/** A second run within this time would find nothing to do. */
const recentSeconds: Seconds = 600
/** Longer than any run should take; a holder that died blocks no longer than this. */
const leaseSeconds: Seconds = 300

/** An automatic run refuses to delete more than this: the clock is more likely wrong than the memories old. */
const unusual = { share: 0.2, memories: 100 } as const

/** The reply of a run that has nothing to do, because one was recent; null when a run would work. */
export async function skippedRun(
  { lifecycle, clock }: Pick<ConsolidateParts, 'lifecycle' | 'clock'>,
  namespace: Namespace,
  { persona, force }: ConsolidateRequest,
): Promise<ConsolidateReply | null> {
  if (force) return null
  // A run for the whole account covers its personas.
  const scopes = persona === null ? [null] : [persona, null]
  const runs = await Promise.all(scopes.map((scope) => lifecycle.lastRun(namespace, scope)))
  const recent = runs.filter((at): at is Seconds => at !== null && Math.abs(clock.now() - at) < recentSeconds)
  return recent.length === 0 ? null : nothingDone(Math.max(...recent))
}

const nothingDone = (lastRunAt: Seconds): ConsolidateReply => ({
  memoriesReinforced: 0,
  memoriesDecayed: 0,
  memoriesPruned: 0,
  memoriesCompressed: 0,
  abstractionsCreated: 0,
  latencyMs: 0,
  skipped: true,
  lastRunAt,
})

/** Decay, prune, compress, unless that happened recently or is happening now. */
export async function consolidate(
  parts: ConsolidateParts,
  namespace: Namespace,
  request: ConsolidateRequest,
): Promise<ConsolidateReply> {
  const started = parts.milliseconds()
  const timed = (reply: ConsolidateReply) => ({ ...reply, latencyMs: parts.milliseconds() - started })
  const skipped = await skippedRun(parts, namespace, request)
  if (skipped !== null) return timed(skipped)
  const lease = await parts.lifecycle.acquire(`consolidate:${namespace}`, leaseSeconds, parts.clock.now())
  if (lease === null) return timed(nothingDone(parts.clock.now()))
  try {
    const counts = await run(parts, namespace, request.persona, lease)
    const at = parts.clock.now()
    await parts.lifecycle.recordRun(namespace, request.persona, at)
    return { ...counts, latencyMs: parts.milliseconds() - started, skipped: false, lastRunAt: at }
  } finally {
    await parts.lifecycle.release(lease)
  }
}

/** The steps of the specification. The stores refuse the writes of a run that was taken over while it slept. */
async function run(
  parts: ConsolidateParts,
  namespace: Namespace,
  persona: string | null,
  lease: Lease,
): Promise<Omit<ConsolidateReply, 'latencyMs' | 'skipped' | 'lastRunAt'>> {
  const { graph, lifecycle, clock, halfLifeDays, pruneThreshold, compress } = parts
  const decay = await graph.decay(namespace, { persona, halfLifeDays, now: clock.now(), lease })
  const pruned = await prune(parts, namespace, { threshold: pruneThreshold, dryRun: false, persona }, lease)
  const mayCompress = compress !== null && (await lifecycle.renew(lease, leaseSeconds, clock.now()))
  const compression = mayCompress ? await compress(namespace, { persona, now: clock.now() }) : null
  return {
    memoriesReinforced: decay.reinforced,
    memoriesDecayed: decay.decayed,
    memoriesPruned: pruned.pruned,
    memoriesCompressed: compression?.compressed ?? 0,
    abstractionsCreated: compression?.abstractions ?? 0,
  }
}

export type AutomaticRun =
  | { readonly outcome: 'ran'; readonly reply: ConsolidateReply }
  /** It would have deleted unusually much; nothing was changed. */
  | { readonly outcome: 'refused'; readonly faded: number; readonly total: number }

/** A run nobody asked for: refuses to delete an unusual share of a namespace. Explicit calls are obeyed. */
export async function consolidateAutomatically(
  parts: ConsolidateParts,
  namespace: Namespace,
): Promise<AutomaticRun> {
  const { graph, episodic, clock, halfLifeDays, pruneThreshold } = parts
  const query = { persona: null, threshold: pruneThreshold, halfLifeDays, now: clock.now() }
  const { relations, chunks } = await countFaded(parts, namespace, query)
  const everything = { ids: null, persona: null, sessionId: null }
  const total =
    (await graph.countRelationships(namespace, null)) + (await episodic.count(namespace, everything))
  const faded = relations + chunks
  if (faded > unusual.memories && faded > unusual.share * total) return { outcome: 'refused', faded, total }
  return { outcome: 'ran', reply: await consolidate(parts, namespace, { persona: null, force: false }) }
}
