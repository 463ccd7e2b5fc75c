import type { SQLOutputValue } from 'node:sqlite'
import type { Seconds } from '../../../../core/clock.ts'
import type { EngineContext } from '../../engine/context.ts'
import { createScanArena, type ScanArena } from '../../vector-scan/arena.ts'
import { type Rounded, readRounded } from '../../vector-scan/rounded.ts'
import { createSearchIndex, type IndexEntry, type SearchIndex } from './search-index.ts'

export type TextKind = 'chunk' | 'fact' | 'entity'

export interface IndexRequest {
  readonly namespace: string
  readonly kind: TextKind
  /** Indexes beyond this many bytes are dropped, the longest unused first. The one asked for always stays. */
  readonly budgetBytes: number
}

interface Held {
  readonly index: ReturnType<typeof createSearchIndex>
  /** The last entry and the last change that it has seen. */
  seq: number
  change: number
}

interface Indexes {
  readonly arena: ScanArena
  of(context: EngineContext, request: IndexRequest): SearchIndex
}

const held = new WeakMap<EngineContext, Indexes>()

function indexesOf(context: EngineContext): Indexes {
  const indexes = held.get(context) ?? createIndexes(createScanArena())
  held.set(context, indexes)
  return indexes
}

/** The index of a namespace, with every committed change in it: read from the database when it is not in memory. */
export function indexOf(context: EngineContext, request: IndexRequest): SearchIndex {
  return indexesOf(context).of(context, request)
}

const closedSince = 'SELECT 1 FROM relationship WHERE namespace = ? AND closed_at > ? LIMIT 1'
const openThen = `
SELECT t.seq, t.id, t.persona, t.thread, t.terms, t.rounded FROM memory_text t
JOIN relationship r ON r.seq = t.seq
WHERE t.namespace = :namespace AND t.kind = 'fact' AND r.created_at <= :asOf
AND (r.closed_at IS NULL OR r.closed_at > :asOf) ORDER BY t.seq`

/**
 * Searches the facts that were open at a time. The index has those of now: where some were closed since, one of then is
 * made for this search alone, which takes as long as reading every fact.
 */
export function searchFactsThen<T>(
  context: EngineContext,
  request: IndexRequest,
  asOf: Seconds,
  search: (index: SearchIndex) => T,
): T {
  const { namespace } = request
  if (context.prepare(closedSince).get(namespace, asOf) === undefined) {
    return search(indexOf(context, request))
  }
  const index = createSearchIndex(indexesOf(context).arena)
  try {
    for (const row of context.prepare(openThen).iterate({ namespace, asOf })) index.add(entryOf(row))
    return search(index)
  } finally {
    index.release()
  }
}

function createIndexes(arena: ScanArena): Indexes {
  /** In the order of use, longest unused first. */
  const known = new Map<string, Held>()

  const drop = (key: string) => {
    known.get(key)?.index.release()
    known.delete(key)
  }
  const evict = (budgetBytes: number, keep: string) => {
    let total = 0
    for (const { index } of known.values()) total += index.bytes
    for (const [key, { index }] of known) {
      if (total <= budgetBytes) return
      if (key === keep) continue
      total -= index.bytes
      drop(key)
    }
  }
  const of: Indexes['of'] = (context, request) => {
    const key = `${request.kind}:${request.namespace}`
    const before = known.get(key)
    if (before !== undefined && (before.index.isWorn || !applyChanges(context, request, before))) drop(key)
    const entry = known.get(key) ?? { index: createSearchIndex(arena), seq: 0, change: lastChange(context) }
    known.delete(key)
    try {
      addNew(context, request, entry)
    } catch (error) {
      // Half of what is there must never answer.
      entry.index.release()
      throw error
    }
    known.set(key, entry)
    evict(request.budgetBytes, key)
    return entry.index
  }
  return { arena, of }
}

const newEntries = `
SELECT seq, id, persona, thread, terms, rounded FROM memory_text
WHERE namespace = ? AND kind = ? AND live = 1 AND seq > ? ORDER BY seq`

function addNew(context: EngineContext, { namespace, kind }: IndexRequest, entry: Held): void {
  for (const row of context.prepare(newEntries).iterate(namespace, kind, entry.seq)) {
    const added = entryOf(row)
    entry.index.add(added)
    entry.seq = added.seq
  }
}

const entryOf = (row: Readonly<Record<string, SQLOutputValue>>): IndexEntry => ({
  seq: Number(row.seq),
  id: String(row.id),
  persona: String(row.persona),
  thread: row.thread == null ? null : String(row.thread),
  terms: String(row.terms),
  rounded: roundedOf(row.rounded),
})

/** The newest change of the log, and the oldest one that it still has. */
const logEnds =
  'SELECT (SELECT max(change) FROM memory_change) AS last, (SELECT min(change) FROM memory_change) AS first'

const lastChange = (context: EngineContext) => Number(context.prepare(logEnds).get()?.last ?? 0)

/** False when the log no longer reaches back to what the index has seen, or a vector was replaced. */
function applyChanges(context: EngineContext, { namespace, kind }: IndexRequest, entry: Held): boolean {
  const ends = context.prepare(logEnds).get()
  const [first, last] = [Number(ends?.first ?? 0), Number(ends?.last ?? 0)]
  if (last === entry.change) return true
  if (first > entry.change + 1) return false
  const changes = context
    .prepare('SELECT seq, replaced FROM memory_change WHERE namespace = ? AND kind = ? AND change > ?')
    .all(namespace, kind, entry.change)
  entry.change = last
  for (const { seq, replaced } of changes) {
    if (replaced === 1) return false
    entry.index.remove(Number(seq))
  }
  return true
}

function roundedOf(blob: unknown): Rounded {
  if (!(blob instanceof Uint8Array)) throw new Error('The store holds a rounded vector that is none.')
  return readRounded(blob)
}

/** A stored vector: 32-bit floats in the machine's order, which is little-endian on every platform we run on. */
export function vectorOf(blob: unknown): Float32Array {
  if (!(blob instanceof Uint8Array)) throw new Error('The store holds a vector that is none.')
  if (blob.byteOffset % 4 === 0) return new Float32Array(blob.buffer, blob.byteOffset, blob.byteLength / 4)
  return new Float32Array(blob.slice().buffer)
}
