import type { Namespace } from '../../../core/ids.ts'
import type { Vector } from '../../../core/vectors.ts'
import type { HotFact, Observation } from '../../../memory/ports.ts'
import { blendTopic } from '../../../memory/topic.ts'
import type { EngineContext } from '../engine/context.ts'
import { vectorOf } from './index/entries.ts'
import { metadataText, type Packed, packRows } from './rows.ts'

interface Scoped {
  readonly namespace: Namespace
}

interface Observe extends Scoped {
  readonly observation: Observation
  readonly ttlSeconds: number
  readonly hotFacts: number
}

interface Asked extends Scoped {
  readonly sessionId: string
  readonly now: number
  readonly ttlSeconds: number
}

const topicOf =
  'SELECT topic FROM session WHERE namespace = :namespace AND id = :sessionId AND seen_at > :oldest'

export const workingWrites = {
  'working.observe': (context: EngineContext, args: Observe): void => {
    const { namespace, observation, ttlSeconds } = args
    const { prepare } = context
    const { sessionId, now } = observation
    const oldest = now - ttlSeconds
    prepare('DELETE FROM session WHERE namespace = ? AND seen_at <= ?').run(namespace, oldest)
    const known = prepare(topicOf).get({ namespace, sessionId, oldest })
    const topic = blendTopic(known === undefined ? null : vectorOf(known.topic), observation.vector)
    prepare(`INSERT INTO session (namespace, id, topic, seen_at) VALUES (:namespace, :sessionId, :topic, :now)
ON CONFLICT (namespace, id) DO UPDATE SET topic = :topic, seen_at = max(seen_at, :now)`).run({
      ...{ namespace, sessionId, topic, now },
    })
    // The first is the newest of them, so it goes in last.
    for (const fact of observation.facts.toReversed()) addHotFact(context, namespace, sessionId, fact)
    prepare(dropOldest).run({ namespace, sessionId, kept: args.hotFacts })
  },
  'working.dropFacts': (
    { prepare }: EngineContext,
    { namespace, ids }: Scoped & { readonly ids: readonly string[] },
  ): void => {
    const sql = 'DELETE FROM session_fact WHERE namespace = ? AND id IN (SELECT value FROM json_each(?))'
    prepare(sql).run(namespace, JSON.stringify(ids))
  },
  'working.forget': (
    { prepare }: EngineContext,
    { namespace, sessionId }: Scoped & { readonly sessionId: string | null },
  ): number =>
    Number(
      sessionId === null
        ? prepare('DELETE FROM session WHERE namespace = ?').run(namespace).changes
        : prepare('DELETE FROM session WHERE namespace = ? AND id = ?').run(namespace, sessionId).changes,
    ),
}

export const workingReads = {
  'working.session': (
    { prepare }: EngineContext,
    { namespace, sessionId, now, ttlSeconds }: Asked,
  ): { topic: Vector; facts: Packed } | null => {
    const known = prepare(topicOf).get({ namespace, sessionId, oldest: now - ttlSeconds })
    if (known === undefined) return null
    const rows = prepare(
      'SELECT * FROM session_fact WHERE namespace = :namespace AND session_id = :sessionId ORDER BY seq DESC',
    )
    return { topic: vectorOf(known.topic), facts: packRows(rows, { namespace, sessionId }) }
  },
}

/** A fact that is hot already becomes the newest again. */
function addHotFact(
  { prepare }: EngineContext,
  namespace: Namespace,
  sessionId: string,
  fact: HotFact,
): void {
  const { metadata, ...columns } = fact
  prepare(`INSERT OR REPLACE INTO session_fact
  (namespace, session_id, id, fact, persona, source, confidence, created_at, metadata, vector)
VALUES (:namespace, :sessionId, :id, :fact, :persona, :source, :confidence, :createdAt, :metadata, :vector)`).run(
    {
      ...{ namespace, sessionId, ...columns, metadata: metadataText(metadata) },
    },
  )
}

const dropOldest = `DELETE FROM session_fact WHERE namespace = :namespace AND session_id = :sessionId AND seq <= (
  SELECT seq FROM session_fact WHERE namespace = :namespace AND session_id = :sessionId
  ORDER BY seq DESC LIMIT 1 OFFSET :kept
)`
