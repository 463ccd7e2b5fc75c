import type { Clock } from '../core/clock.ts'
import { invalidField } from '../core/errors.ts'
import { asChunkId, asRelationshipId, type Namespace } from '../core/ids.ts'
import type { ListReply, ListRequest, MemoryRecord } from './memory.ts'
import type { EpisodicStore, GraphStore, ListPage } from './ports.ts'
import { chunkRecord, factRecord } from './record.ts'

export interface ListParts {
  readonly graph: GraphStore
  readonly episodic: EpisodicStore
  readonly clock: Clock
  readonly halfLifeDays: number
}

/** Chunks and facts together, newest first; the cursor is the position of the last one shown. */
export async function list(parts: ListParts, namespace: Namespace, request: ListRequest): Promise<ListReply> {
  const { graph, episodic, clock, halfLifeDays } = parts
  const { type, limit, cursor, ...filter } = request
  const page: ListPage = { after: readCursor(cursor), limit: limit + 1 }
  const [chunks, facts] = await Promise.all([
    type === 'semantic' ? [] : episodic.list(namespace, filter, page),
    type === 'episodic' ? [] : graph.list(namespace, filter, page),
  ])
  const now = clock.now()
  const records = [
    ...chunks.map((chunk) => chunkRecord(chunk, now, halfLifeDays)),
    ...facts.map((fact) => factRecord(fact, now, halfLifeDays)),
  ].toSorted(newestFirst)
  const memories = records.slice(0, limit)
  return { memories, nextCursor: records.length > limit ? cursorAfter(memories.at(-1)) : null }
}

/** The order of the stores: by time, then by id, both descending. */
function newestFirst(a: MemoryRecord, b: MemoryRecord): number {
  return b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1)
}

function cursorAfter(record: MemoryRecord | undefined): string | null {
  if (record === undefined) return null
  return Buffer.from(JSON.stringify([record.createdAt, record.id])).toString('base64url')
}

function readCursor(cursor: string | null): ListPage['after'] {
  if (cursor === null) return null
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    if (Array.isArray(value) && typeof value[0] === 'number' && typeof value[1] === 'string') {
      return { createdAt: value[0], id: value[1] }
    }
  } catch {
    // Told below: whatever is wrong with it, the caller can only ask for the first page again.
  }
  throw invalidField(
    'cursor',
    'cursor is not a cursor of this list; leave it out to begin at the newest memory',
  )
}

/** The memory with this id, chunk or fact, closed ones too; null when the namespace has none. */
export async function get(
  { graph, episodic, clock, halfLifeDays }: ListParts,
  namespace: Namespace,
  id: string,
): Promise<MemoryRecord | null> {
  const [chunk] = await episodic.get(namespace, [asChunkId(id)])
  if (chunk !== undefined) return chunkRecord(chunk, clock.now(), halfLifeDays)
  const [fact] = await graph.get(namespace, [asRelationshipId(id)])
  return fact === undefined ? null : factRecord(fact, clock.now(), halfLifeDays)
}
