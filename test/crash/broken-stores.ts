import { setTimeout as wait } from 'node:timers/promises'
import type { ItemReceipt, ItemWrite, MemoryStores } from '../../src/memory/ports.ts'

/** Ways to be wrong about a write: each must make the crash test fail. */
export const breaks = {
  /** Answers before the write is done. */
  'acknowledges early': (stores: MemoryStores): MemoryStores => ({
    ...stores,
    journal: {
      ...stores.journal,
      remember: async (namespace, item) => {
        void wait(40).then(() => stores.journal.remember(namespace, item))
        return receiptOf(item)
      },
    },
  }),
  /** Texts first, facts in a transaction of their own: a crash between leaves a text without its facts for ever. */
  'writes in two steps': (stores: MemoryStores): MemoryStores => ({
    ...stores,
    journal: {
      ...stores.journal,
      remember: async (namespace, item) => {
        await stores.journal.remember(namespace, { ...item, facts: [], entities: [] })
        await wait(15)
        await stores.journal.remember(namespace, { ...item, chunks: [], textHash: `${item.textHash} facts` })
        return receiptOf(item)
      },
    },
  }),
  /** Stores what it has already: a retry doubles what was stored without having been acknowledged. */
  'does not deduplicate': (stores: MemoryStores): MemoryStores => ({
    ...stores,
    episodic: { ...stores.episodic, nearest: async () => [] },
    journal: {
      ...stores.journal,
      remember: async (namespace, item) => {
        const receipt = await stores.journal.remember(namespace, { ...item, textHash: item.itemId })
        await wait(15)
        return receipt
      },
    },
  }),
} as const

export type Break = keyof typeof breaks

function receiptOf(item: ItemWrite): ItemReceipt {
  return { outcome: 'stored', entities: item.entities.length, facts: item.facts.length, closed: [] }
}
