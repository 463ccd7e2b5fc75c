import type { Seconds } from '../../core/clock.ts'
import { ServiceError } from '../../core/errors.ts'
import { asChunkId, asRelationshipId, type ChunkId, type Namespace } from '../../core/ids.ts'
import { leansOnBefore, mostBefore, toldTogether } from '../../core/leaning.ts'
import type { Vector } from '../../core/vectors.ts'
import type { IngestItem } from '../memory.ts'
import { type Chunk, sharedPersona } from '../model.ts'
import type { Fact, GraphStore, HotFact, MemoryStores, WorkingMemory } from '../ports.ts'

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

/**
 * What a text that leans on something was told after: what came before it in its conversation, or the texts that its
 * session was told last and that this persona may see; null when there are none.
 */
export async function toldLast(
  { working, graph, episodic }: Pick<MemoryStores, 'working' | 'graph' | 'episodic'>,
  namespace: Namespace,
  { sessionId, text, persona, before = null }: Pick<IngestItem, 'sessionId' | 'text' | 'persona' | 'before'>,
  now: Seconds,
): Promise<string | null> {
  if (!leansOnBefore(text)) return null
  if (before !== null || sessionId === null) return before
  try {
    const { facts = [] } = (await working.session(namespace, sessionId, now)) ?? {}
    const seen = facts.filter((hot) => hot.persona === persona || hot.persona === sharedPersona)
    const read = await graph.get(
      namespace,
      seen.map(({ id }) => asRelationshipId(id)),
    )
    const textOf = new Map<string, ChunkId>(read.map(({ id, chunkId }) => [id, chunkId]))
    // The last ones come first; a text that gave no fact is there itself.
    const ids = [...new Set(seen.map(({ id }) => textOf.get(id) ?? asChunkId(id)))].slice(0, mostBefore)
    const texts = new Map((await episodic.get(namespace, ids)).map((chunk) => [chunk.id, chunk.text]))
    return toldTogether(ids.flatMap((id) => texts.get(id) ?? []).reverse())
  } catch (error) {
    if (isUnreachable(error)) return null
    throw error
  }
}

/** Takes what no longer holds out of every session; best effort like all of working memory. */
export async function coolDown(
  working: WorkingMemory,
  namespace: Namespace,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  try {
    await working.dropFacts(namespace, ids)
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
