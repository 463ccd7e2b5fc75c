import { totalmem } from 'node:os'

/** The rows of all indexes lie in one WebAssembly memory, which takes no more. */
const largestIndexMegabytes = 4_096

/** Of the machine's memory, or of what its container allows: the models and the page cache of the store take the rest. */
const share = 1 / 4

/** What the indexes may take where nothing is set. */
export function usualIndexBytes(): number {
  const allowed = process.constrainedMemory() || Number.POSITIVE_INFINITY
  return Math.min(Math.min(totalmem(), allowed) * share, largestIndexMegabytes * 2 ** 20)
}
