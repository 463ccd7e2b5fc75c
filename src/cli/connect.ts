import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline/promises'
import { type Command, CommandFailure, type CommandParts, UsageError } from './command.ts'
import { clients, type Place } from './connect/clients.ts'
import { diff, type FileEdit } from './connect/edits.ts'
import { argumentsOf, type Target, targetOf, targetOptions } from './target.ts'

const options = {
  hooks: { type: 'boolean' },
  print: { type: 'boolean' },
  remove: { type: 'boolean' },
  yes: { type: 'boolean' },
  ...targetOptions,
} as const

/** `memoryd connect CLIENT`: writes the configuration of a program that uses memoryd, or takes it out again. */
export const connect: Command = {
  usage: `${Object.keys(clients).join('|')} [--hooks] [--print] [--remove] [--yes] [--url URL] [--key KEY]`,
  run: async (args, parts) => {
    const { values, client } = parsed(args)
    const place = placeOf(parts)
    const target = values.remove ? null : await targetOf(parts, values)
    const wanted = [
      ...client.edits(place, target),
      // Taken out whether they were asked for or not: without the server they have nobody to call.
      ...(values.hooks || values.remove ? (client.hooks?.(place, target) ?? []) : []),
    ]
    if (values.print) {
      for (const { path: file, change } of wanted) parts.terminal.out(`# ${file}\n${change(null) ?? ''}`)
      return 0
    }
    const changes = await changesOf(wanted)
    if (changes.length === 0) {
      parts.terminal.out(
        `Nothing to change: ${client.title} is ${values.remove ? 'not connected' : 'connected'}.`,
      )
      return 0
    }
    for (const { file, before, after } of changes) {
      parts.terminal.out(`${file}\n${masked(diff(before ?? '', after ?? ''), target)}\n`)
    }
    if (!values.yes && !(await agreed())) {
      parts.terminal.err('Nothing was changed.')
      return 1
    }
    for (const change of changes) {
      await write(change)
      if (target !== null && (await othersMayRead(change, target)))
        parts.terminal.err(`Others may read the key in ${change.file}: chmod 600 it.`)
    }
    parts.terminal.out(
      values.remove
        ? `${client.title} no longer uses memoryd.`
        : `${client.title} uses memoryd at ${target?.url} from its next start on; --remove undoes it.`,
    )
    return 0
  },
}

function parsed(args: readonly string[]) {
  const { values, positionals } = argumentsOf(args, options)
  const [wanted = '', ...others] = positionals
  const client = Object.hasOwn(clients, wanted) ? clients[wanted] : undefined
  if (client === undefined || others.length > 0)
    throw new UsageError(`connect needs one of ${Object.keys(clients).join(', ')}`)
  if (values.hooks && client.hooks === null)
    throw new UsageError(`${client.title} has no hooks that memoryd answers`)
  return { values, client }
}

function placeOf({ environment }: CommandParts): Place {
  const script = path.resolve(import.meta.dirname, '..', '..', 'bin', 'memoryd.mjs')
  return {
    home: environment.HOME ?? homedir(),
    platform: process.platform,
    environment,
    command: [process.execPath, script],
  }
}

interface Change {
  readonly file: string
  readonly before: string | null
  readonly after: string | null
}

async function changesOf(edits: readonly FileEdit[]): Promise<readonly Change[]> {
  const changes = await Promise.all(
    edits.map(async ({ path: file, change }) => {
      const before = await textOf(file)
      return { file, before, after: change(before) }
    }),
  )
  return changes.filter(({ before, after }) => before !== after)
}

async function textOf(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** A key may be written into a file of its owner; a terminal is looked over, and a pipe ends in a log. */
function masked(text: string, target: Target | null): string {
  const hidden = text.replace(/mem_\w+/g, 'mem_…')
  return target === null ? hidden : hidden.replaceAll(target.key, 'mem_…')
}

async function agreed(): Promise<boolean> {
  if (process.stdin.isTTY !== true) throw new CommandFailure('nobody is here to agree; say --yes')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question('Write this? [y/N] ')
  terminal.close()
  return /^y(es)?$/i.test(answer.trim())
}

/** Whether somebody else on this machine can read the key. The file's mode is its owner's business: it is only told. */
async function othersMayRead({ file, after }: Change, { key }: Target): Promise<boolean> {
  if (after === null || !after.includes(key)) return false
  const { mode } = await stat(file)
  return (mode & 0o077) !== 0 && process.platform !== 'win32'
}

/** Written in place: links and modes of existing files stay. A new one is for its owner alone, since it holds a key. */
async function write({ file, before, after }: Change): Promise<void> {
  if (after === null) return rm(file, { force: true })
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, after, before === null ? { mode: 0o600 } : {})
  if (before === null) await chmod(file, 0o600)
}
