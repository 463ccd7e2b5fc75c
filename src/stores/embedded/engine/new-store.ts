import { existsSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { syncDirectory } from '../../../core/sync-directory.ts'
import { filesIn, lockDirectory, makeDirectory, markState } from './directory.ts'
import { StoreRefused } from './failures.ts'

/** A store that is being made; the data directory has none until it is finished. */
export interface NewStore {
  /** Where to open it meanwhile. */
  readonly directory: string
  /** It is closed and becomes the store of the data directory, in one step. */
  finish(): void
  /** Lets the data directory go; what is not finished is gone. */
  release(): void
}

/** Holds a data directory that has no store. What an earlier try has left half done there is begun anew. */
export function makeNewStore(directory: string): NewStore {
  makeDirectory(directory)
  const lock = lockDirectory(directory)
  const files = filesIn(directory)
  const part = path.join(directory, 'restore.part')
  const release = () => {
    rmSync(part, { recursive: true, force: true })
    lock.release()
  }
  const found = [files.database, files.log].find((file) => existsSync(file))
  if (found !== undefined) {
    lock.release()
    throw new StoreRefused(
      'occupied',
      `Nothing was restored: ${directory} holds a store already (${found}). Set DATA_DIR to a new directory, or move that one away.`,
    )
  }
  rmSync(part, { recursive: true, force: true })
  return {
    directory: part,
    finish: () => {
      const made = filesIn(part)
      if (existsSync(made.log)) throw new Error(`${made.log} was not emptied.`)
      renameSync(made.database, files.database)
      markState(directory, 'closed')
      syncDirectory(directory)
    },
    release,
  }
}
