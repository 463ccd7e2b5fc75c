import type { ResidentIndex } from './search-index.ts'

/** An index in memory, or on its way there. */
export interface HeldIndex {
  readonly index: ResidentIndex
  /** The last entry and the last change that it has seen. */
  seq: number
  change: number
  /** Everything was in it at some time: what it lacks is new. */
  isComplete: boolean
  /** Of the store, when there was nothing more to read. */
  version?: string
  /** What it takes; while it is being read, at least what it is expected to take. */
  bytes: number
  /** When it was asked for last. */
  used: number
}

interface Candidate {
  readonly texts: number
  readonly budgetBytes: number
  /** The last change before it is read. */
  readonly change: number
}

/**
 * The indexes in memory and what they take together. One that would push others out is let in when it was asked for
 * twice since each of those was asked for: two passes over its texts paid for reading it, and for reading the others
 * again. Namespaces that take turns can therefore not push each other out at every question.
 */
export interface HeldIndexes {
  readonly bytes: number
  get(key: string): HeldIndex | null
  all(): readonly (readonly [key: string, entry: HeldIndex])[]
  /** The same, for a question. */
  use(key: string): HeldIndex | null
  /** An empty one to be filled; null when there is no room for it. */
  admit(key: string, candidate: Candidate): HeldIndex | null
  /** Counts an index anew and keeps to the budget: the others go first, the longest unused before the rest. */
  trim(key: string, budgetBytes: number): void
  drop(key: string): void
  /** The same, where what it says of itself is wrong. */
  discard(key: string): void
}

/** What is expected of an index that was never in memory: the first block, and texts of 384 dimensions with their words. */
const leastBytes = 73_728
const usualTextBytes = 700

/** Absent indexes that are remembered. */
const rememberedAbsent = 10_000

interface Absent {
  readonly asked: number
  /** What it took with so many texts when it was there last. */
  readonly bytes: number
  readonly texts: number
}

const neverThere: Absent = { asked: 0, bytes: leastBytes, texts: 0 }

/** What it will take with so many texts. */
const expectedBytes = ({ bytes, texts }: Absent, now: number) =>
  now < texts ? (bytes * now) / texts : bytes + (now - texts) * usualTextBytes

export function createHeldIndexes(create: () => HeldIndex['index']): HeldIndexes {
  /** In the order of use, longest unused first. */
  const held = new Map<string, HeldIndex>()
  const absent = new Map<string, Absent>()
  let bytes = 0
  let now = 0

  const drop = (key: string) => {
    const entry = held.get(key)
    if (entry === undefined) return
    remember(key, { asked: entry.used, bytes: entry.index.bytes, texts: entry.index.count })
    discard(key)
  }
  const discard = (key: string) => {
    const entry = held.get(key)
    if (entry === undefined) return
    entry.index.release()
    held.delete(key)
    bytes -= entry.bytes
  }
  const remember = (key: string, facts: Absent) => {
    absent.delete(key)
    absent.set(key, facts)
    const [oldest] = absent.keys()
    if (absent.size > rememberedAbsent && oldest !== undefined) absent.delete(oldest)
  }
  /** Whether so much is free, or becomes free without those used since. */
  const makeRoom = (needed: number, budgetBytes: number, since: number) => {
    let free = budgetBytes - bytes
    const leaving: string[] = []
    for (const [key, entry] of held) {
      if (free >= needed || entry.used >= since) break
      leaving.push(key)
      free += entry.bytes
    }
    if (free < needed) return false
    leaving.forEach(drop)
    return true
  }
  return {
    get bytes() {
      return bytes
    },
    get: (key) => held.get(key) ?? null,
    all: () => [...held],
    use: (key) => {
      now++
      const entry = held.get(key)
      if (entry === undefined) return null
      entry.used = now
      held.delete(key)
      held.set(key, entry)
      return entry
    },
    admit: (key, { texts, budgetBytes, change }) => {
      const before = absent.get(key) ?? neverThere
      const needed = expectedBytes(before, texts)
      remember(key, { ...before, asked: now })
      if (!makeRoom(needed, budgetBytes, before.asked)) return null
      const entry = { index: create(), seq: 0, change, isComplete: false, bytes: needed, used: now }
      held.set(key, entry)
      bytes += needed
      return entry
    },
    trim: (key, budgetBytes) => {
      const own = held.get(key)
      if (own === undefined) return
      const counted = own.isComplete ? own.index.bytes : Math.max(own.bytes, own.index.bytes)
      bytes += counted - own.bytes
      own.bytes = counted
      for (const other of held.keys()) {
        if (bytes <= budgetBytes) return
        if (other !== key) drop(other)
      }
      if (bytes > budgetBytes) drop(key)
    },
    drop,
    discard,
  }
}
