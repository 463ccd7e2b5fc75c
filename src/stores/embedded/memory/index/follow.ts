import type { EngineContext } from '../../engine/context.ts'
import { blockTexts, readBlock, type TextKind, textsOf } from './entries.ts'
import type { HeldIndex } from './held-indexes.ts'

interface Followed {
  readonly namespace: string
  readonly kind: TextKind
}

/** Brings committed changes into an index, up to so many blocks of new texts. False when it has to be read anew. */
export function follow(
  context: EngineContext,
  { namespace, kind }: Followed,
  entry: HeldIndex,
  blocks = Number.POSITIVE_INFINITY,
): boolean {
  if (entry.index.isWorn) return false
  const version = versionOf(context)
  if (entry.version === version) return true
  if (!applyChanges(context, { namespace, kind }, entry)) return false
  for (let read = 0; read < blocks; read++) {
    const block = readBlock(context, textsOf(namespace, kind), entry.seq)
    for (const added of block) {
      entry.index.add(added)
      entry.seq = added.seq
    }
    if (block.length < blockTexts) {
      entry.isComplete = true
      entry.version = version
      break
    }
  }
  return true
}

/** Another one after every commit, of other connections and of this one. */
function versionOf({ prepare }: EngineContext): string {
  const others = prepare('PRAGMA data_version').get()?.data_version
  return `${others} ${prepare('SELECT total_changes() AS own').get()?.own}`
}

/** The newest change of the log, and the oldest one that it still has. */
const logEnds =
  'SELECT (SELECT max(change) FROM memory_change) AS last, (SELECT min(change) FROM memory_change) AS first'

export const lastChange = (context: EngineContext) => Number(context.prepare(logEnds).get()?.last ?? 0)

/** False when the log no longer reaches back to what the index has seen, or a vector was replaced. */
function applyChanges(context: EngineContext, { namespace, kind }: Followed, entry: HeldIndex): boolean {
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
