import { ServiceError } from '../../core/errors.ts'
import type { Namespace } from '../../core/ids.ts'
import { toldTogether } from '../../core/leaning.ts'
import { externalKey, turnId } from '../keys.ts'
import type { Message } from '../learned.ts'
import type { BatchReply, BatchResult, Conversation, IngestItem, IngestReply } from '../memory.ts'
import type { Source } from '../model.ts'
import type { MemoryStores } from '../ports.ts'
import { divide, ingestBatch } from './batch.ts'
import { keyOf, textHash } from './draft.ts'
import { clearUp, type IngestParts, ingestPassage, readPassage } from './ingest.ts'
import { batchReply } from './reply.ts'
import { coolDown } from './working.ts'

/** What the system says is nobody's word about himself: it neither replaces nor is replaced, as a document. */
const sources: Record<Message['role'], Source> = { user: 'user', assistant: 'assistant', system: 'document' }

/** Messages of one moment keep their order. */
const step = 1e-6

const isConversation = (item: IngestItem | Conversation): item is Conversation => 'messages' in item

/** The texts of an item, in the order of the conversation. */
function turnsOf(item: IngestItem | Conversation): readonly IngestItem[] {
  if (!isConversation(item)) return [item]
  const { messages, occurredAt = null, externalId = null, ...shared } = item
  let last = occurredAt
  return messages.map(({ role, content, name, occurredAt: said }, at): IngestItem => {
    last = said ?? (last === null || at === 0 ? last : last + step)
    return {
      ...{ ...shared, text: content, source: sources[role], speaker: name, occurredAt: last },
      externalId: externalId === null ? null : turnId(externalId, at),
      before: toldTogether(messages.slice(0, at).map((message) => message.content)),
    }
  })
}

/** Ingests one item. A conversation of which a message could not be stored fails; what is stored is known to a retry. */
export async function ingestItem(
  parts: IngestParts,
  namespace: Namespace,
  item: IngestItem | Conversation,
  signal?: AbortSignal,
): Promise<IngestReply> {
  if (isConversation(item)) {
    const [result] = (await ingestItems(parts, namespace, [item], signal)).results
    if (result !== undefined && !('error' in result)) return result
    const detail = 'Not every message could be stored; retry shortly.'
    throw new ServiceError('store_unavailable', { detail })
  }
  const passage = await readPassage(parts, namespace, item, signal)
  const { reply } = await ingestPassage(parts, namespace, passage, signal)
  return without(reply, await removeOtherForm(parts, namespace, item))
}

/** Ingests texts and conversations in order, all of their turns as one batch. */
export async function ingestItems(
  parts: IngestParts,
  namespace: Namespace,
  items: readonly (IngestItem | Conversation)[],
  signal?: AbortSignal,
): Promise<BatchReply> {
  const turns = items.map(turnsOf)
  const { results, ...reply } = await ingestBatch(parts, namespace, turns.flat(), signal)
  const joined = turns.map((several, at) => {
    const start = turns.slice(0, at).reduce((sum, { length }) => sum + length, 0)
    return together(results.slice(start, start + several.length))
  })
  for (const [at, item] of items.entries()) {
    const result = joined[at]
    if (result !== undefined && !('error' in result))
      joined[at] = without(result, await removeOtherForm(parts, namespace, item))
  }
  const failed = joined.filter((result) => 'error' in result).length
  return { ...reply, results: joined, succeeded: joined.length - failed, failed }
}

/** What a store is asked at once: one message between threads, and room left for other callers. */
const lookupsAtOnce = 50

/** The chunks of each item that is kept as it is under its external id; null for the others. */
export async function knownItems(
  stores: MemoryStores,
  namespace: Namespace,
  items: readonly (IngestItem | Conversation)[],
): Promise<readonly (readonly string[] | null)[]> {
  const chunksOf = async (item: IngestItem | Conversation) => {
    if (isConversation(item)) return null
    const key = keyOf(item)
    if (key === null) return null
    const kept = await stores.episodic.keyed(namespace, item.persona, key)
    return kept?.textHash === textHash(item) ? kept.chunks : null
  }
  const found: (readonly string[] | null)[] = []
  for (const slice of divide(items, lookupsAtOnce)) found.push(...(await Promise.all(slice.map(chunksOf))))
  return found
}

/** The outcome of an item: that of its only text, the sum of its turns, or the first failure. */
function together(results: readonly BatchResult[]): BatchResult {
  const [only, ...others] = results
  if (only !== undefined && others.length === 0) return only
  const failure = results.find((result) => 'error' in result)
  if (failure !== undefined) return failure
  const replies = results.filter((result): result is IngestReply => !('error' in result))
  const latencyMs = replies.reduce((sum, reply) => sum + reply.latencyMs, 0)
  const {
    results: _results,
    succeeded: _succeeded,
    failed: _failed,
    ...sum
  } = batchReply(replies, [], latencyMs)
  return {
    ...sum,
    ids: replies.flatMap(({ ids = [] }) => ids),
    facts: replies.flatMap(({ facts = [] }) => facts),
    replaced: replies.flatMap(({ replaced = [] }) => replaced),
  }
}

/** What is gone was not made out of date. */
function without({ replaced = [], ...reply }: IngestReply, gone: readonly string[]): IngestReply {
  return { ...reply, replaced: replaced.filter(({ id }) => !gone.includes(id)) }
}

/** An id names one memory: the turns that a conversation no longer has go, and the text that it took the place of. */
async function removeOtherForm(
  parts: IngestParts,
  namespace: Namespace,
  item: IngestItem | Conversation,
): Promise<readonly string[]> {
  const { externalId = null, persona } = item
  if (externalId === null) return []
  const { episodic, journal, working } = parts.stores
  const removed: string[] = []
  const remove = async (id: string) => {
    const key = externalKey(id)
    if ((await episodic.keyed(namespace, persona, key)) === null) return false
    removed.push(...(await journal.removeKeyed(namespace, persona, key)))
    return true
  }
  if (isConversation(item)) await remove(externalId)
  let turn = isConversation(item) ? item.messages.length : 0
  while (await remove(turnId(externalId, turn))) turn++
  if (removed.length === 0) return removed
  await clearUp(parts, namespace)
  await coolDown(working, namespace, removed)
  return removed
}
