import { z } from 'zod'
import type { Seconds } from '../../../core/clock.ts'
import type { Namespace } from '../../../core/ids.ts'
import type { HistoryLink, ListRequest, Memory, MemoryRecord } from '../../../memory/memory.ts'
import { sharedPersona } from '../../../memory/model.ts'
import { found } from '../../routes/memories.ts'

/** A namespace's memory, and when to stop. */
export interface Place {
  readonly memory: Memory
  readonly namespace: Namespace
  readonly signal: AbortSignal
}

const owner = z.string().nullable()

/** A memory as mem0 shows it: here a text, never a fact that was read from one. */
export const mem0Memory = z.object({
  id: z.string(),
  memory: z.string(),
  user_id: owner,
  agent_id: owner,
  app_id: owner,
  run_id: owner,
  metadata: z.record(z.string(), z.unknown()).nullable(),
  categories: z.array(z.string()),
  created_at: z.string(),
  updated_at: z.string(),
})

export function shown({ id, fact, persona, sessionId, metadata, createdAt }: MemoryRecord) {
  const { agent_id, app_id, run_id: _, ...own } = metadata ?? {}
  return {
    ...{ id, memory: fact, userId: userOf(persona), runId: sessionId },
    ...{ agentId: stringOf(agent_id), appId: stringOf(app_id), metadata: metadata === null ? null : own },
    ...{ categories: [], createdAt: isoTime(createdAt), updatedAt: isoTime(createdAt) },
  }
}

/** What is told without a user is everybody's. */
export const userOf = (persona: string) => (persona === sharedPersona ? null : persona)
export const stringOf = (value: unknown) => (typeof value === 'string' ? value : null)
export const isoTime = (time: Seconds) => new Date(time * 1_000).toISOString()

/** So many texts one call looks at. */
export const mostTexts = 10_000
const textsAtOnce = 500

/** The texts that hold, newest first, and whether there are more than one call looks at. */
export async function textsOf(
  {
    memory,
    namespace,
    signal,
  }: Pick<Place, 'namespace' | 'signal'> & { readonly memory: Pick<Memory, 'list'> },
  asked: Pick<ListRequest, 'persona' | 'sessionId' | 'filter' | 'since' | 'until'>,
): Promise<{ readonly texts: readonly MemoryRecord[]; readonly isAll: boolean }> {
  const request = { ...asked, type: 'episodic', source: null } as const
  const texts: MemoryRecord[] = []
  let cursor: string | null = null
  for (let seen = 0; seen < mostTexts; seen += textsAtOnce) {
    signal.throwIfAborted()
    const page = await memory.list(namespace, { ...request, limit: textsAtOnce, cursor })
    texts.push(...page.memories.filter(({ superseded }) => !superseded))
    cursor = page.nextCursor
    if (cursor === null) break
  }
  return { texts, isAll: cursor === null }
}

/** Nothing else is as sure as a correction. */
const isCorrection = ({ kind, probability }: HistoryLink) => kind === 'replaces' && probability === 1

/**
 * mem0 changes a memory in its place; here a correction is a memory of its own. This is the one that holds now of the
 * memory with this id, whichever of its editions that names.
 */
export async function latestEdition(place: Place, id: string): Promise<MemoryRecord> {
  const record = found(await place.memory.get(place.namespace, id))
  if (!record.superseded) return record
  const next = (await linksOf(place, id)).findLast((link) => isCorrection(link) && link.older.id === id)
  return next === undefined ? record : latestEdition(place, next.newer.id)
}

/** What a memory was before it was corrected, oldest first, and itself. */
export async function editionsUntil(place: Place, record: MemoryRecord): Promise<readonly MemoryRecord[]> {
  const { id } = record
  const link = (await linksOf(place, id)).find((one) => isCorrection(one) && one.newer.id === id)
  const older = link === undefined ? null : await place.memory.get(place.namespace, link.older.id)
  return older === null ? [record] : [...(await editionsUntil(place, older)), record]
}

async function linksOf({ memory, namespace, signal }: Place, id: string): Promise<readonly HistoryLink[]> {
  signal.throwIfAborted()
  return (await memory.history(namespace, id))?.links ?? []
}
