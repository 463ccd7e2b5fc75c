import { open as openFile, rename, rm, stat } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import type { AccountAdministration, ExportPage } from '../archive/account-records.ts'
import { createLog } from '../observe/log.ts'
import { openAccountRecords } from '../service/accounts.ts'
import { requireStore } from '../service/stores.ts'
import { type Command, CommandFailure, type CommandParts, UsageError } from './command.ts'
import { remoteRecords } from './remote-accounts.ts'

interface Action {
  readonly usage: string
  run(args: readonly string[], records: AccountAdministration, parts: CommandParts): Promise<void>
}

const actions: Readonly<Record<string, Action>> = {
  erase: {
    usage: 'erase ACCOUNT [--yes]',
    run: async (args, records, { terminal }) => {
      const { name, isSure } = parsed(args)
      if (!isSure && (await asked(name)) !== name) throw new CommandFailure('nothing was erased')
      const erased = known(await records.erase(name), name)
      terminal.out(
        `Erased ${name}: ${erased.chunks} texts, ${erased.relations} facts, ${erased.entities} entities, ${erased.keys} keys. ${erased.remaining} memories remain.`,
      )
    },
  },
  export: {
    usage: 'export ACCOUNT FILE',
    run: async (args, records, { terminal }) => {
      const { name, file } = parsed(args)
      if (file === undefined) throw new UsageError('FILE is missing')
      const count = await writePages(async (cursor) => known(await records.export(name, cursor), name), file)
      terminal.out(`Wrote ${count} records of ${name} to ${file}.`)
    },
  },
}

/** `memoryd accounts …`: through the running server, or on the store when none runs. */
export const accounts: Command = {
  usage: Object.values(actions)
    .map(({ usage }) => usage)
    .join('\n       memoryd accounts '),
  run: async (args, parts) => {
    const [name = '', ...rest] = args
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined
    if (action === undefined)
      throw new UsageError(name === '' ? 'accounts needs an action' : `accounts has no action ${name}`)
    const records = await openRecords(parts)
    try {
      await action.run(rest, records, parts)
      return 0
    } finally {
      await records.close()
    }
  },
}

/** The store when nobody uses it; when a server does, that server. */
export async function openRecords({
  config,
}: CommandParts): Promise<AccountAdministration & { close(): Promise<void> }> {
  const settings = config()
  if (settings.stores.mode === 'embedded') requireStore(settings.dataDir)
  try {
    return await openAccountRecords(settings, createLog('error'))
  } catch (error) {
    const inUse = error instanceof Error && 'reason' in error && error.reason === 'in_use'
    if (!inUse) throw error
    return { ...(await remoteRecords(settings)), close: async () => {} }
  }
}

/** The name as somebody types it again; null where nobody can be asked. */
async function asked(name: string): Promise<string | null> {
  if (!process.stdin.isTTY)
    throw new CommandFailure(`this removes everything of ${name} for good; say --yes to do it`)
  const reader = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await reader.question(`This removes everything of ${name} for good. Type its name to go on: `)
  } finally {
    reader.close()
  }
}

/** Whole or not at all; readable to its owner alone. Says how many records. */
export async function writePages(
  pageAfter: (cursor: string | null) => Promise<ExportPage>,
  file: string,
): Promise<number> {
  // Told before anything is asked for; the file itself gets its name last.
  const kind = await stat(file).catch(() => null)
  if (kind?.isDirectory()) throw new CommandFailure(`${file} is a folder; name a file in it`)
  const part = `${file}.part`
  const out = await openFile(part, 'w', 0o600).catch((error: Error) => {
    throw new CommandFailure(
      `${file} cannot be written (${error.message}); name a file in a folder that exists and may be written to`,
    )
  })
  let count = 0
  try {
    let cursor: string | null = null
    do {
      const page = await pageAfter(cursor)
      for (const line of page.lines) await out.write(`${line}\n`)
      count += page.lines.length
      cursor = page.nextCursor
    } while (cursor !== null)
    await out.sync()
    await out.close()
    await rename(part, file)
  } catch (error) {
    await out.close().catch(() => {})
    await rm(part, { force: true })
    throw error
  }
  return count
}

function parsed(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { yes: { type: 'boolean' } },
      allowPositionals: true,
    })
    const [name, file] = positionals
    if (name === undefined) throw new UsageError('ACCOUNT is missing')
    return { name, file, isSure: values.yes === true }
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

export function known<T>(value: T | null, name: string): T {
  if (value === null) throw new CommandFailure(`there is no account ${name}`)
  return value
}
