import { createLog } from '../observe/log.ts'
import { type BackupSummary, restore as restoreBackup } from '../service/backup.ts'
import { countsOf, described, progressOn } from './backup.ts'
import { type Command, UsageError } from './command.ts'
import { makeDirectory } from './directories.ts'

/** `memoryd restore FILE`: puts a backup into an empty store. No server may run on it. */
export const restore: Command = {
  usage: 'FILE   (into the configured store, which must be empty; the file is checked first)',
  run: async (args, { config, terminal }) => {
    const [file, ...rest] = args
    if (file === undefined || file.startsWith('-') || rest.length > 0)
      throw new UsageError('say which file to restore')
    let total = 0
    const verified = (summary: BackupSummary) => {
      total = Object.values(summary.tally).reduce((sum, { count }) => sum + count, 0)
      terminal.err(`${file} is whole: ${described(summary)}`)
    }
    const progress = progressOn(terminal, 'restored', () => total)
    const settings = config()
    makeDirectory('DATA_DIR', settings.dataDir)
    const result = await restoreBackup(settings, file, { log: createLog('error'), verified, progress })
    if (result.outcome === 'done') {
      terminal.out(`Restored. Counts and checksums are those of the file: ${countsOf(result.tally)}.`)
      return 0
    }
    if (result.outcome === 'occupied') {
      const holds = Object.entries(result.holds).map(([kind, count]) => `${count} ${kind}`)
      terminal.err(
        `Nothing was restored: the target (the engines of STORES=server) holds data already (${holds.join(', ')}). Restore into empty engines.`,
      )
      return 1
    }
    terminal.err(
      `What was restored is not what the file says (${result.kinds.join(', ')}): somebody else wrote to the store meanwhile, or this is a bug. Do not use it; empty it and restore again.`,
    )
    return 1
  },
}
