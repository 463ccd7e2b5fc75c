import type { Config } from '../config.ts'
import type { Clock } from '../core/clock.ts'
import type { Memory } from '../memory/memory.ts'
import type { Log } from '../observe/log.ts'
import type { Models } from './models.ts'
import type { OpenStores } from './stores.ts'

/** The memory at work, with its background runs. */
export interface JoinedMemory {
  readonly memory: Memory
  close(): Promise<void>
}

export interface MemoryJoint {
  readonly models: Models
  readonly stores: OpenStores
  readonly config: Config
  readonly clock: Clock
  readonly log: Log
}

/** Joins stores and models to the memory. */
export async function joinMemory({ models }: MemoryJoint): Promise<JoinedMemory> {
  await models.close()
  throw new Error('the memory is not joined yet')
}
