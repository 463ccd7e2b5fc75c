import { type Command, UsageError } from './cli/command.ts'
import { exitCodeOf, processParts } from './cli/run.ts'
import { version } from './version.ts'

interface Listed {
  readonly summary: string
  /** Loaded when it is called for: a command does not wait for what another needs. */
  readonly load: () => Promise<Command>
}

const commands: Readonly<Record<string, Listed>> = {
  serve: { summary: 'start the server', load: async () => (await import('./cli/serve.ts')).serve },
  keys: {
    summary: 'create, list, rotate and revoke API keys; change the tier of an account',
    load: async () => (await import('./cli/keys.ts')).keys,
  },
  accounts: {
    summary: 'erase everything of an account, or export it to a file',
    load: async () => (await import('./cli/accounts.ts')).accounts,
  },
  backup: {
    summary: 'write everything into one file while the server runs, or check such a file',
    load: async () => (await import('./cli/backup.ts')).backup,
  },
  restore: {
    summary: 'put a backup into an empty store, of either mode',
    load: async () => (await import('./cli/restore.ts')).restore,
  },
  remember: {
    summary: 'remember a text',
    load: async () => (await import('./cli/people.ts')).remember,
  },
  recall: {
    summary: 'show what is known about a question',
    load: async () => (await import('./cli/people.ts')).recall,
  },
  ask: {
    summary: 'answer a question in words; the server needs an LLM for it',
    load: async () => (await import('./cli/people.ts')).ask,
  },
  stats: {
    summary: 'count memories, and what is used of the budget',
    load: async () => (await import('./cli/people.ts')).stats,
  },
  import: {
    summary: 'bring in ChatGPT, Claude, Claude Code, Codex, Markdown, mem0, server-memory or an export',
    load: async () => (await import('./cli/import.ts')).importCommand,
  },
  export: {
    summary: 'write everything that was told to a file that import takes back',
    load: async () => (await import('./cli/export.ts')).exportCommand,
  },
  connect: {
    summary: 'connect Claude Code, Codex, Cursor, VS Code or Claude Desktop; --remove undoes it',
    load: async () => (await import('./cli/connect.ts')).connect,
  },
  mcp: {
    summary: 'speak the Model Context Protocol on standard input and output, for clients that start programs',
    load: async () => (await import('./cli/mcp.ts')).mcp,
  },
  doctor: {
    summary: 'check runtime, configuration, models, store, port and disk, and say what to do',
    load: async () => (await import('./cli/doctor.ts')).doctor,
  },
  extract: {
    summary: 'show the facts and entities that are read from a text',
    load: async () => (await import('./cli/extract.ts')).extract,
  },
  reembed: {
    summary: 'make all vectors anew with the configured embedding model; starts where it stopped',
    load: async () => (await import('./cli/reembed.ts')).reembed,
  },
  migrate: {
    summary: 'copy everything from the embedded store to the servers, or back; starts where it stopped',
    load: async () => (await import('./cli/migrate.ts')).migrate,
  },
}

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

async function commandNamed(name: string): Promise<Command> {
  const listed = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (listed === undefined) throw new UsageError(`there is no command ${name}\n\n${help()}`)
  return listed.load()
}

const usageOf = (name: string, { usage }: Command) => `usage: memoryd ${name} ${usage}`.trimEnd()

process.exitCode = await exitCodeOf(async (parts) => {
  const [name = 'help', ...args] = process.argv.slice(2)
  if (name === '--version') {
    parts.terminal.out(version)
    return 0
  }
  const asksForHelp = ['help', '--help', '-h'].includes(name)
  if (asksForHelp && args[0] === undefined) {
    parts.terminal.out(help())
    return 0
  }
  const wanted = asksForHelp ? (args[0] ?? '') : name
  const command = await commandNamed(wanted)
  if (asksForHelp || args.includes('--help') || args.includes('-h')) {
    parts.terminal.out(usageOf(wanted, command))
    return 0
  }
  try {
    return await command.run(args, parts)
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`${error.message}\n${usageOf(name, command)}`)
    throw error
  }
}, processParts())
