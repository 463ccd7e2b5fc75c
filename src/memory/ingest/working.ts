import type { Seconds } from '../../core/clock.ts'
import { ServiceError } from '../../core/errors.ts'
import type { Namespace, RelationshipId } from '../../core/ids.ts'
import type { Vector } from '../../core/vectors.ts'
import type { Chunk } from '../model.ts'
import type { Fact, GraphStore, HotFact, WorkingMemory } from '../ports.ts'

export interface SessionParts {
  readonly working: WorkingMemory
  readonly graph: Pick<GraphStore, 'factsOf'>
}

/** What a text leaves in its session: the facts it gave, or the text itself when it gave none. */
export interface SessionUpdate {
  readonly sessionId: string | null
  readonly topic: Vector
  readonly chunks: readonly Chunk[]
  readonly now: Seconds
}

/** Only a text that is itself as short as a fact is worth keeping hot as it is. */
const longestHotText = 400

/**
 * Updates the session's topic and hot facts. False when there is no session, or its store cannot be reached:
 * working memory is best effort and never fails an ingest.
 */
export async function updateSession(
  { working, graph }: SessionParts,
  namespace: Namespace,
  update: SessionUpdate,
): Promise<boolean> {
  const { sessionId, topic, chunks, now } = update
  if (sessionId === null) return false
  try {
    const ids = chunks.map(({ id }) => id)
    const facts = (await graph.factsOf(namespace, ids)).filter(({ closedAt }) => closedAt === null)
    const hot =
      facts.length > 0
        ? facts.map(hotFact)
        : chunks.filter(({ text }) => text.length <= longestHotText).map(hotText)
    await working.observe(namespace, { sessionId, vector: topic, facts: hot, now })
    return true
  } catch (error) {
    if (isUnreachable(error)) return false
    throw error
  }
}

/** Takes facts that no longer hold out of every session; best effort like all of working memory. */
export async function coolDown(
  working: WorkingMemory,
  namespace: Namespace,
  closed: readonly RelationshipId[],
): Promise<void> {
  if (closed.length === 0) return
  try {
    await working.dropFacts(namespace, closed)
  } catch (error) {
    if (!isUnreachable(error)) throw error
  }
}

function isUnreachable(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'store_unavailable'
}

function hotFact(fact: Fact): HotFact {
  const { id, persona, source, base, createdAt, metadata, vector } = fact
  return { id, fact: fact.fact, persona, source, confidence: base, createdAt, metadata, vector }
}

function hotText(chunk: Chunk): HotFact {
  const { id, text, persona, source, base, createdAt, metadata, vector } = chunk
  return { id, fact: text, persona, source, confidence: base, createdAt, metadata, vector }
}
