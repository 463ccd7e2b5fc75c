/** Work on one thing goes one after the other, in the order in which it was asked for. */
export function inTurn<K>(): <T>(thing: K, work: () => Promise<T>) => Promise<T> {
  const last = new Map<K, Promise<unknown>>()
  return async (thing, work) => {
    const turn = (last.get(thing) ?? Promise.resolve()).then(work, work)
    last.set(thing, turn)
    try {
      return await turn
    } finally {
      if (last.get(thing) === turn) last.delete(thing)
    }
  }
}
