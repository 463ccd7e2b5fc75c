import type { Seconds } from '../../../../core/clock.ts'
import type { EngineContext } from '../../engine/context.ts'
import { ignoringFailure, type SnapshotFiles } from '../../engine/snapshot-files.ts'
import { createScanArena, type ScanArena } from '../../vector-scan/arena.ts'
import { blockTexts, factsOpenAt, readBlock, type TextKind, type Texts, textsOf } from './entries.ts'
import { follow, lastChange } from './follow.ts'
import { createHeldIndexes, type HeldIndex, type HeldIndexes } from './held-indexes.ts'
import { fewestTexts, keptOf, loadSnapshot, writeSnapshot, writeSnapshotBeside } from './index-snapshot.ts'
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
  readonly loading: Loading[]
  readonly snapshot: SnapshotState
}

interface Loading {
  readonly request: IndexRequest
  readonly entry: HeldIndex
  /** From a snapshot, which may turn out to be too old. */
  readonly isRestored: boolean
}

/** What is on disk of the indexes. */
interface SnapshotState {
  /** Texts in it. */
  texts: number
  /** The last change of the store before it. */
  change: number
  /** Texts that came, and that went, since it was written, or tried. */
  fresh: number
  isBeingWritten: boolean
}

const known = new WeakMap<EngineContext, Indexes>()

