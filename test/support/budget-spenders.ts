import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { openEngine } from '../../src/stores/embedded/engine/engine.ts'
import { createEmbeddedLedger } from '../../src/stores/embedded/ledger.ts'

export type Way = 'ledger' | 'check-then-deduct'

export interface Spender {
  take(id: string, limit: number): Promise<boolean>
  close(): Promise<void>
}

const account = 'acme'
const month = '2026-11'

/** Takes one op at a time from a store that other processes use too: with the ledger, or in the way that is wrong. */
export function openSpender(way: Way, directory: string): Promise<Spender> {
  return spenders[way](directory)
}

const spenders: Record<Way, (directory: string) => Promise<Spender>> = {
  ledger: async (directory) => {
    const engine = await openEngine({ directory, shared: true })
    const ledger = createEmbeddedLedger(engine, (error) => {
      throw error
    })
    return {
      take: (id, limit) => ledger.reserve({ id, account, month, ops: 1, limit }),
      close: () => engine.close(),
    }
  },
  'check-then-deduct': async (directory) => {
    const db = new DatabaseSync(path.join(directory, 'memory.db'), { timeout: 10_000 })
    const used = db.prepare('SELECT used FROM usage WHERE account = ? AND month = ?')
    const deduct = db.prepare(
      'INSERT INTO usage (account, month, used) VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET used = used + 1',
    )
    return {
      take: async (_id, limit) => {
        if (Number(used.get(account, month)?.used ?? 0) >= limit) return false
        // What any real check does between asking and taking: it lets others run.
        await setImmediate()
        deduct.run(account, month)
        return true
      },
      close: async () => db.close(),
    }
  },
}

/** What the store says was taken. */
export async function opsTaken(directory: string): Promise<number> {
  const engine = await openEngine({ directory, shared: true })
  const taken = await engine.read('ledger.used', { account, month })
  await engine.close()
  return taken
}
