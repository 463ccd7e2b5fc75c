import { readFile, rename, rm, writeFile } from 'node:fs/promises'

/** A small file that remembers how far long work has come. */
export interface SavedState<T> {
  /** Null when there is none, or none that can be read: the work then starts from the beginning, which is safe. */
  read(): Promise<T | null>
  /** Whole or not at all: a crash leaves the state before. */
  write(state: T): Promise<void>
  clear(): Promise<void>
}

export function savedState<T>(file: string): SavedState<T> {
  return {
    async read() {
      try {
        return JSON.parse(await readFile(file, 'utf8'))
      } catch {
        return null
      }
    },
    async write(state) {
      await writeFile(`${file}.new`, JSON.stringify(state), { mode: 0o600, flush: true })
      await rename(`${file}.new`, file)
    },
    clear: () => rm(file, { force: true }),
  }
}
