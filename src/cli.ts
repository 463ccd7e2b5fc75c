import type { Command } from './cli/command.ts'
import { UsageError } from './cli/command.ts'
import { doctor } from './cli/doctor.ts'
import { extract } from './cli/extract.ts'
import { keys } from './cli/keys.ts'
import { reembed } from './cli/reembed.ts'
import { exitCodeOf, processParts } from './cli/run.ts'
import { serve } from './cli/serve.ts'

const commands: Readonly<Record<string, Command>> = { serve, keys, doctor, extract, reembed }

function help(): string {
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`)
  return [
    'memoryd: the memory server for software agents',
    '',
    'usage: memoryd COMMAND [ARGUMENTS]',
    '',
    ...lines,
    `  ${'help'.padEnd(10)} show this, or the usage of a command: memoryd help COMMAND`,
    '',
    'Settings come from the environment; docs/configuration.md lists them.',
  ].join('\n')
}

function usageOf(name: string): string {
  const command = commands[name]
  if (command === undefined) throw new UsageError(`there is no command ${name}\n\n${help()}`)
  return `usage: memoryd ${name} ${command.usage}`.trimEnd()
}

process.exitCode = await exitCodeOf(async (parts) => {
  const [name = 'help', ...args] = process.argv.slice(2)
  const wantsHelp = args.includes('--help') || args.includes('-h')
  if (name === 'help' || name === '--help' || name === '-h') {
    parts.terminal.out(args[0] === undefined ? help() : usageOf(args[0]))
    return 0
  }
  const usage = usageOf(name)
  if (wantsHelp) {
    parts.terminal.out(usage)
    return 0
  }
  try {
    return (await commands[name]?.run(args, parts)) ?? 2
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`${error.message}\n${usage}`)
    throw error
  }
}, processParts())
