import { LRUCache } from 'lru-cache'
import type { AccountStore } from './ports.ts'

/** Keys in use at once are far fewer; beyond this the least recently used goes. */
const keptKeys = 10_000

type Found = NonNullable<Awaited<ReturnType<AccountStore['keyByHash']>>>

/**
 * The same store, remembering keys it has found. Every change made through it empties the memory before it
 * resolves, so a revoked key is refused at once. Only for a store that this process alone changes.
 */
export function cacheKeys(store: AccountStore): AccountStore {
  const known = new LRUCache<string, Found>({ max: keptKeys })
  let generation = 0
  const forget = () => {
    generation++
    known.clear()
  }
  const changing = async <T>(change: Promise<T>): Promise<T> => {
    try {
      return await change
    } finally {
      forget()
    }
  }
  return {
    ...store,
    keyByHash: async (hash) => {
      const remembered = known.get(hash)
      if (remembered !== undefined) return remembered
      const asked = generation
      const found = await store.keyByHash(hash)
      // A change came between: what was read may be what it replaced.
      if (found === null || asked !== generation) return found
      known.set(hash, found)
      return found
    },
    saveAccount: (account, now) => changing(store.saveAccount(account, now)),
    patchAccount: (name, patch) => changing(store.patchAccount(name, patch)),
    removeAccount: (name) => changing(store.removeAccount(name)),
    expireKey: (id, at) => changing(store.expireKey(id, at)),
  }
}