function indexesOf(context: EngineContext): Indexes {
  const before = known.get(context)
  if (before !== undefined) return before
  const arena = createScanArena()
  const held = createHeldIndexes(() => createSearchIndex(arena))
  const snapshot = { texts: 0, change: lastChange(context), fresh: 0, isBeingWritten: false }
  const made: Indexes = { arena, held, loading: [], snapshot, loads: 0, passes: 0 }
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

const nextNamespace = `SELECT namespace FROM memory_text WHERE live = 1 AND namespace > ?
ORDER BY namespace LIMIT 1`
const isLarge = `SELECT 1 FROM memory_text WHERE namespace = ? AND kind = ? AND live = 1 LIMIT 1 OFFSET ${blockTexts}`
const lastSeq = 'SELECT max(seq) AS seq FROM memory_text WHERE namespace = ? AND kind = ? AND live = 1'

/** What takes long to read, what was written to last first: by a few seeks in each namespace, however much it has. */
function largeOnes({ prepare }: EngineContext): readonly Pick<IndexRequest, 'namespace' | 'kind'>[] {
  const found: { namespace: string; kind: TextKind; seq: number }[] = []
  let next = prepare(nextNamespace).get('')
  while (next !== undefined) {
    const namespace = String(next.namespace)
    for (const kind of ['chunk', 'fact', 'entity'] as const)
      if (prepare(isLarge).get(namespace, kind) !== undefined)
        found.push({ namespace, kind, seq: Number(prepare(lastSeq).get(namespace, kind)?.seq) })
    next = prepare(nextNamespace).get(namespace)
  }
  return found.sort((a, b) => b.seq - a.seq)
}

export const indexReads = {
  'index.state': indexState,
  /** Begins to read what takes long into memory, as far as there is room, what was written to last first. */
  'index.loadLarge': (context: EngineContext, { budgetBytes }: Pick<IndexRequest, 'budgetBytes'>): void => {
    const { held, loading } = indexesOf(context)
    ignoringFailure(() => restoreSnapshot(context, budgetBytes))
    for (const { namespace, kind } of largeOnes(context)) {
      const request = { namespace, kind, budgetBytes }
      const entry = admitted(context, request)
      if (entry !== null) loading.push({ request, entry, isRestored: entry.seq > 0 })
    }
    // Of what is large no more, a question reads what is left: nobody else would notice what was removed.
    const large = new Set(loading.map(({ entry }) => entry))
    for (const [key, entry] of held.all())
      if (entry.version === undefined && !large.has(entry)) held.discard(key)
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

/** Of the texts in a snapshot, so many may come or go until it is written anew: together all its writing costs some ten times its size. */
const freshShare = 1 / 10

/** The log of changes keeps more: a snapshot that is older than it is worth nothing. */
const freshChanges = 50_000

/** Brings what was removed into an index before it is written. What is new is read after the next start. */
const preparing = (context: EngineContext) => (key: string, entry: HeldIndex) => {
  bringUpToDate(context, { ...partsOf(key), budgetBytes: 0 }, entry, 0)
}

/** Notes that what is in memory is written now, whatever comes of it: what fails is not tried at every question. */
function beginSnapshot(context: EngineContext): void {
  const { held, snapshot } = indexesOf(context)
  snapshot.texts = keptOf(held).reduce((sum, [, { index }]) => sum + index.count, 0)
  snapshot.change = lastChange(context)
  snapshot.fresh = 0
}

/** Writes the indexes beside what else there is to do, once much of them is new. */
function refreshSnapshot(context: EngineContext, change: number): void {
  const { held, loading, snapshot } = indexesOf(context)
  const { snapshot: files, db } = context
  if (files === null || loading.length > 0 || snapshot.isBeingWritten) return
  const isGrown = snapshot.fresh >= Math.max(fewestTexts, snapshot.texts * freshShare)
  if (!isGrown && change - snapshot.change < freshChanges) return
  snapshot.isBeingWritten = true
  const prepare = (key: string, entry: HeldIndex) =>
    inTransaction(context, () => preparing(context)(key, entry))
  const write = async () => {
    beginSnapshot(context)
    if (keptOf(held).length === 0) return removeImpure(context, files)
    await writeSnapshotBeside({ files, held, prepare, isOpen: () => db.isOpen })
  }
  const end = () => {
    snapshot.isBeingWritten = false
  }
  setImmediate(() => void write().then(end, end))
}

function inTransaction(context: EngineContext, work: () => void): void {
  context.db.exec('BEGIN')
  try {
    work()
  } finally {
    if (context.db.isTransaction) context.db.exec('COMMIT')
  }
}

/** There is no newer one to take its place: what was removed must not stay on disk for that. */
function removeImpure({ db }: EngineContext, files: SnapshotFiles): void {
  if (files.find(db)?.isPure === false) files.remove()
}

/**
 * Before the connection is closed: a snapshot for the next run, without what was removed, where the last one is not as
 * good. Whoever asked for no index leaves it as it is.
 */
export function saveSnapshot(context: EngineContext): void {
  const { snapshot: files } = context
  const indexes = known.get(context)
  if (files === null || indexes === undefined) return
  const { held, snapshot } = indexes
  inTransaction(context, () => {
    for (const [key, entry] of keptOf(held)) preparing(context)(key, entry)
    const kept = keptOf(held)
    const texts = kept.reduce((sum, [, { index }]) => sum + index.count, 0)
    const isAsGood = snapshot.fresh === 0 && snapshot.texts === texts && !snapshot.isBeingWritten
    if (isAsGood && files.find(context.db)?.isPure === true) return
    for (const [, { index }] of kept) index.purge()
    if (!writeSnapshot({ files, held, prepare: () => undefined })) removeImpure(context, files)
  })
}

/** The indexes of the last run; what changed since is brought into them as into others. */
function restoreSnapshot(context: EngineContext, budgetBytes: number): void {
  const { held, snapshot } = indexesOf(context)
  const found = context.snapshot?.find(context.db) ?? null
  if (found === null) return
  const admit = (key: string, texts: number) =>
    held.get(key) === null ? admitted(context, { ...partsOf(key), budgetBytes }, texts) : null
  const count = (key: string) => held.trim(key, budgetBytes)
  loadSnapshot(found.file, { admit, count, discard: held.discard })
  snapshot.change = found.change
  for (const [, { index }] of held.all()) snapshot.texts += index.count
}

const countLive = 'SELECT count(*) AS count FROM memory_text WHERE namespace = ? AND kind = ? AND live = 1'

/** An index with every committed change in it; null when there is no room for it. */
function heldFor(context: EngineContext, request: IndexRequest): HeldIndex | null {
  const entry = admitted(context, request)
  if (entry === null || bringUpToDate(context, request, entry)) return entry
  const anew = admitted(context, request)
  return anew !== null && bringUpToDate(context, request, anew) ? anew : null
}

/** As far as it is read; null when there is no room for so many texts. */
function admitted(
  context: EngineContext,
  request: IndexRequest,
  known: number | null = null,
): HeldIndex | null {
  const indexes = indexesOf(context)
  const key = keyOf(request)
  const before = indexes.held.use(key)
  if (before !== null) return before
  const { namespace, kind, budgetBytes } = request
  const texts = known ?? Number(context.prepare(countLive).get(namespace, kind)?.count)
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
  const { held, loading, snapshot } = indexesOf(context)
  const { index } = entry
  const isCounted = entry.isComplete || loading.some((one) => one.entry === entry)
  const before = index.count + index.removed
  let isKept = false
  try {
    isKept = follow(context, request, entry, blocks)
  } finally {
    // Half of what is there must never answer.
    if (!isKept) held.drop(keyOf(request))
  }
  // What room is made for at a question was in a snapshot, or comes into the next one: it alone writes none.
  if (isCounted) snapshot.fresh += index.count + index.removed - before
  if (isKept) refreshSnapshot(context, entry.change)
  return isKept
}

/** Reads the next texts of the first index that is on its way. What came to the thread meanwhile runs before the next ones. */
function loadBlock(context: EngineContext): void {
  if (!context.db.isOpen) return
  const { held, loading } = indexesOf(context)
  const [first] = loading
  if (first === undefined) return
  const { request, entry, isRestored } = first
  let isStale = false
  // It may have been pushed out before it was there.
  if (held.get(keyOf(request)) === entry) {
    try {
      inTransaction(context, () => {
        isStale = !bringUpToDate(context, request, entry, 1)
        if (!isStale) held.trim(keyOf(request), request.budgetBytes)
      })
    } catch {
      // What fails here fails again in the next search, which says so.
      held.drop(keyOf(request))
    }
  }
  if (entry.version !== undefined || held.get(keyOf(request)) !== entry) loading.shift()
  const anew = isStale && isRestored ? admitted(context, request) : null
  if (anew !== null) loading.push({ request, entry: anew, isRestored: false })
  if (loading.length > 0) setImmediate(loadBlock, context)
  else refreshSnapshot(context, entry.change)
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
