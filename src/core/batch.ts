/**
 * Runs one piece of work at a time and hands it what came while the one before was running, at most so many. Each caller
 * gets its own result; a failing batch rejects all of its callers.
 */
export function createBatcher<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
  most = Number.POSITIVE_INFINITY,
): (item: Item) => Promise<Result> {
  interface Waiting {
    readonly item: Item
    resolve(result: Result): void
    reject(error: unknown): void
  }
  const waiting: Waiting[] = []
  let isRunning = false

  async function drain(): Promise<void> {
    isRunning = true
    while (waiting.length > 0) {
      const batch = waiting.splice(0, most)
      try {
        const results = await work(batch.map(({ item }) => item))
        batch.forEach(({ resolve }, place) => {
          resolve(results[place] as Result)
        })
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    isRunning = false
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (!isRunning) void drain()
    })
}

/** One piece of work per key at a time, in the order of asking; different keys do not wait for each other. */
export function createTurns(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>()
  return (key, work) => {
    const before = last.get(key) ?? Promise.resolve()
    const mine = before.then(work, work)
    last.set(key, mine)
    const leave = () => {
      if (last.get(key) === mine) last.delete(key)
    }
    mine.then(leave, leave)
    return mine
  }
}

/**
 * Who asks the same at the same time shares one answer. It is never older than the question: who comes while one is on
 * its way shares the next.
 */
export function createShared<Answer>(): (key: string, ask: () => Promise<Answer>) => Promise<Answer> {
  const inTurn = createTurns()
  const next = new Map<string, Promise<Answer>>()
  return (key, ask) => {
    const begin = () => {
      next.delete(key)
      return ask()
    }
    const answer = next.get(key) ?? inTurn(key, begin)
    next.set(key, answer)
    return answer
  }
}
