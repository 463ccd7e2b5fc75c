import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { syncDirectory } from '../../../../core/sync-directory.ts'
import type { Contents, SnapshotFiles } from '../../engine/snapshot-files.ts'
import { type SnapshotStream, snapshotReader, snapshotWriter } from '../../vector-scan/snapshot-stream.ts'
import type { HeldIndex, HeldIndexes } from './held-indexes.ts'

/** Changes with what is written of an index, and with a migration that rewrites the texts. */
const format = 4

/** Smaller indexes are read from the store as fast. */
export const fewestTexts = 2_500

/** Whoever stops a service waits only so long. */
const longestMs = 5_000

/** Disk space that is left to others. */
const spared = 2 ** 30

/** Pieces after which the disk has to have them: what waits for it waits no longer than these take. */
const syncedPieces = 4

const isKept = ({ index, isComplete }: HeldIndex) => isComplete && !index.isWorn && index.count >= fewestTexts

/** The indexes that a snapshot would have. */
export const keptOf = (held: HeldIndexes) => held.all().filter(([, entry]) => isKept(entry))

/**
 * What is to be written, and what is in it. Each index is as it is when its turn comes, after `prepare`; one that is gone
 * then is left out.
 */
function* piecesOf(
  held: HeldIndexes,
  prepare: (key: string, entry: HeldIndex) => void,
): Generator<Uint8Array, Contents> {
  const stream = snapshotWriter()
  stream.number(format)
  let isPure = true
  let change = Number.POSITIVE_INFINITY
  for (const [key, entry] of keptOf(held)) {
    const isHeld = () => held.get(key) === entry
    if (isHeld()) prepare(key, entry)
    if (!isHeld()) continue
    isPure &&= entry.index.unpurged === 0
    change = Math.min(change, entry.change)
    stream.number(1)
    stream.list([key])
    stream.number(entry.index.count)
    stream.seal()
    serialize(stream, entry)
    for (const piece of stream.pieces()) {
      yield piece
      if (!isHeld()) throw new Error('An index was dropped while it was written.')
    }
  }
  stream.number(0)
  yield* stream.pieces()
  return { isPure, change }
}

interface Written {
  readonly files: SnapshotFiles
  readonly held: HeldIndexes
  /** Brings an index up to date, or drops it. */
  prepare(key: string, entry: HeldIndex): void
}

/** Writes the indexes that are in memory, so that the next run need not read them from the store, at once. False without. */
export function writeSnapshot({ files, held, prepare }: Written): boolean {
  const name = files.create()
  if (!isWorthwhile(name, held)) return false
  const end = performance.now() + longestMs
  let contents: Contents
  try {
    const file = openSync(name, 'wx', 0o600)
    try {
      const pieces = piecesOf(held, prepare)
      let next = pieces.next()
      for (; !next.done; next = pieces.next()) {
        const piece = next.value
        if (performance.now() > end) throw new Error('Writing the index snapshot took too long.')
        for (let done = 0; done < piece.length; ) done += writeSync(file, piece, done)
      }
      contents = next.value
    } finally {
      closeSync(file)
    }
    if (files.publish(name, contents, longestMs)) return true
  } catch {
    // The next run has the one of before, or reads the store.
  }
  rmSync(name, { force: true })
  return false
}

/** The same beside questions and writes, in steps of a few milliseconds, while `isOpen`. */
export async function writeSnapshotBeside({
  isOpen,
  ...written
}: Written & { isOpen(): boolean }): Promise<void> {
  const { files, held, prepare } = written
  const name = files.create()
  if (!isWorthwhile(name, held)) return
  const goOn = () => {
    if (!isOpen()) throw new Error('The store was closed.')
  }
  let contents: Contents
  try {
    const file = await open(name, 'wx', 0o600)
    try {
      const pieces = piecesOf(held, prepare)
      let next = pieces.next()
      for (let count = 1; !next.done; next = pieces.next(), count++) {
        await file.appendFile(next.value)
        if (count % syncedPieces === 0) await file.datasync()
        goOn()
      }
      contents = next.value
      await file.sync()
    } finally {
      await file.close()
    }
    goOn()
    syncDirectory(path.dirname(name))
    while (!files.publish(name, contents, 10)) {
      await wait(100)
      goOn()
    }
  } catch {
    rmSync(name, { force: true })
  }
}

function isWorthwhile(name: string, held: HeldIndexes): boolean {
  if (keptOf(held).length === 0) return false
  const { bavail, bsize } = statfsSync(path.dirname(name))
  return bavail * bsize >= held.bytes + spared
}

interface Admission {
  admit(key: string, texts: number): HeldIndex | null
  /** It is there: what it takes is known. */
  count(key: string): void
  discard(key: string): void
}

/** Loads a snapshot, as far as `admit` has room for it. One that is damaged, or of another version, is gone then. */
export function loadSnapshot(name: string, { admit, count, discard }: Admission): void {
  const file = openSync(name, 'r')
  let reading: string | undefined
  try {
    const stream = snapshotReader(file)
    if (stream.number(0) !== format) throw new Error('The index snapshot is of another version.')
    while (stream.number(0) === 1) {
      const [key] = stream.list<string>([])
      const texts = stream.number(0)
      stream.seal()
      const entry = key === undefined ? null : admit(key, texts)
      // What stands behind it in the file is out of reach then; the store has it.
      if (key === undefined || entry === null) return
      reading = key
      serialize(stream, entry)
      entry.isComplete = true
      reading = undefined
      count(key)
    }
  } catch {
    // Half of what is there must never answer.
    if (reading !== undefined) discard(reading)
    rmSync(name, { force: true })
  } finally {
    closeSync(file)
  }
}

function serialize(stream: SnapshotStream, entry: HeldIndex): void {
  entry.seq = stream.number(entry.seq)
  entry.change = stream.number(entry.change)
  entry.index.serialize(stream)
  stream.seal()
}
