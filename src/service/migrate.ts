import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type MigrateOutcome, migrate, type Position } from '../archive/migrate.ts'
import type { Config } from '../config.ts'
import type { Log } from '../observe/log.ts'
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
  const embedded = await openStores({ ...config, stores: 'embedded', servers: null }, log)
  const server = await openStores(config, log, { limitMs: patienceMs })
  await settled(server)
  const file = path.join(config.dataDir, `migrate-to-${to}.json`)
  const sides = { embedded, server }
  return {
    run: async (progress) => {
      const position = await savedPosition(file)
      const outcome = await migrate({
        from: sides[to === 'server' ? 'embedded' : 'server'].archive,
        to: sides[to].archive,
        position,
        keep: async (reached) => {
          await savePosition(file, reached)
          progress(reached)
        },
      })
      if (outcome.outcome === 'done') await rm(file, { force: true })
      return { ...outcome, resumed: position?.copied ?? 0 }
    },
    close: async () => {
      await server.close()
      await embedded.close()
    },
  }
}

async function savedPosition(file: string): Promise<Position | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** Whole or not at all: a crash leaves the position before. */
async function savePosition(file: string, position: Position): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(position), { mode: 0o600 })
  await rename(`${file}.new`, file)
}
