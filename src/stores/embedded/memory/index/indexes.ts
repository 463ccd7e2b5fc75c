import type { Seconds } from '../../../../core/clock.ts'
import type { EngineContext } from '../../engine/context.ts'
import { ignoringFailure } from '../../engine/directory.ts'
import { createScanArena, type ScanArena } from '../../vector-scan/arena.ts'
import { blockTexts, factsOpenAt, readBlock, type TextKind, type Texts, textsOf } from './entries.ts'
import { follow, lastChange } from './follow.ts'
import { createHeldIndexes, type HeldIndex, type HeldIndexes } from './held-indexes.ts'
import { loadSnapshot, writeSnapshot } from './index-snapshot.ts'
import { createSearchIndex, type Passing, type SearchIndex } from './search-index.ts'

export interface IndexRequest {
  readonly namespace: string
  readonly kind: TextKind
  /** What all indexes in memory may take together. */
  readonly budgetBytes: number
}

type Question = Omit<Passing, 'idOf'>

/** Since the start. */
export interface IndexCounts {
  /** Indexes that were read into memory. */
  loads: number
  /** Questions that read the texts of a namespace instead. */
  passes: number
}

interface Indexes extends IndexCounts {
  readonly arena: ScanArena
  readonly held: HeldIndexes
  /** What is being read into memory in the background. */
  readonly loading: { readonly request: IndexRequest; readonly entry: HeldIndex }[]
}

const known = new WeakMap<EngineContext, Indexes>()

function indexesOf(context: EngineContext): Indexes {
  const before = known.get(context)
  if (before !== undefined) return before
  const arena = createScanArena()
  const held = createHeldIndexes(() => createSearchIndex(arena))
  const made: Indexes = { arena, held, loading: [], loads: 0, passes: 0 }
  known.set(context, made)
  return made
}

function indexState(context: EngineContext): IndexCounts & { readonly bytes: number } {
  const { held, loads, passes } = indexesOf(context)
  return { bytes: held.bytes, loads, passes }
}

const keyOf = (request: IndexRequest) => `${request.kind}:${request.namespace}`

function partsOf(key: string): Pick<IndexRequest, 'namespace' | 'kind'> {
  const colon = key.indexOf(':')
  return { kind: key.slice(0, colon) as TextKind, namespace: key.slice(colon + 1) }
}

/**
 * Searches a namespace with every committed change in it. One that is not in memory, or only in part, is read into it; if
 * there is no room, its texts are read for this question alone.
 */
export function searchIn<T>(
  context: EngineContext,
  request: IndexRequest,
  question: Question,
  search: (index: SearchIndex) => T,
): T {
  const entry = heldFor(context, request)
  if (entry === null) return pass(context, textsOf(request.namespace, request.kind), question, search)
  try {
    return search(entry.index)
  } finally {
    indexesOf(context).held.trim(keyOf(request), request.budgetBytes)
  }
}

/** The index of a namespace with every committed change in it; null when there is no room for it. */
export const indexInMemory = (context: EngineContext, request: IndexRequest): SearchIndex | null =>
  heldFor(context, request)?.index ?? null

const closedSince = 'SELECT 1 FROM relationship WHERE namespace = ? AND closed_at > ? LIMIT 1'

/** Searches the facts that were open at a time. The index has those of now: where some were closed since, the texts are read. */
export function searchFactsThen<T>(
  context: EngineContext,
  { asOf, ...request }: IndexRequest & { readonly asOf: Seconds },
  question: Question,
  search: (index: SearchIndex) => T,
): T {
  const { namespace } = request
  if (context.prepare(closedSince).get(namespace, asOf) === undefined) {
    return searchIn(context, request, question, search)
  }
  return pass(context, factsOpenAt(namespace, asOf), question, search)
}

const largeOnes = `SELECT namespace, kind FROM memory_text WHERE live = 1 GROUP BY namespace, kind
HAVING count(*) > ? ORDER BY max(seq) DESC`

export const indexReads = {
  'index.state': indexState,
  /** Begins to read what takes long into memory, as far as there is room, what was written to last first. */
  'index.loadLarge': (context: EngineContext, { budgetBytes }: Pick<IndexRequest, 'budgetBytes'>): void => {
    const { loading } = indexesOf(context)
    restoreSnapshot(context, budgetBytes)
    for (const { namespace, kind } of context.prepare(largeOnes).all(blockTexts)) {
      const request = { namespace: String(namespace), kind: kind as TextKind, budgetBytes }
      const entry = admitted(context, request)
      if (entry !== null) loading.push({ request, entry })
    }
    setImmediate(loadBlock, context)
  },
  /** Brings what was written since into the indexes in memory, so that the next question need not. */
  'index.followWrites': (context: EngineContext, searched: Omit<IndexRequest, 'kind'>): void => {
    const { held } = indexesOf(context)
    for (const kind of ['fact', 'entity'] as const) {
      const request = { ...searched, kind }
      const entry = held.get(keyOf(request))
      if (entry?.isComplete !== true) continue
      if (bringUpToDate(context, request, entry)) held.trim(keyOf(request), searched.budgetBytes)
    }
  },
}

