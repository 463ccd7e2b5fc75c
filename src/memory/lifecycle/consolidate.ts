import type { Clock, Seconds } from '../../core/clock.ts'
import type { Namespace } from '../../core/ids.ts'
import type { ClusterCompressor } from '../hooks.ts'
import type { ConsolidateReply, ConsolidateRequest, LifecycleReply } from '../memory.ts'
import type { Lease, LifecycleStore } from '../ports.ts'
import { countFaded, type FadedCounts, type PruneParts, prune, type RemovedCounts } from './prune.ts'

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

/** An automatic run deletes no more than the larger of these: of more, the clock may be wrong rather than the memories old. */
const ordinary = { share: 0.2, memories: 100 } as const

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

/** The rules of fading, and what the last runs did. */
export async function lifecycleOf(
  { lifecycle, halfLifeDays, pruneThreshold }: ConsolidateParts,
  namespace: Namespace,
  persona: string | null,
): Promise<LifecycleReply> {
  return { halfLifeDays, pruneThreshold, runs: await lifecycle.runs(namespace, persona) }
}

/** Decay, prune, compress, unless that happened recently or is happening now. */
export async function consolidate(
  parts: ConsolidateParts,
  namespace: Namespace,
  request: ConsolidateRequest,
): Promise<ConsolidateReply> {
  return (await consolidateOnce(parts, namespace, { ...request, automatic: false }, async () => null)).reply
}

/** What an automatic run did. */
export interface AutomaticRun {
  readonly reply: ConsolidateReply
  readonly pruned: RemovedCounts
  /** Faded memories that are left for the next runs. */
  readonly heldBack: number
}

/**
 * A run nobody asked for: it deletes at most an ordinary share of a namespace, the most faded first, and leaves the
 * rest to the runs that follow, so that somebody can notice a clock that is wrong. Explicit calls are obeyed.
 */
export function consolidateAutomatically(
  parts: ConsolidateParts,
  namespace: Namespace,
): Promise<AutomaticRun> {
  const request = { persona: null, force: false, automatic: true }
  return consolidateOnce(parts, namespace, request, () => ordinaryShare(parts, namespace))
}

/** How many of each kind an automatic run may delete; null: there is no more than that. */
async function ordinaryShare(parts: ConsolidateParts, namespace: Namespace): Promise<FadedCounts | null> {
  const { graph, episodic, clock, halfLifeDays, pruneThreshold: threshold } = parts
  const query = { persona: null, threshold, halfLifeDays, now: clock.now() }
  const faded = await countFaded(parts, namespace, query)
  const total =
    (await graph.countRelationships(namespace, null)) + (await episodic.count(namespace, everything))
  const most = Math.max(ordinary.memories, Math.floor(ordinary.share * total))
  const found = faded.relations + faded.chunks
  if (found <= most) return null
  const relations = Math.round((most * faded.relations) / found)
  return { relations, chunks: most - relations }
}

const everything = { ids: null, persona: null, sessionId: null }

const nothingPruned = { candidates: 0, pruned: 0, relations: 0, chunks: 0, orphanedEntities: 0 }

async function consolidateOnce(
  parts: ConsolidateParts,
  namespace: Namespace,
  request: ConsolidateRequest & { readonly automatic: boolean },
  mostPruned: () => Promise<FadedCounts | null>,
): Promise<AutomaticRun> {
  const { lifecycle, clock, milliseconds } = parts
  const started = milliseconds()
  const idle = (reply: ConsolidateReply): AutomaticRun => ({
    reply: { ...reply, latencyMs: milliseconds() - started },
    pruned: nothingPruned,
    heldBack: 0,
  })
  const skipped = await skippedRun(parts, namespace, request)
  if (skipped !== null) return idle(skipped)
  const lease = await lifecycle.acquire(`consolidate:${namespace}`, leaseSeconds, clock.now())
  if (lease === null) return idle(nothingDone(clock.now()))
  try {
    const { pruned, counts } = await run(parts, namespace, { persona: request.persona, lease, mostPruned })
    const at = clock.now()
    const heldBack = pruned.candidates - pruned.pruned
    await lifecycle.recordRun(namespace, request.persona, {
      ...{ at, automatic: request.automatic, heldBack, pruned: pruned.pruned },
      ...{ reinforced: counts.memoriesReinforced, decayed: counts.memoriesDecayed },
      ...{ compressed: counts.memoriesCompressed, abstractions: counts.abstractionsCreated },
    })
    const { relations, chunks, orphanedEntities } = pruned
    return {
      reply: { ...counts, latencyMs: milliseconds() - started, skipped: false, lastRunAt: at },
      pruned: { relations, chunks, orphanedEntities },
      heldBack,
    }
  } finally {
    await lifecycle.release(lease)
  }
}

interface Run {
  readonly persona: string | null
  readonly lease: Lease
  readonly mostPruned: () => Promise<FadedCounts | null>
}

/** The steps of the specification. The stores refuse the writes of a run that was taken over while it slept. */
async function run(parts: ConsolidateParts, namespace: Namespace, { persona, lease, mostPruned }: Run) {
  const { graph, lifecycle, clock, halfLifeDays, pruneThreshold: threshold, compress } = parts
  const decay = await graph.decay(namespace, { persona, halfLifeDays, now: clock.now(), lease })
  // Nothing is below 0: pruning is switched off.
  const pruned =
    threshold === 0
      ? nothingPruned
      : await prune(
          parts,
          namespace,
          { threshold, dryRun: false, persona },
          { lease, most: await mostPruned() },
        )
  const mayCompress = compress !== null && (await lifecycle.renew(lease, leaseSeconds, clock.now()))
  const compression = mayCompress ? await compress(namespace, { persona, now: clock.now() }) : null
  return {
    pruned,
    counts: {
      memoriesReinforced: decay.reinforced,
      memoriesDecayed: decay.decayed,
      memoriesPruned: pruned.pruned,
      memoriesCompressed: compression?.compressed ?? 0,
      abstractionsCreated: compression?.abstractions ?? 0,
    },
  }
}
