import { ServiceError } from '../core/errors.ts'
import type { StoreName } from './memory.ts'

/** Asks stores and remembers which of them could not be reached. */
export interface Reachability {
  /** The answer, or `missing` when the store cannot be reached; any other failure rejects. */
  ask<T>(store: StoreName, read: () => Promise<T>, missing: T): Promise<T>
  /** The stores that did not answer, each once. Rejects the request when none did that was asked. */
  degraded(): readonly StoreName[]
}

export function createReachability(): Reachability {
  const answered = new Set<StoreName>()
  const unreachable = new Map<StoreName, ServiceError>()
  return {
    ask: async (store, read, missing) => {
      try {
        const answer = await read()
        answered.add(store)
        return answer
      } catch (error) {
        if (!(error instanceof ServiceError) || error.code !== 'store_unavailable') throw error
        unreachable.set(store, error)
        return missing
      }
    },
    degraded: () => {
      const [failure] = unreachable.values()
      const useful = [...answered].filter((store) => !unreachable.has(store))
      if (failure !== undefined && useful.length === 0) throw failure
      return [...unreachable.keys()]
    },
  }
}
