import path from 'node:path'
import { type MigrateOutcome, migrate, type Position } from '../archive/migrate.ts'
import type { Config } from '../config.ts'
import type { Log } from '../observe/log.ts'
import { savedState } from './saved-state.ts'
import { openStores, settled } from './stores.ts'

export type Direction = 'server' | 'embedded'

export interface Migration {
  /** Copies what is missing and compares both sides; `resumed` says how much an earlier try had copied. */
  run(progress: (position: Position) => void): Promise<MigrateOutcome & { readonly resumed: number }>
  close(): Promise<void>
}

/** A page of records is a large transaction, and no caller waits for it. */
const patienceMs = 60_000

/** Opens both backends of a configuration that has both. The data directory may not be in use. */
export async function openMigration(config: Config, to: Direction, log: Log): Promise<Migration> {
  const embedded = await openStores({ ...config, stores: { mode: 'embedded' } }, log)
  const server = await openStores(config, log, { limitMs: patienceMs })
  await settled(server)
  const state = savedState<Position>(path.join(config.dataDir, `migrate-to-${to}.json`))
  const sides = { embedded, server }
  return {
    run: async (progress) => {
      const position = await state.read()
      const outcome = await migrate({
        from: sides[to === 'server' ? 'embedded' : 'server'].archive,
        to: sides[to].archive,
        position,
        keep: async (reached) => {
          await state.write(reached)
          progress(reached)
        },
      })
      if (outcome.outcome === 'done') await state.clear()
      return { ...outcome, resumed: position?.copied ?? 0 }
    },
    close: async () => {
      await server.close()
      await embedded.close()
    },
  }
}
