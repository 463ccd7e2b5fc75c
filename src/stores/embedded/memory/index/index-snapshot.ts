import { closeSync, openSync, rmSync, statfsSync } from 'node:fs'
import path from 'node:path'
import { type SnapshotStream, snapshotReader, snapshotWriter } from '../../vector-scan/snapshot-stream.ts'
import type { HeldIndex, HeldIndexes } from './held-indexes.ts'

/** The files of a snapshot: the one that is written, and the one that the last run left for this one. */
export interface SnapshotFiles {
  /** With everything up to a change of the store. */
  written(change: number): string
  readonly left: string
}

/** Changes with what is written of an index, and with a migration that rewrites the texts. */
const format = 2

/** The store is closed after that, and whoever stops a service waits only so long. */
const longestMs = 5_000

/** Smaller ones are read from the store as fast. */
const fewestTexts = 2_500

/** Disk space that is left to others. */
const spared = 2 ** 30

/**
 * Writes the indexes that are in memory, so that the next run need not read them from the store. The snapshot holds
 * nothing of what was removed. One of before is gone, whatever comes of it.
 */
export function writeSnapshot(files: SnapshotFiles, held: HeldIndexes, change: number): void {
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
    const stream = snapshotWriter(file, longestMs)
    stream.number(format)
    stream.number(kept.length)
    for (const [key, entry] of kept) {
      stream.list([key])
      serialize(stream, entry)
    }
  } finally {
    closeSync(file)
  }
}

function hasRoom(directory: string, bytes: number): boolean {
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize >= bytes + spared
}

/** Loads a snapshot, as far as `admit` has room for it. It is used once: the file is gone. */
export function loadSnapshot(
  { left }: SnapshotFiles,
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
    const stream = snapshotReader(file)
    if (stream.number(0) !== format) return
    for (let count = stream.number(0); count > 0; count--) {
      ;[reading] = stream.list<string>([])
      const entry = reading === undefined ? null : admit(reading)
      // What stands behind it in the file is out of reach then; the store has it.
      if (entry === null) return
      serialize(stream, entry)
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

function serialize(stream: SnapshotStream, entry: HeldIndex): void {
  entry.seq = stream.number(entry.seq)
  entry.change = stream.number(entry.change)
  entry.index.serialize(stream)
  stream.seal()
}
