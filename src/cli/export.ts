import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { exportReply } from '../http/routes/account-replies.ts'
import { known, openRecords, writePages } from './accounts.ts'
import { brainAt } from './brain.ts'
import { type Command, type CommandParts, UsageError } from './command.ts'
import { openAdministration } from './keys.ts'
import { argumentsOf, targetOf, targetOptions } from './target.ts'

const options = { all: { type: 'boolean' }, ...targetOptions } as const

const patience = { patienceMs: 120_000, waiting: () => {} }

/** `memoryd export`: what was told to an account, by its key; with --all to every account, by the data directory. */
export const exportCommand: Command = {
  usage: 'FILE [--url URL] [--key KEY] | --all FOLDER',
  run: async (args, parts) => {
    const { values, positionals } = argumentsOf(args, options)
    const [place, ...others] = positionals
    if (place === undefined || others.length > 0)
      throw new UsageError(values.all ? 'export --all needs a folder' : 'export needs a file')
    if (values.all) return exportAll(parts, place)
    const brain = brainAt(await targetOf(parts, values), patience)
    const count = await writePages(async (cursor) => {
      const query = cursor === null ? '' : `?cursor=${encodeURIComponent(cursor)}`
      const { lines, next_cursor } = await brain.call(exportReply, 'GET', `/brain/export${query}`)
      return { lines, nextCursor: next_cursor }
    }, place)
    parts.terminal.out(`Wrote ${count} texts and documents to ${place}.`)
    return 0
  },
}

async function exportAll(parts: CommandParts, folder: string): Promise<number> {
  const administration = await openAdministration(parts.config())
  const accounts = await administration.accounts().finally(() => administration.close())
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const records = await openRecords(parts)
  try {
    for (const { account } of accounts) {
      const file = path.join(folder, `${account}.jsonl`)
      const page = async (cursor: string | null) =>
        known(await records.export(account, cursor, 'texts'), account)
      parts.terminal.out(`Wrote ${await writePages(page, file)} texts and documents to ${file}.`)
    }
    return 0
  } finally {
    await records.close()
  }
}