/** Before the connection is closed: a snapshot for the next run, without what was removed. New texts are read then. */
export function saveSnapshot(context: EngineContext): void {
  if (context.snapshot === null) return
  const { held } = indexesOf(context)
  context.db.exec('BEGIN')
  for (const [key, entry] of held.all())
    if (entry.isComplete) bringUpToDate(context, { ...partsOf(key), budgetBytes: 0 }, entry, 0)
  writeSnapshot(context.snapshot, held, lastChange(context))
  context.db.exec('COMMIT')
}

/** The indexes of the last run; what changed since is brought into them as into others. */
function restoreSnapshot(context: EngineContext, budgetBytes: number): void {
  const { held } = indexesOf(context)
  const { snapshot } = context
  if (snapshot === null) return
  const admit = (key: string) =>
    held.get(key) === null ? admitted(context, { ...partsOf(key), budgetBytes }) : null
  ignoringFailure(() => loadSnapshot(snapshot, { admit, discard: held.discard }))
  for (const [key] of held.all()) held.trim(key, budgetBytes)
}

const countLive = 'SELECT count(*) AS count FROM memory_text WHERE namespace = ? AND kind = ? AND live = 1'

/** An index with every committed change in it; null when there is no room for it. */
function heldFor(context: EngineContext, request: IndexRequest): HeldIndex | null {
  const entry = admitted(context, request)
  if (entry === null || bringUpToDate(context, request, entry)) return entry
  const anew = admitted(context, request)
  return anew !== null && bringUpToDate(context, request, anew) ? anew : null
}

/** As far as it is read; null when there is no room for it. */
function admitted(context: EngineContext, request: IndexRequest): HeldIndex | null {
  const indexes = indexesOf(context)
  const key = keyOf(request)
  const before = indexes.held.use(key)
  if (before !== null) return before
  const texts = Number(context.prepare(countLive).get(request.namespace, request.kind)?.count)
  const { budgetBytes } = request
  const entry = indexes.held.admit(key, { texts, budgetBytes, change: lastChange(context) })
  if (entry !== null) indexes.loads++
  return entry
}

/** False, and the index is gone, when it has to be read anew. */
function bringUpToDate(
  context: EngineContext,
  request: IndexRequest,
  entry: HeldIndex,
  blocks?: number,
): boolean {
  let isKept = false
  try {
    isKept = follow(context, request, entry, blocks)
  } finally {
    // Half of what is there must never answer.
    if (!isKept) indexesOf(context).held.drop(keyOf(request))
  }
  return isKept
}

/** Reads the next texts of the first index that is on its way. What came to the thread meanwhile runs before the next ones. */
function loadBlock(context: EngineContext): void {
  if (!context.db.isOpen) return
  const { held, loading } = indexesOf(context)
  const [first] = loading
  if (first === undefined) return
  const { request, entry } = first
  // It may have been pushed out before it was there.
  if (held.get(keyOf(request)) === entry) {
    try {
      context.db.exec('BEGIN')
      if (bringUpToDate(context, request, entry, 1)) held.trim(keyOf(request), request.budgetBytes)
    } catch {
      // What fails here fails again in the next search, which says so.
      held.drop(keyOf(request))
    } finally {
      if (context.db.isTransaction) context.db.exec('COMMIT')
    }
  }
  if (entry.isComplete || held.get(keyOf(request)) !== entry) loading.shift()
  if (loading.length > 0) setImmediate(loadBlock, context)
}

/** Reads the texts once, for one question. */
function pass<T>(
  context: EngineContext,
  texts: Texts,
  question: Question,
  search: (index: SearchIndex) => T,
): T {
  const indexes = indexesOf(context)
  indexes.passes++
  const index = createSearchIndex(indexes.arena, { ...question, idOf: idReader(context) })
  try {
    let block = readBlock(context, texts, 0)
    for (const entry of block) index.add(entry)
    while (block.length === blockTexts) {
      block = readBlock(context, texts, block.at(-1)?.seq ?? 0)
      for (const entry of block) index.add(entry)
    }
    return search(index)
  } finally {
    index.release()
  }
}

function idReader({ prepare }: EngineContext): (seq: number) => string {
  const ids = new Map<number, string>()
  return (seq) => {
    const id = ids.get(seq) ?? String(prepare('SELECT id FROM memory_text WHERE seq = ?').get(seq)?.id)
    ids.set(seq, id)
    return id
  }
}
