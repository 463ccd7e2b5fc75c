import { readlinkSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

/** So much that another thread of the process goes first, and little enough that other programs do not starve this one. */
const niceness = 5

/**
 * A model takes all that a processor gives. Called in its thread, before it starts threads of its own, it lets the threads
 * that answer requests go first. Only Linux gives threads priorities of their own; elsewhere, and where it may not be
 * changed, nothing happens.
 */
export function stepBack(): void {
  try {
    const [, , thread] = readlinkSync('/proc/thread-self').split('/')
    setPriority(Number(thread), Math.min(19, getPriority(Number(thread)) + niceness))
  } catch {
    // It works all the same.
  }
}
