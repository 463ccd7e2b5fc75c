import { randomBytes } from 'node:crypto'
import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'

/** Room for the write-ahead log to move into the file, and for deleting: the log is emptied at about 4 MiB. */
const reserveBytes = 8 * 2 ** 20

/** Disk space that is kept for deleting when the disk is full. */
export interface Reserve {
  readonly bytes: number
  /** Takes the space again; false while the disk has not twice as much free. */
  take(): boolean
  release(): void
}

export function createReserve(directory: string, file: string): Reserve {
  return {
    bytes: reserveBytes,
    take: () => {
      const { bavail, bsize } = statfsSync(directory)
      return bavail * bsize >= 2 * reserveBytes && fill(file)
    },
    release: () => rmSync(file, { force: true }),
  }
}

/** Real bytes: file systems keep no space for zeros. */
function fill(file: string): boolean {
  const part = randomBytes(2 ** 20)
  const handle = openSync(file, 'w', 0o600)
  try {
    for (let written = 0; written < reserveBytes; written += part.length) writeSync(handle, part)
    return true
  } catch {
    rmSync(file, { force: true })
    return false
  } finally {
    closeSync(handle)
  }
}
