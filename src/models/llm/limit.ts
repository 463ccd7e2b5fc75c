/** Runs work as soon as one of `slots` places is free, in the order of asking. */
export type Limit = <T>(work: () => Promise<T>) => Promise<T>

export function createLimit(slots: number): Limit {
  let free = slots
  const waiting: (() => void)[] = []
  return async (work) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free++
      else next()
    }
  }
}
