import type { Reads, Writes } from '../commands.ts'
import { type Connection, connect } from './connection.ts'
import type { ArgsOf, ResultOf } from './context.ts'
import type { OpenOptions } from './open-database.ts'

export interface EngineStatus {
  readonly state: 'open' | 'closed' | 'failed'
  /** What went wrong, when failed. */
  readonly error: string | null
  readonly pendingReads: number
  readonly pendingWrites: number
}

/** The embedded store's database: every access is a command by name. */
export interface Engine {
  /** Resolves when the change is on disk; rejects when nothing of it is. Writes are applied in call order. */
  write<Name extends keyof Writes>(name: Name, ...args: ArgsOf<Writes[Name]>): Promise<ResultOf<Writes[Name]>>
  /** Sees every write that resolved before the call. */
  read<Name extends keyof Reads>(name: Name, ...args: ArgsOf<Reads[Name]>): Promise<ResultOf<Reads[Name]>>
  status(): EngineStatus
  /** Finishes what was called before, moves the log into the file, ends the threads. Twice is once. */
  close(): Promise<void>
}

/**
 * Opens the store in a directory: one thread writes, one reads, the event loop only passes messages. Rejects with
 * StoreRefused when the directory is in use or its file is damaged, missing, foreign or newer.
 */
export async function openEngine(options: OpenOptions): Promise<Engine> {
  const writer = await connect({ role: 'writer', options })
  const reader = await connect({ role: 'reader', options }).catch(async (error) => {
    await writer.close()
    throw error
  })
  return createEngine(writer, reader)
}

/** Joins two connections, or one in both roles. */
export function createEngine(writer: Connection, reader: Connection): Engine {
  let closing: Promise<void> | null = null
  const close = async () => {
    // The reader first: an open reader would keep the log from being emptied.
    await reader.close()
    await writer.close()
  }
  return {
    // The tables' types tie name, arguments and result together; a message carries none of that.
    write: (name, ...args) => writer.call(name, args[0]) as Promise<never>,
    read: (name, ...args) => reader.call(name, args[0]) as Promise<never>,
    status: () => {
      const failure = writer.failure ?? reader.failure
      return {
        state: failure !== null ? 'failed' : closing === null ? 'open' : 'closed',
        error: failure?.message ?? null,
        pendingReads: reader.pending,
        pendingWrites: writer.pending,
      }
    },
    close: () => {
      closing ??= close()
      return closing
    },
  }
}
