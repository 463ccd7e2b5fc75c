import { closeSync, openSync, rmSync, statfsSync } from 'node:fs'
import path from 'node:path'
import { type Shelf, shelfFrom, shelfTo } from '../../vector-scan/shelf.ts'
import type { HeldIndex, HeldIndexes } from './held-indexes.ts'

/** Where indexes are kept while the store is closed: what is put there, and what was left there for this run. */
export interface KeptFiles {
  /** With everything up to a change of the store. */
  written(change: number): string
  readonly left: string
}

/** Changes with what is kept of an index, and with a migration that rewrites the texts. */
const format = 1

/** The store is closed after that, and whoever stops a service waits only so long. */
const longestMs = 5_000

/** Smaller ones are read from the store as fast. */
const fewestTexts = 2_500

/** Disk space that is left to others. */
const spared = 2 ** 30

/**
 * Keeps the indexes that are in memory, so that the next run need not read them from the store. They hold nothing of
 * what was removed. Indexes of before are gone, whatever comes of it.
 */
export function keepIndexes(files: KeptFiles, held: HeldIndexes, change: number): void {
  try {
    rmSync(files.left, { force: true })
    write(files.written(change), held)
  } catch {
    // The next run reads the store.
    rmSync(files.written(change), { force: true })
  }
}

function write(name: string, held: HeldIndexes): void {
  const isKept = ({ index, isComplete }: HeldIndex) =>
    isComplete && !index.isWorn && index.count >= fewestTexts
  const kept = held.all().filter(([, entry]) => isKept(entry))
  if (kept.length === 0 || !hasRoom(path.dirname(name), held.bytes)) return
  const file = openSync(name, 'w', 0o600)
  try {
    const shelf = shelfTo(file, longestMs)
    shelf.number(format)
    shelf.number(kept.length)
    for (const [key, entry] of kept) {
      shelf.list([key])
      shelve(shelf, entry)
    }
  } finally {
    closeSync(file)
  }
}

function hasRoom(directory: string, bytes: number): boolean {
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize >= bytes + spared
}

/** Takes back what was kept, as far as `admit` has room for it. It is taken once: the file is gone. */
export function takeIndexes(
  { left }: KeptFiles,
  { admit, discard }: { admit(key: string): HeldIndex | null; discard(key: string): void },
): void {
  let file: number
  try {
    file = openSync(left, 'r')
  } catch {
    return
  }
  let reading: string | undefined
  try {
    const shelf = shelfFrom(file)
    if (shelf.number(0) !== format) return
    for (let count = shelf.number(0); count > 0; count--) {
      ;[reading] = shelf.list<string>([])
      const entry = reading === undefined ? null : admit(reading)
      // What stands behind it in the file is out of reach then; the store has it.
      if (entry === null) return
      shelve(shelf, entry)
      reading = undefined
    }
  } catch {
    // Half of what is there must never answer.
    if (reading !== undefined) discard(reading)
  } finally {
    closeSync(file)
    rmSync(left, { force: true })
  }
}

function shelve(shelf: Shelf, entry: HeldIndex): void {
  entry.seq = shelf.number(entry.seq)
  entry.change = shelf.number(entry.change)
  entry.index.shelve(shelf)
  shelf.seal()
}
