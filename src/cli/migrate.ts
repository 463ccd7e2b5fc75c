import { createLog } from '../observe/log.ts'
import { type Direction, openMigration } from '../service/migrate.ts'
import { requireStore } from '../service/stores.ts'
import { type Command, CommandFailure, UsageError } from './command.ts'
import { makeDirectory } from './directories.ts'

/** `memoryd migrate --to server|embedded`: copies a backend into the other one and compares them. No server may run. */
export const migrate: Command = {
  usage:
    '--to server|embedded   (with STORES=server and the addresses of the engines; DATA_DIR is the embedded store)',
  run: async (args, { config, terminal }) => {
    const to = directionOf(args)
    const settings = config()
    if (settings.stores.mode === 'embedded') {
      throw new CommandFailure(
        'migrate needs both backends: set STORES=server, NEO4J_URL, QDRANT_URL and REDIS_URL.',
      )
    }
    if (to === 'server') requireStore(settings.dataDir)
    else makeDirectory('DATA_DIR', settings.dataDir)
    const migration = await openMigration(settings, to, createLog('error'))
    try {
      const result = await migration.run(({ kind, copied }) =>
        terminal.err(`${copied} records copied (${kind})`),
      )
      if (result.resumed > 0) terminal.err(`went on after ${result.resumed} records of an earlier try`)
      if (result.outcome === 'occupied') {
        const holds = Object.entries(result.holds).map(([kind, count]) => `${count} ${kind}`)
        terminal.err(
          `Nothing was copied: the target (${to}) holds data already (${holds.join(', ')}).\n` +
            `Migrate into an empty one: ${emptyTarget[to]}.`,
        )
        return 1
      }
      if (result.outcome === 'different') {
        const lines = result.kinds.map(
          (kind) => `  ${kind}: ${result.from[kind].count} there, ${result.to[kind].count} here`,
        )
        terminal.err(
          `The two sides differ after copying; the target held other data, or somebody wrote to a side:\n${lines.join('\n')}`,
        )
        return 1
      }
      const counts = Object.entries(result.tally).map(([kind, { count }]) => `${count} ${kind}`)
      terminal.out(`Done. Counts and checksums of both sides agree: ${counts.join(', ')}.`)
      return 0
    } finally {
      await migration.close()
    }
  },
}

const emptyTarget: Record<Direction, string> = {
  server: 'engines without memories and accounts',
  embedded: 'set DATA_DIR to a new directory',
}

function directionOf(args: readonly string[]): Direction {
  const [flag, to, ...rest] = args
  if (flag !== '--to' || rest.length > 0) throw new UsageError('say where to: --to server or --to embedded')
  if (to !== 'server' && to !== 'embedded') throw new UsageError('the target is server or embedded')
  return to
}
