import { existsSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type BackupSummary, backUp, verifyBackup } from '../service/backup.ts'
import { backupName } from '../service/backup-schedule.ts'
import { type Command, CommandFailure, type Terminal, UsageError } from './command.ts'

/** `memoryd backup [FILE]`: writes everything into one file, beside the running server or without one. */
export const backup: Command = {
  usage:
    '[FILE]           write everything into one file; the server may run\n       memoryd backup --verify FILE   check a backup, change nothing',
  run: async (args, { config, terminal }) => {
    const { file, isCheck } = parsed(args)
    if (isCheck) {
      if (file === undefined) throw new UsageError('FILE is missing')
      terminal.out(`${file} is whole: ${described(await verifyBackup(file))}`)
      return 0
    }
    const settings = config()
    const target = path.resolve(file ?? path.join(settings.backup?.directory ?? '.', backupName(new Date())))
    if (existsSync(target))
      throw new CommandFailure(`${target} exists already; say another FILE, or move it away`)
    if (!existsSync(path.dirname(target)))
      throw new CommandFailure(`there is no directory ${path.dirname(target)}`)
    const summary = await backUp(settings, target, progressOn(terminal, 'written'))
    terminal.out(`Wrote ${target}: ${described(summary)}`)
    return 0
  },
}

/** Says now and then how far it is. */
export function progressOn(terminal: Terminal, what: string, total?: () => number) {
  let toldAt = performance.now()
  return (records: number) => {
    if (performance.now() - toldAt < 1_000) return
    toldAt = performance.now()
    terminal.err(`${records}${total === undefined ? '' : ` of ${total()}`} records ${what}`)
  }
}

/** What a backup is and holds, in a line. */
export function described({ about, tally, bytes }: BackupSummary): string {
  return `${countsOf(tally)}; ${sizeOf(bytes)}, begun ${about.startedAt}, ${about.mode} store, memoryd ${about.version}.`
}

const sizeOf = (bytes: number) =>
  bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`

/** As `chunks 3, facts 5`. */
export function countsOf(tally: BackupSummary['tally']): string {
  return Object.entries(tally)
    .map(([kind, { count }]) => `${kind === 'usage' ? kind : `${kind.replace(/ty$/, 'tie')}s`} ${count}`)
    .join(', ')
}

function parsed(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { verify: { type: 'boolean' } },
      allowPositionals: true,
    })
    if (positionals.length > 1) throw new Error('there is one FILE')
    return { file: positionals[0], isCheck: values.verify === true }
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}
