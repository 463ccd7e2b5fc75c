import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Random } from '../support/random.ts'
import type { Event } from './trace.ts'

type Change =
  | { readonly kind: 'write'; readonly bytes: Buffer; readonly at: number }
  | { readonly kind: 'truncate'; readonly length: number }

interface SimulatedFile {
  /** What the last fsync made sure of. */
  safe: Buffer
  /** What came after it, in order. */
  pending: Change[]
  size: number
  /** Whether the directory entry was made sure of. */
  isLinked: boolean
}

/** A disk with a cache in front of it: only what was synced is sure to survive. */
export interface SimulatedDisk {
  apply(event: Event): void
  /** Writes what could be left after a loss of power now: all that is safe, and any part of the rest. */
  lose(random: Random, target: string): void
  /** Writes that are not safe now. */
  pendingWrites(): number
}

/** Simulates one directory. Files in `ignored` hold nothing that matters. */
export function createSimulatedDisk(directory: string, ignored: readonly string[]): SimulatedDisk {
  const files = new Map<string, SimulatedFile>()
  /** Removed, but not surely. */
  const removed = new Map<string, SimulatedFile>()
  const isOurs = (file: string) => path.dirname(file) === directory && !ignored.includes(path.basename(file))
  const fileAt = (name: string): SimulatedFile => {
    const known = files.get(name)
    if (known !== undefined) return known
    const file = { safe: Buffer.alloc(0), pending: [], size: 0, isLinked: false }
    files.set(name, file)
    return file
  }
  const change = (file: SimulatedFile, made: Change) => {
    file.pending.push(made)
    file.size = made.kind === 'truncate' ? made.length : Math.max(file.size, made.at + made.bytes.length)
  }
  const sync = (name: string) => {
    if (name === directory) {
      for (const file of files.values()) file.isLinked = true
      removed.clear()
    }
    const file = files.get(name)
    if (file === undefined) return
    file.safe = changed(file.safe, file.pending)
    file.pending = []
  }
  return {
    apply: (event) => {
      if (event.kind === 'said') return
      if (event.kind === 'sync') return sync(event.path)
      if (!isOurs(event.path)) return
      switch (event.kind) {
        case 'open':
          if (event.creates && !files.has(event.path)) fileAt(event.path)
          if (event.truncates) change(fileAt(event.path), { kind: 'truncate', length: 0 })
          return
        case 'write': {
          const file = fileAt(event.path)
          return change(file, { kind: 'write', bytes: event.bytes, at: event.at ?? file.size })
        }
        case 'truncate':
          return change(fileAt(event.path), event)
        case 'unlink': {
          const file = files.get(event.path)
          if (file !== undefined) removed.set(event.path, file)
          files.delete(event.path)
          return
        }
        case 'rename':
          throw new Error('the simulation does not know renames')
      }
    },
    lose: (random, target) => {
      mkdirSync(target, { recursive: true })
      const policy = random.pick(policies)
      const leave = (name: string, { safe, pending }: SimulatedFile) =>
        writeFileSync(path.join(target, path.basename(name)), changed(safe, policy(pending, random)))
      for (const [name, file] of removed) if (random.chance(0.5)) leave(name, file)
      for (const [name, file] of files) if (file.isLinked || random.chance(0.5)) leave(name, file)
    },
    pendingWrites: () => [...files.values()].reduce((sum, { pending }) => sum + pending.length, 0),
  }
}

type Policy = (pending: readonly Change[], random: Random) => readonly Change[]

/** What a disk may have done with its cache: nothing, all, in order, in any order, and half a write. */
const policies: readonly Policy[] = [
  () => [],
  (pending) => pending,
  (pending, random) => pending.slice(0, random.below(pending.length + 1)),
  (pending, random) => pending.filter(() => random.chance(0.5)),
  (pending, random) => pending.filter(() => random.chance(0.5)).map((change) => torn(change, random)),
]

function torn(change: Change, random: Random): Change {
  if (change.kind === 'truncate' || random.chance(0.7)) return change
  return { ...change, bytes: change.bytes.subarray(0, random.below(change.bytes.length)) }
}

/** A file's bytes after changes; a gap reads as zeros. */
function changed(bytes: Buffer, changes: readonly Change[]): Buffer {
  if (changes.length === 0) return bytes
  const ends = changes.map((change) =>
    change.kind === 'write' ? change.at + change.bytes.length : change.length,
  )
  const room = Buffer.alloc(Math.max(bytes.length, ...ends))
  bytes.copy(room)
  let size = bytes.length
  for (const change of changes) {
    if (change.kind === 'truncate') {
      room.fill(0, Math.min(change.length, size), Math.max(change.length, size))
      size = change.length
      continue
    }
    change.bytes.copy(room, change.at)
    size = Math.max(size, change.at + change.bytes.length)
  }
  return room.subarray(0, size)
}
